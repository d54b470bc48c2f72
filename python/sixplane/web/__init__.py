"""The pages of `sixplane play --web` and `sixplane watch`, on a server of this machine.

| module | holds |
|---|---|
| `messages` | what a page may ask for, read with limits, and how it is done |
| `display`, `requested` | how a page shows the board; the game that it asks for |
| `session` | what several pages see: one game after another, its positions, and what agents say of them |
| `live_game`, `ending` | the game that is played, with its players and clock; how it ends |
| `tree`, `snapshot` | the positions of a game with all variations; one of them as a page sees it |
| `background_agent` | an agent that thinks in a thread, with progress |
| `opponents` | the opponents that a new game may have |
| `insight`, `analysis` | what an agent says of a position; what pages ask agents |
| `records`, `record_tree` | records that are opened; their variations and comments |
| `counting` | dead stones at the end of a game of Go |
| `links` | texts that reproduce a position |
| `view` | the session as a page gets it: pictures, marks, moves |
| `guard` | tokens, hosts, origins and headers |
| `site` | where a page is served: a socket, a token, and the libraries for it (`sixplane[web]`) |
| `page`, `tab` | what one page looks at; the same at the other end of a WebSocket |
| `server` | the page of a game that several browser tabs see: HTTP and WebSocket |
| `watch_server` | the page that shows a folder, as `sixplane.runs` reads it |
| `static` | the page: plain modules of JavaScript and style sheets |
"""

__all__: list[str] = []
