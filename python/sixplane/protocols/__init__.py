"""Text protocols with a game and an agent behind them: GTP for Go and Reversi, piskvork's for Gomoku."""

__all__: list[str] = []
