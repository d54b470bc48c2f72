#!/bin/sh
# Installs the wheel that fits this machine from dist/ into a fresh environment, without building anything, and
# tries it. Needs Python alone: no compiler, no checkout on the path. PYTHON=... chooses the interpreter.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
# Its whole path: a relative one leads nowhere from the new place.
python=$("${PYTHON:-python3}" -c 'import sys; print(sys.executable)')
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
"$python" -m venv venv
bin=venv/bin
[ -d "$bin" ] || bin=venv/Scripts
# NumPy may come from the package index; sixplane may not.
"$bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: numpy
"$bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: --no-index \
    --find-links "$source/dist" sixplane
PATH="$place/$bin:$PATH" "$bin/python" -I "$source/scripts/try_wheel.py"
