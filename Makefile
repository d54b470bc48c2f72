# The commands of sixplane; `make help` lists them.
# They need Rust >= 1.85, Python >= 3.11 and make; everything else is fetched, once, by `make setup`.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/sh
MAKEFLAGS += --no-print-directory

# Development: tests, the page, the site and the fuzzer.
VENV := .venv
# The oldest Gymnasium and NumPy that sixplane supports.
OLDEST := .venv-oldest
# PyTorch, the libraries that learn, and the packages that sixplane is compared with.
LIBRARIES := .venv-libraries
# RLlib wants a Gymnasium that the others have left behind.
RLLIB := .venv-rllib
BIN := $(VENV)/bin
UV := target/uv

# After set-up nothing goes to the network: cargo and pip are told so. They do not share the job slots of make.
OFFLINE := env -u MAKEFLAGS -u MFLAGS CARGO_NET_OFFLINE=true PIP_NO_INDEX=1 PIP_QUIET=1
CARGO := env -u MAKEFLAGS -u MFLAGS CARGO_NET_OFFLINE=true cargo
# `cargo fmt` does not see the modules that the list of games declares, and what belongs to the crate of the example.
GAMES_FMT := rustfmt --edition 2024 src/games/*/mod.rs examples/crate-game/src/lib.rs tests/crates/faulty_rules.rs
# One interpreter for every build, so that pyo3 is not built again for another.
export PYO3_PYTHON := $(CURDIR)/$(BIN)/python
# The certificates of the system, as pip takes them: a network may have one of its own.
export UV_SYSTEM_CERTS := 1
# Tests start hundreds of programs. Where Python may not keep what it has compiled, each compiles all that it imports.
unexport PYTHONDONTWRITEBYTECODE
# Debian keeps games where the superuser does not look.
export PATH := $(PATH):/usr/games:$(CURDIR)/target/cargo-fuzz/bin

rust_files := Cargo.toml Cargo.lock build.rs .cargo/config.toml python/sixplane/_core.pyi $(shell find src -name '*.rs')
python_files := pyproject.toml README.md $(shell find python -type f -not -name '*.so' -not -path '*/__pycache__/*')
## help: show this list
help:
	@echo 'usage: make TARGET'; echo
	@sed -n 's/^## \([a-z-]*\): /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "  %-12s %s\n", $$1, $$2 }'

## setup: create the environment of `make test` from its lock file and fetch the crates
setup: $(VENV)/.locked target/.fetched

## build: compile the Rust core with the development profile into the environment, which has the Python files as they stand
build: $(VENV)/.built

## release: the same with the release profile, for what is measured; the next `make build` puts the other one back
release: $(VENV)/.released

## run: compile with the release profile, then play a thousand games of Go
run: release
	$(BIN)/sixplane selfplay --game go --size 9 --games 1000 --seed 1

## test: set up, then Rust tests and Python tests
test: setup
	@$(MAKE) --jobs=2 --output-sync=target test-rust test-python

## test-one: build what changed and run one file of tests (T=tests/test_env_single.py, T=tests/go_laws.rs)
test-one: target/.fetched
	@$$(scripts/check_toolchain.sh) scripts/which_tests.py one '$(T)'

## lint: formatting, clippy, ruff and rustdoc, warnings as errors
lint: lint-python lint-rust

## lint-python: formatting and ruff, of Python
lint-python: $(VENV)/.locked
	$(BIN)/ruff format --check --quiet
	$(BIN)/ruff check --quiet

## lint-rust: formatting, clippy and rustdoc, of Rust
lint-rust: target/.fetched
	@scripts/check_toolchain.sh lint >/dev/null
	cargo fmt --check
	$(GAMES_FMT) --check
	$(CARGO) clippy --locked --quiet --all-targets --features python,python-game,bench -- -D warnings
	RUSTDOCFLAGS='-D warnings' $(CARGO) doc --locked --quiet --no-deps --document-private-items --features python,python-game

## types: mypy --strict, and the typed stubs against the compiled module
types: $(VENV)/.built
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest sixplane._core

## test-rust: unit, law and documentation tests of the core, without Python
test-rust: target/.fetched
	$(CARGO) test --locked --quiet --test all
	$(CARGO) test --locked --quiet --lib $(UNIT_TESTS)
	$(CARGO) test --locked --quiet --doc

# Not optimised: the core with its unit tests, which are few and short, compiles in 8 instead of 21 seconds.
UNIT_TESTS := --config profile.test.package.sixplane.opt-level=0

## test-slow: the slow tests of the core, such as deep perft and searches that play perfectly
test-slow: target/.fetched
	$(CARGO) test --locked --quiet --test all -- --ignored

## test-portable: the laws again with the code for any processor: no BMI2, no population count, no prefetching
test-portable: target/.fetched
	RUSTFLAGS='--cfg portable' $(CARGO) test --locked --quiet --target-dir target/portable --test all -- laws perft playout planes reversi gomoku

## test-python: the Python tests but for those of the sets beside it
test-python: $(VENV)/.built
	$(OFFLINE) $(BIN)/python -m pytest $(SIDE_BY_SIDE) --set test-python tests python

## test-oldest: the tests of environments and files of networks with the oldest Gymnasium and NumPy
test-oldest: $(OLDEST)/.built
	$(OLDEST)/bin/python -m pytest $(SIDE_BY_SIDE) $(oldest_tests)

# What a version of Gymnasium or NumPy can change: environments, and files of arrays.
oldest_tests := tests/test_env_single.py tests/test_env_opponent.py tests/test_env_vector.py tests/test_env_vector_use.py \
	tests/test_env_vector_steps.py tests/test_env_vector_opponent.py tests/test_env_climb.py tests/test_gymgo_env.py tests/test_nets_file.py \
	tests/test_network.py

# A process for each processor, up to four: more are in each other's way, as many tests use threads themselves.
SIDE_BY_SIDE := --numprocesses auto --maxprocesses 4 --dist worksteal

## test-programs: programs, matches, windows and the pages of the documentation, as a user starts them
test-programs: $(VENV)/.built
	$(OFFLINE) $(BIN)/python -m pytest $(SIDE_BY_SIDE) --set test-programs tests

## test-oracles: the slow rules and the proofs that other tests compare the package with, and a program of others
test-oracles: $(VENV)/.built target/figrid-1.2.0/bin/pbrain-figrid
	$(BIN)/python -m pytest $(SIDE_BY_SIDE) --set test-oracles tests

# Not optimised: it plays against random moves. As its users have it, it takes 40 seconds of a processor more.
target/figrid-1.2.0/bin/pbrain-figrid:
	env -u MAKEFLAGS -u MFLAGS CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
		CARGO_PROFILE_RELEASE_OPT_LEVEL=0 $(FIGRID) --bin pbrain-figrid --root target/figrid-1.2.0 \
		--target-dir target/figrid-1.2.0 --quiet

## test-bytes: the laws of the fuzzer in Rust, on five seconds of random bytes each
test-bytes: target/.fetched
	SIXPLANE_LAW_SECONDS=5 $(CARGO) test --locked --quiet --test all bytes::

## test-lines: the laws of the fuzzer in Python, of programs and files, on five seconds of random bytes each
test-lines: $(VENV)/.built
	SIXPLANE_LAW_SECONDS=5 $(BIN)/python -m pytest --set test-lines tests

## test-all: after `make test`, what needs more: the page, PyTorch and the libraries that learn (fetches 9 GB)
test-all: test-web test-learning test-crates test-libraries test-examples test-rllib

## test-web: the JavaScript of the pages by types and format, then the page of `sixplane play --web` in chromium
test-web: $(VENV)/.built
	$(DENO) fmt --check
	$(DENO) check $(page_scripts)
	$(BIN)/python -m pytest $(SIDE_BY_SIDE) tests/web

# The wheel of deno has the compiler of TypeScript and a formatter; deno.json sets both.
DENO := DENO_DIR=target/deno DENO_NO_UPDATE_CHECK=1 NO_COLOR=1 $(BIN)/deno --quiet
page_scripts := $(wildcard python/sixplane/w*/static/*.js)

## test-learning: networks and training, with PyTorch and the other packages that compute networks
test-learning: $(LIBRARIES)/.built $(VENV)/.built
	$(LIBRARIES)/bin/python -m pytest $(SIDE_BY_SIDE) --dist loadfile tests/learning
	$(LIBRARIES)/bin/python -m pytest $(SIDE_BY_SIDE) $(learning_modules)
	TRAIN_PYTHON=$(LIBRARIES)/bin/python $(BIN)/python -m pytest tests/web/watch_training.py

## test-crates: games in Rust that others add, compiled, played and trained
test-crates: $(LIBRARIES)/.built $(VENV)/.built
	$(LIBRARIES)/bin/python -m pytest $(SIDE_BY_SIDE) --dist loadfile tests/crates

## test-libraries: the adapters, with the libraries that learn
# They warn of one another; what they warn of sixplane is looked at in the tests. One process imports them all, which
# takes as long as a fifth of the tests.
test-libraries: $(LIBRARIES)/.built
	$(LIBRARIES)/bin/python -m pytest -W default tests/libraries
	$(LIBRARIES)/bin/python -m pytest -W default $(library_modules)

## test-examples: the examples for other libraries, until they beat random play
test-examples: $(LIBRARIES)/.built
	$(LIBRARIES)/bin/python -m pytest -W default $(SIDE_BY_SIDE) tests/examples

## test-rllib: RLlib and runs on several nodes of Ray
test-rllib: $(RLLIB)/.built
	$(RLLIB)/bin/python -m pytest -W default tests/rllib tests/libraries/test_pages.py
	$(RLLIB)/bin/python -m pytest -W default $(ray_modules)

## test-stress: the tests that wait for others, ROUNDS=20 times in a row, with two busy loops beside them
test-stress: $(VENV)/.built $(LIBRARIES)/.built
	scripts/stress_tests.sh $(ROUNDS) '$(BIN)/python -m pytest -q $(SIDE_BY_SIDE) tests/web' \
		'$(BIN)/python -m pytest -q $(SIDE_BY_SIDE) $(waiting_tests)' \
		'$(LIBRARIES)/bin/python -m pytest -q $(SIDE_BY_SIDE) --dist loadfile tests/learning tests/crates'

ROUNDS ?= 20
# Matches and training.
waiting_tests := $(wildcard tests/test_match*.py tests/test_learn_*.py) tests/test_tournament.py tests/test_child.py \
	tests/test_live_record.py

# Modules whose examples need what `make test` goes without. They are those of the tree, which no call of pytest
# can have beside the installed ones that tests import.
learning_modules := python/sixplane/learn python/sixplane/nets
library_modules := python/sixplane/openspiel.py python/sixplane/sb3 python/sixplane/torchrl.py
ray_modules := python/sixplane/jobs/cluster.py python/sixplane/rllib.py

## test-nightly: every set of tests/sets.toml, those that nothing touches too, and laws with all of their random games (the nightly workflow also runs `make learn-table`)
test-nightly: setup
	@for set in $$($$(scripts/check_toolchain.sh) scripts/which_tests.py all | cut -d ' ' -f 2); do SIXPLANE_LAWS=all $(MAKE) "$$set" || exit 1; done

## docs: the site of docs/, of the package and of the crate, in target/site; warnings and dead links are errors
docs: $(VENV)/.built
	$(CARGO) doc --locked --quiet --no-deps --lib --target-dir target/rustdoc
	$(SPHINX) -b html docs target/site
	rm -rf target/site/rust && cp -r target/rustdoc/doc target/site/rust
	$(BIN)/python scripts/check_site.py target/site

## docs-links: whether the addresses that the pages name answer (needs the network)
docs-links: $(VENV)/.built
	$(SPHINX) -b linkcheck docs target/linkcheck

# The modules of this tree are described, with the core that `make build` compiled.
SPHINX = $(BIN)/python -m sphinx -W --keep-going -j auto --quiet -E -d target/doctrees

## fuzz: every law under bytes that a fuzzer chooses (SECONDS=60 each; fetches cargo-fuzz where there is none)
fuzz: $(VENV)/.built $(if $(shell command -v cargo-fuzz),,target/cargo-fuzz/bin/cargo-fuzz)
	cargo fuzz build --sanitizer none
	@mkdir -p $(addprefix fuzz/corpus/,$(byte_laws) $(line_laws)) fuzz/artifacts
	@printf '%s\n' $(byte_laws) $(line_laws) | xargs -P $(PROCESSES) -I LAW scripts/fuzz_law.sh LAW $(SECONDS)

# Not optimised: it only calls the compiler, and takes ten times as long to compile otherwise.
target/cargo-fuzz/bin/cargo-fuzz:
	cargo install --locked --quiet --debug --root target/cargo-fuzz cargo-fuzz@0.13.2

SECONDS ?= 60
byte_laws := $(shell sed -nE 's/^ +[a-z]+::([a-z_]+),$$/\1/p' tests/byte_laws/mod.rs)
line_laws := gtp_answers_every_line gomocup_answers_every_line a_changed_checkpoint_is_taken_or_refused \
	a_changed_folder_of_a_match_is_told_or_refused a_changed_folder_of_a_run_is_told_or_refused \
	a_changed_network_is_read_or_refused

## bench: the benchmarks of the core and from Python (never part of the tests)
bench: release
	$(CARGO) bench --locked --features bench
	$(BIN)/sixplane bench speed
	$(BIN)/python benches/growth.py
	$(BIN)/python benches/memory.py

## instructions: count what fixed workloads execute, and fail above +3 % of benches/instructions.txt (needs valgrind)
instructions: $(VENV)/.locked target/.fetched
	@command -v valgrind >/dev/null || { echo 'instructions needs valgrind (Debian: apt-get install valgrind)' >&2; exit 1; }
	$(CARGO) build --locked --quiet --profile bench --bench instructions
	@program=$$($(CARGO) build --locked --quiet --profile bench --bench instructions --message-format json \
		| sed -n 's/.*"executable":"\([^"]*\)".*/\1/p') \
		&& $(BIN)/python benches/count_instructions.py "$$program" --reason "$$REASON"

