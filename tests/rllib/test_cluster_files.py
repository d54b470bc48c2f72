"""The files of `docs/cluster` for Ray's launcher, Kubernetes and Slurm: what they say is valid."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from ray.autoscaler._private.util import prepare_config
from ray.scripts.scripts import cli as ray_command

from sixplane.cli.program import parsers

FOLDER = Path(__file__).parents[2] / "docs" / "cluster"
FILES = sorted(path.name for path in FOLDER.iterdir())


def text_of(name: str) -> str:
    """A file, with lines that go on joined."""
    return (FOLDER / name).read_text().replace("\\\n", " ")


def test_every_file_is_on_the_page() -> None:
    page = (FOLDER.parent / "cluster.md").read_text()
    assert FILES == ["kuberay.yaml", "ray-up.yaml", "slurm.sbatch"]
    assert all(f"](cluster/{name})" in page for name in FILES)


@pytest.mark.parametrize("name", FILES)
def test_the_commands_of_sixplane_are_valid(name: str) -> None:
    commands = re.findall(r"sixplane (train|selfplay|match) ([^'\n#]*)", text_of(name))
    assert commands
    for command, words in commands:
        parser, _ = parsers()
        arguments = parser.parse_args([command, *shlex.split(words)])
        assert arguments.ray


@pytest.mark.parametrize("name", FILES)
def test_the_options_of_ray_are_valid(name: str) -> None:
    starts = re.findall(r"ray start ([^;\n']*)", text_of(name))
    known = {option for parameter in ray_command.commands["start"].params for option in parameter.opts}
    used = {word.split("=")[0] for words in starts for word in words.split() if word.startswith("--")}
    if name == "kuberay.yaml":
        job = kubernetes()["RayJob"]["spec"]["rayClusterSpec"]
        groups = [job["headGroupSpec"], *job["workerGroupSpecs"]]
        used = {f"--{option}" for group in groups for option in group["rayStartParams"]}
    assert used and used <= known, used - known


def kubernetes() -> dict[str, Any]:
    """The objects of the file, by their kinds."""
    return {entry["kind"]: entry for entry in yaml.safe_load_all(text_of("kuberay.yaml"))}


def test_ray_takes_the_file_for_its_launcher() -> None:
    config = prepare_config(yaml.safe_load(text_of("ray-up.yaml")))
    assert config["provider"]["type"] == "local"
    assert config["max_workers"] == len(config["provider"]["worker_ips"]) == 3


def test_the_run_on_kubernetes_outlives_its_pods() -> None:
    found = kubernetes()
    spec = found["RayJob"]["spec"]
    head = spec["rayClusterSpec"]["headGroupSpec"]["template"]["spec"]
    claim = head["volumes"][0]["persistentVolumeClaim"]["claimName"]
    assert claim == found["PersistentVolumeClaim"]["metadata"]["name"]
    mounted = head["containers"][0]["volumeMounts"][0]["mountPath"]
    assert re.search(r"--out (\S+)", spec["entrypoint"])[1].startswith(mounted + "/")  # type: ignore[index]


def test_the_group_with_gpus_is_one_when_its_comment_is_taken_away() -> None:
    plain = kubernetes()["RayJob"]["spec"]["rayClusterSpec"]["workerGroupSpecs"]
    commented = re.search(r"(?m)^ {6}# - groupName(.*\n {6}#.*)+", text_of("kuberay.yaml"))
    assert commented
    [group] = yaml.safe_load(commented[0].replace("      # ", "      "))
    assert group.keys() == plain[0].keys() and group["groupName"] != plain[0]["groupName"]
    [container] = group["template"]["spec"]["containers"]
    assert container["resources"]["limits"]["nvidia.com/gpu"] == "1"


def test_every_task_of_slurm_gets_the_processors_that_the_job_asks_for() -> None:
    export, *tasks = re.findall(r"(?m)^export SRUN_CPUS_PER_TASK=\S+|^ *srun\b", text_of("slurm.sbatch"))
    assert export == "export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK"
    assert [task.strip() for task in tasks] == ["srun"] * 3


def test_the_file_for_slurm_is_valid_for_the_shell() -> None:
    subprocess.run(["bash", "-n", str(FOLDER / "slurm.sbatch")], check=True)
