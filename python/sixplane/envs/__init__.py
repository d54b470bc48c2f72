"""Gymnasium environments of all games: `sixplane/Go-v0` and its likes, and `sixplane/GymGo-v0`.

Nothing here imports Gymnasium before an environment is made.
"""
