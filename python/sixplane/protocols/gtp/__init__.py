"""The Go Text Protocol, version 2, with a game of Go or Reversi and an agent behind the commands.

| module | what is there |
|---|---|
| `engine` | `GTPEngine`: the loop, and the commands that play, set up, load and count |
| `analysis` | the commands that report while a search runs: `lz-analyze`, `kata-analyze`, `genmove_analyze` |
| `request` | what the words behind those ask for: intervals, moves to avoid or allow, numbers to show |
| `rules` | KataGo's names of rules, and where handicap stones stand |
| `clock` | the time settings as seconds for one move |
| `session` | the game of a connection, in which either color may play at any time |
| `arguments` | the words behind a command, and the answer to wrong ones |
"""

from sixplane.protocols.gtp.engine import GTPEngine

__all__ = ["GTPEngine"]
