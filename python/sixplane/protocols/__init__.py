"""A game and an agent behind a text protocol: GTP for Go and Reversi, piskvork's for Gomoku."""

__all__: list[str] = []
