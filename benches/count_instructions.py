"""Counts the instructions of the workloads in `instructions.rs`, and compares them with `instructions.txt`.

`make instructions` calls it. Callgrind counts what a program executes, so that another load of the machine
changes nothing: a count that rises by more than 3 % is a change of the code, and a failure. Whoever means it
writes the new counts and the reason into the file: `make instructions REASON='Undo keeps the old plane'`.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

KEPT = Path(__file__).with_name("instructions.txt")
#: Percent.
LIMIT = 3
SECONDS = 600
HEADER = """\
# Instructions of twelve workloads of the core (benches/instructions.rs), counted by callgrind.
# `make instructions` fails if one of them rises by more than 3 %. Whoever means it writes new counts and the
# reason by `make instructions REASON='...'`, in the same commit. Another compiler has other counts.
"""


def compiler() -> str:
    """The version of the Rust compiler."""
    text = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True)  # noqa: S607
    return text.stdout.split()[1]


def count(program: Path, workload: str) -> int:
    """The instructions of one workload.

    Raises:
        RuntimeError: the workload failed, or nothing was counted.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out"]
        # Only what happens in this function counts.
        command += ["--collect-atstart=no", "--toggle-collect=instructions::measured", str(program), workload]
        # The instructions of a copy of memory shall not depend on the processor.
        environment = {
            "PATH": os.environ["PATH"],
            "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX512F,-ERMS,-FSRM",
        }
        done = subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, timeout=SECONDS, env=environment, check=False
        )
    found = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
    if done.returncode or not found or not int(found[1]):
        raise RuntimeError(f"{workload}: nothing was counted:\n{done.stderr}")
    return int(found[1])


def read(text: str) -> tuple[str, dict[str, tuple[int, str]]]:
    """The compiler, and the count and reason of each workload."""
    lines = [line.split(maxsplit=2) for line in text.splitlines() if line and not line.startswith("#")]
    ((_, version),) = [line for line in lines if line[0] == "rustc"]
    return version, {name: (int(n), reason) for name, n, reason in (x for x in lines if x[0] != "rustc")}


def written(version: str, counts: dict[str, tuple[int, str]]) -> str:
    """The text that `read` reads."""
    rows = "".join(f"{name:24} {n:>12} {reason}\n" for name, (n, reason) in counts.items())
    return f"{HEADER}rustc {version}\n{rows}"


def table(kept: dict[str, tuple[int, str]], counts: dict[str, int]) -> tuple[str, list[str]]:
    """A row for each workload, and the names of those that rose by more than the limit or have no count."""
    rows, risen = [], []
    for name, n in counts.items():
        if name not in kept:
            rows.append(f"{name:24} {n:>12}      new")
            risen.append(name)
            continue
        change = n / kept[name][0] - 1
        rows.append(f"{name:24} {n:>12} {change:>+8.2%}")
        if 100 * n > (100 + LIMIT) * kept[name][0]:
            rows[-1] += f"  above the limit of {LIMIT:+} %"
            risen.append(name)
    return "\n".join(rows), risen


def main() -> int:
    """Counts, compares and writes. The status of the program: 0 if no count rose by more than the limit."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program", type=Path, help="the compiled benches/instructions.rs")
    parser.add_argument("--reason", default="", help="write new counts where they changed, for this reason")
    options = parser.parse_args()
    version, kept = read(KEPT.read_text()) if KEPT.exists() else (compiler(), {})
    listed = subprocess.run([options.program, "--list"], capture_output=True, text=True, check=True)  # noqa: S603
    names = listed.stdout.split()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = dict(zip(names, pool.map(lambda name: count(options.program, name), names), strict=True))
    rows, risen = table(kept, counts)
    print(rows)
    if options.reason:
        same = version == compiler()
        new = {
            name: kept[name]
            if same and name in kept and abs(n - kept[name][0]) * 1000 <= LIMIT * kept[name][0]
            else (n, options.reason)
            for name, n in counts.items()
        }
        KEPT.write_text(written(compiler(), new))
        return 0
    if version != compiler():
        print(f"not compared: the kept counts are of rustc {version}, this is {compiler()}", file=sys.stderr)
        return 0
    if risen:
        print(
            f"\n{', '.join(risen)}: more instructions than {KEPT.name} allows. If the change is worth it,"
            " write the new counts and say why:\n    make instructions REASON='...'",
            file=sys.stderr,
        )
    return 1 if risen else 0


if __name__ == "__main__":
    sys.exit(main())
