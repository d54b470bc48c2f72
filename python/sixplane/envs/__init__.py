"""Gymnasium environments: `sixplane/Go-v0` and `sixplane/GymGo-v0`.

Nothing here imports Gymnasium before an environment is made.
"""
