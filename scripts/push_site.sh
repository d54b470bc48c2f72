#!/bin/bash
# push_site.sh SITE REF: puts a built site into the branch `gh-pages` of the repository and pushes it.
# The first time the branch is made, without the history of the sources.
set -euo pipefail
cd "$(dirname "$0")/.."
site=$(realpath "$1")
ref=$2
pages=$(mktemp -d)
trap 'git worktree remove --force "$pages"' EXIT

if git fetch --quiet --depth 1 origin gh-pages 2>/dev/null; then
    git worktree add --quiet --force -B gh-pages "$pages" FETCH_HEAD
else
    # A push that failed has left the branch here.
    git branch --quiet -D gh-pages 2>/dev/null || true
    git worktree add --quiet --force --orphan -B gh-pages "$pages"
fi
python3 scripts/publish_site.py "$site" "$pages" "$ref"
cd "$pages"
git add --all --force
if git diff --cached --quiet; then
    echo 'push_site: nothing has changed'
    exit 0
fi
git -c user.name='github-actions[bot]' -c user.email='41898282+github-actions[bot]@users.noreply.github.com' \
    commit --quiet --message "The site of $ref"
git push --quiet origin gh-pages
