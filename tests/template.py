"""Runs programs in forks of one process, which imports once what takes long: PyTorch and its libraries.

A fork has not imported sixplane, and has a folder and an output of its own.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path
from select import select
from tempfile import TemporaryDirectory
from typing import Any

#: What is imported once, by the library that a program needs.
_TORCH = ("torch", "torch._dynamo")  # the second is what the first optimizer imports
IMPORTS: dict[str, tuple[str, ...]] = {
    "jax": ("jax",),
    "sb3": (*_TORCH, "sb3_contrib"),
    "tianshou": (*_TORCH, "tianshou.algorithm", "tianshou.env"),
    "torch": _TORCH,
    "torchrl": (*_TORCH, "torchrl.collectors", "torchrl.envs", "torchrl.modules", "torchrl.objectives"),
    "train": _TORCH,
}

#: Reads a line for each program, and says how that ended. What is after the loop is done by the forks alone.
#: They end without freeing all that was imported, which takes its time.
SERVER = """
import atexit, gc, importlib, json, os, sys, threading, traceback, types

for line in sys.stdin:
    asked = json.loads(line)
    for name in asked["imports"]:
        importlib.import_module(name)
    assert "sixplane" not in sys.modules, "a program would miss nothing that it forgets to import"
    gc.freeze()
    child = os.fork()
    if child == 0:
        break
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
else:
    os._exit(0)

for number, name in enumerate((os.devnull, asked["out"], asked["err"])):
    os.dup2(os.open(name, os.O_RDWR), number)
os.chdir(asked["folder"])
sys.argv = ["-c", *asked["arguments"]]
main = sys.modules["__main__"] = types.ModuleType("__main__")
status = 0
try:
    exec(compile(asked["code"], "<string>", "exec"), main.__dict__)
except BaseException:
    traceback.print_exc()
    status = 1
threading._shutdown()
atexit._run_exitfuncs()
sys.stdout.flush()
sys.stderr.flush()
os._exit(status)
"""


class Template:
    """The process that is forked."""

    def __init__(self) -> None:
        # Threads of PyTorch that wait for one another take minutes beside other programs. What tianshou has
        # numba compile, and JAX XLA, takes longer to compile than it runs.
        quick = {"NUMBA_DISABLE_JIT": "1", "XLA_FLAGS": "--xla_backend_optimization_level=0"}
        env = os.environ | quick | {"OMP_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVER],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, start_new_session=True,
        )  # fmt: skip

    def run(self, code: str, *arguments: str, folder: Path, library: str, seconds: float) -> str:
        """What a program prints, which must end well.

        Args:
            code: the program.
            arguments: its arguments.
            folder: where it runs.
            library: of `IMPORTS`, what is imported before, from then on for all programs.
            seconds: after which the template and the program are ended.
        """
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None and stdout is not None
        with TemporaryDirectory() as temporary:
            out, err = Path(temporary, "out"), Path(temporary, "err")
            for file in (out, err):
                file.touch()
            asked: dict[str, Any] = {"code": code, "arguments": arguments, "folder": str(folder)}
            asked |= {"imports": IMPORTS[library], "out": str(out), "err": str(err)}
            stdin.write(json.dumps(asked).encode() + b"\n")
            stdin.flush()
            if not select([stdout], [], [], seconds)[0]:
                os.killpg(self.process.pid, signal.SIGKILL)
            answer = stdout.readline()
            assert answer == b"0\n", f"{answer!r}\n{out.read_text()}\n{err.read_text()}"
            return out.read_text()

    def close(self) -> None:
        """Ends the process."""
        self.process.communicate()


@cache
def template() -> Template:
    """That of this process, started when it is first asked for."""
    made = Template()
    atexit.register(made.close)
    return made
