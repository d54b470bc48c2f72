"""Playing with people, in the terminal or in a window, under the referee of `sixplane.match`."""

__all__: list[str] = []
