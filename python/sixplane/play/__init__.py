"""Games with persons in the terminal, which the referee of `sixplane.match` plays."""

__all__: list[str] = []
