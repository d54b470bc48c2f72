"""The page of `sixplane play --web`: one game that several browser tabs see, on a server of this machine.

| module | holds |
|---|---|
| `messages` | what a page may ask for, read with limits |
| `session` | one game with its players, clocks, hints and result; no rules of its own |
| `thinker` | an agent that thinks in a thread, with progress |
| `opponents` | the opponents that a new game may have |
| `view` | the session as a page gets it: pictures, marks, moves |
| `guard` | tokens, hosts, origins and headers |
| `server` | HTTP and WebSocket (`sixplane[web]`) |
| `static` | the page: plain modules of JavaScript and style sheets |
"""

__all__: list[str] = []
