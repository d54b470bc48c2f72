"""Playing with people: a table in the terminal or in a window; the referee of matches runs underneath."""

__all__: list[str] = []