## audit: licences, advisories and sources of what is depended on (needs cargo-deny, and the network)
audit: $(VENV)/.locked
	@command -v cargo-deny >/dev/null || { echo 'audit needs cargo-deny: cargo install --locked cargo-deny' >&2; exit 1; }
	cargo deny check
	cargo deny --manifest-path fuzz/Cargo.toml --config deny.toml check
	$(BIN)/python -m venv target/audit
	target/audit/bin/python -m pip install --quiet 'pip-audit==$(PIP_AUDIT)'
	@for lock in requirements/*.txt; do \
		echo "pip-audit: $$lock"; \
		target/audit/bin/pip-audit --progress-spinner off --strict --disable-pip --require-hashes -r $$lock || exit 1; done

PIP_AUDIT := 2.10.1

## wheel: the wheel for Linux that is published, built with zig for glibc 2.17, and tried without a compiler
wheel: $(VENV)/.locked target/.fetched
	$(BIN)/python -m venv target/zig
	target/zig/bin/python -m pip install --quiet --require-hashes --only-binary :all: -r requirements/release.txt
	rm -rf dist
	PATH="$(CURDIR)/target/zig/bin:$$PATH" VIRTUAL_ENV=$(CURDIR)/target/zig $(BIN)/maturin build --release --zig \
		--compatibility manylinux2014 --target $$(rustc -vV | sed -n 's/^host: //p') --out dist
	@! find dist -name '*.whl' -size +$(WHEEL_KB)k | grep . || { echo 'wheel: larger than $(WHEEL_KB) KB' >&2; exit 1; }
	PYTHON=$(BIN)/python scripts/try_wheel.sh

WHEEL_KB := 5000

## bench-peers: the comparison with OpenSpiel, EnvPool, Pgx and PettingZoo, which it fetches (over 1 GB)
bench-peers: $(LIBRARIES)/.released
	$(LIBRARIES)/bin/python benches/peers/compare.py
	$(LIBRARIES)/bin/python benches/peers/selfplay.py

## learn-table: what the examples for other libraries learn, in the times of docs/libraries.md (about 45 minutes)
learn-table: $(LIBRARIES)/.released $(RLLIB)/.released
	$(LIBRARIES)/bin/python benches/learn_table.py --rllib $(RLLIB)/bin/python

## strength: matches against gnugo, gtp-rhino and figrid, and all players on the ladders (hours; GAMES=... to play fewer)
strength: release $(LIBRARIES)/.released
	@for program in gnugo gtp-rhino pbrain-figrid; do command -v $$program >/dev/null \
		|| { echo "strength needs the program $$program (Debian: gnugo, grhino; $(FIGRID))" >&2; exit 1; }; done
	$(MATCH) '$(GO_PLAYER)' 'gnugo@$(GNUGO)' --game go --size 9 --komi 7.5 --games $(GAMES) --unpaired \
		--opening-moves 2 --check-score --out $(OUT)/go
	$(MATCH) '$(REVERSI_PLAYER)' 'rhino@gtp:gtp-rhino' --game reversi --games $(GAMES) --out $(OUT)/reversi
	$(MATCH) score-table random --game gomoku --games 1000 --out $(OUT)/gomoku-table
	$(MATCH) '$(GOMOKU_PLAYER)' score-table --game gomoku --games $(GAMES) --out $(OUT)/gomoku-search
	$(MATCH) '$(GOMOKU_PLAYER)' 'figrid@gomocup:seconds=1,pbrain-figrid' --game gomoku --games $(GAMES) \
		--out $(OUT)/gomoku-figrid
	$(LIBRARIES)/bin/python benches/strength.py

# Games with one second a move take their time; what is finished is kept in OUT. PROCESSES games are played
# side by side, with one thread each: a processor for each keeps the times what they should be.
GAMES ?= 60
OUT ?= out/strength
PROCESSES ?= 2
GO_PLAYER ?= mcts@mcts:seconds=1,rave=1000,prior_visits=50,c=0.1
REVERSI_PLAYER ?= mcts@mcts:seconds=1,prior_visits=200,c=0.5
GOMOKU_PLAYER ?= mcts@mcts:seconds=1,evaluator=score-table,leaves=8,first_play=0
GNUGO := gtp:gnugo --mode gtp --level 10 --chinese-rules --capture-all-dead --positional-superko
FIGRID := cargo install figrid-board --version 1.2.0 --locked --features embed-weights,codebook-eval
MATCH := $(BIN)/sixplane match --seed 1 --opening-moves 4 --processes $(PROCESSES)

## ladder: rate the rungs of sixplane.ladder and write their tables (hours; goes on where it stopped; RUNG_GAMES=... a pair, PROCESSES=...)
ladder: $(LIBRARIES)/.released
	for board in go9 go13 reversi8 gomoku15; do \
		$(LIBRARIES)/bin/python benches/ladder.py $$board --games $(RUNG_GAMES) --processes $(PROCESSES) || exit 1; \
	done
RUNG_GAMES ?= 600

## format: rewrite Rust, Python and JavaScript sources in the house format
format: $(VENV)/.locked
	cargo fmt
	$(GAMES_FMT)
	$(BIN)/ruff check --quiet --fix
	$(BIN)/ruff format --quiet
	$(DENO) fmt

## lock: resolve the development requirements anew and write them with hashes
lock: $(UV)/bin/uv
	$(call compile,dev)
	$(call compile,oldest)
	$(call compile,libraries)
	$(call compile,rllib)
	$(call compile,release)

define compile
$(UV)/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-annotate \
	--no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' \
	--group $(1) --output-file requirements/$(1).txt
endef

## pictures: make the pictures of the README and the docs anew, by the examples beside them
pictures: build
	$(BIN)/python scripts/make_pictures.py

## clean: remove everything that was built, the environments included
clean:
	rm -rf target fuzz/target fuzz/corpus fuzz/artifacts dist $(VENV) $(OLDEST) $(LIBRARIES) $(RLLIB) .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -f python/sixplane/_core.*.so
	find python tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps: each says that the step it names was done after everything it depends on.

$(VENV)/.locked: requirements/dev.txt $(UV)/bin/uv
	$(call environment,$(VENV),dev)

$(OLDEST)/.locked: requirements/oldest.txt $(UV)/bin/uv
	$(call environment,$(OLDEST),oldest)

$(LIBRARIES)/.locked: requirements/libraries.txt $(UV)/bin/uv
	$(call environment,$(LIBRARIES),libraries)

$(RLLIB)/.locked: requirements/rllib.txt $(UV)/bin/uv
	$(call environment,$(RLLIB),rllib)

# PyTorch and what it needs are 6 GB. uv links the files of its cache into each environment that asks for them,
# so they are fetched once and are on the disk once.
define environment
@echo 'setting up $(1)'
$(UV)/bin/uv venv --quiet --clear --no-project --python "$$(scripts/check_toolchain.sh)" $(1)
UV_HTTP_TIMEOUT=180 $(UV)/bin/uv pip install --quiet --python $(1)/bin/python --require-hashes --only-binary :all: \
	-r requirements/$(2).txt
@touch $@
endef

$(UV)/bin/uv:
	@python=$$(scripts/check_toolchain.sh) && "$$python" -m venv --clear $(UV)
	$(UV)/bin/python -m pip install --quiet --disable-pip-version-check 'uv==0.13.8'

# A lock file that no longer fits its Cargo.toml, the fuzzer's included, fails here.
target/.fetched: Cargo.toml Cargo.lock fuzz/Cargo.toml fuzz/Cargo.lock
	@scripts/check_toolchain.sh >/dev/null
	cargo fetch --locked
	cargo fetch --locked --manifest-path fuzz/Cargo.toml
	@mkdir -p target && touch $@

# The core is compiled once for all environments, with the profile `dev` for tests and `release` for what is
# measured. Development has the Python files as they stand; the others have the wheel that a user would install.
# The module has a folder of its own: cargo's tests, without Python, and clippy, with another set-up of pyo3, would
# each have it compiled anew.
MATURIN := $(OFFLINE) $(BIN)/maturin
MODULE := --quiet --target-dir target/module
$(VENV)/.built: $(VENV)/.locked target/.fetched $(rust_files) pyproject.toml
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(MATURIN) develop $(MODULE)
	@rm -f $(VENV)/.released && touch $@

$(VENV)/.released: $(VENV)/.locked target/.fetched $(rust_files) pyproject.toml
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(MATURIN) develop $(MODULE) --release
	@rm -f $(VENV)/.built && touch $@

target/wheel/dev/.built: $(VENV)/.locked target/.fetched $(rust_files) $(python_files)
	@rm -rf $(@D)
	$(MATURIN) build $(MODULE) --profile dev --interpreter $(BIN)/python --out $(@D)
	@touch $@

target/wheel/release/.built: $(VENV)/.locked target/.fetched $(rust_files) $(python_files)
	@rm -rf $(@D)
	$(MATURIN) build $(MODULE) --release --interpreter $(BIN)/python --out $(@D)
	@touch $@

$(OLDEST)/.built $(LIBRARIES)/.built $(RLLIB)/.built: %/.built: %/.locked target/wheel/dev/.built
	$(call install_wheel,dev)
	@rm -f $*/.released && touch $@

$(LIBRARIES)/.released $(RLLIB)/.released: %/.released: %/.locked target/wheel/release/.built
	$(call install_wheel,release)
	@rm -f $*/.built && touch $@

define install_wheel
$(UV)/bin/uv pip install --quiet --python $*/bin/python --offline --no-deps --reinstall-package sixplane target/wheel/$(1)/*.whl
endef

.PHONY: help setup build release run test test-one lint lint-python lint-rust types test-rust test-slow test-portable test-python test-oldest test-programs test-bytes test-lines test-all test-web test-learning test-crates test-libraries test-examples test-rllib test-nightly test-stress docs docs-links bench instructions audit wheel bench-peers learn-table strength ladder fuzz format lock pictures clean
