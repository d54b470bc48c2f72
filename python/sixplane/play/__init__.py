"""Playing with people in the terminal, under the referee of `sixplane.match`."""

__all__: list[str] = []
