"""Tests that need packages which `make test` goes without are collected only where those are installed."""

from __future__ import annotations

from importlib.util import find_spec

#: Modules with doctests, and test files -> the packages that they import.
NEEDS = {
    "python/sixplane/cluster.py": ("ray",),
    "python/sixplane/learn/torch_learner.py": ("torch",),
    "python/sixplane/learn/trainer.py": ("torch",),
    "python/sixplane/nets/onnx_graph.py": ("onnx",),
    "python/sixplane/nets/onnxruntime_backend.py": ("onnx", "onnxruntime"),
    "python/sixplane/nets/openvino_backend.py": ("openvino",),
    "python/sixplane/nets/torch_backend.py": ("torch",),
    "python/sixplane/pettingzoo.py": ("pettingzoo",),
    "python/sixplane/openspiel.py": ("pyspiel",),
    "tests/libraries/test_openspiel.py": ("pyspiel",),
    "tests/libraries/test_ray.py": ("ray",),
    "tests/libraries/test_cluster_files.py": ("ray",),
    "python/sixplane/rllib.py": ("ray", "torch"),
    "tests/libraries/test_rllib.py": ("ray", "torch"),
    "python/sixplane/web/connection.py": ("uvicorn",),
    "python/sixplane/web/server.py": ("starlette", "uvicorn", "websockets"),
    "python/sixplane/web/site.py": ("starlette", "uvicorn", "websockets"),
    "python/sixplane/web/watch_server.py": ("starlette", "uvicorn", "websockets"),
    "python/sixplane/widget": ("anywidget",),
    "python/sixplane/torchrl.py": ("torchrl",),
    "tests/libraries/test_tianshou.py": ("tianshou",),
    "tests/libraries/test_tensors.py": ("torch",),
    "tests/libraries/test_examples.py": ("jax", "sb3_contrib", "torch"),
    "tests/libraries/test_torchrl.py": ("torchrl",),
    "python/sixplane/sb3": ("stable_baselines3", "torch"),
    "tests/libraries/test_sb3.py": ("sb3_contrib", "torch"),
    "tests/libraries/test_pages.py": ("torch",),
    "tests/libraries/test_pettingzoo.py": ("pettingzoo",),
    "tests/learning": ("onnx", "onnxruntime", "openvino", "torch"),
}

collect_ignore = [
    path for path, packages in NEEDS.items() if any(find_spec(package) is None for package in packages)
]
