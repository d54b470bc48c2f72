"""Names of the environments: what `gymnasium.make` finds after `import sixplane`."""

from __future__ import annotations

__all__ = ["ENTRY_POINTS", "VECTOR_ENTRY_POINTS", "register_environments"]

#: Gymnasium id -> where its class is.
ENTRY_POINTS = {
    "sixplane/Go-v0": "sixplane.envs.single:GoEnv",
    "sixplane/Gomoku-v0": "sixplane.envs.single:GomokuEnv",
    "sixplane/GymGo-v0": "sixplane.gymgo:GoEnv",
    "sixplane/Reversi-v0": "sixplane.envs.single:ReversiEnv",
}

#: Gymnasium id -> where the class of many games is.
VECTOR_ENTRY_POINTS = {
    "sixplane/Go-v0": "sixplane.envs.vector:GoVectorEnv",
    "sixplane/Gomoku-v0": "sixplane.envs.vector:GomokuVectorEnv",
    "sixplane/Reversi-v0": "sixplane.envs.vector:ReversiVectorEnv",
}


def register_environments() -> None:
    """Registers every environment, if Gymnasium 1.1 or newer is installed and works."""
    try:
        import gymnasium.vector
    except Exception:  # a broken Gymnasium may raise anything, and the games need none
        return
    if not hasattr(gymnasium.vector, "AutoresetMode"):  # new in 1.1
        return
    for name, entry_point in ENTRY_POINTS.items():
        if name not in gymnasium.registry:
            many = VECTOR_ENTRY_POINTS.get(name)
            gymnasium.register(id=name, entry_point=entry_point, vector_entry_point=many)
