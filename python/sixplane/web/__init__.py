"""The pages of `sixplane play --web` and `sixplane watch`, on a server of this machine.

| module | holds |
|---|---|
| `messages` | the messages of a page, which are read with limits, and what each does |
| `requested` | what a page asks for: a game, and how it shows the board |
| `session` | what pages share: one game after another, its positions, what agents say; a snapshot |
| `live_game` | the game that is played, with its players and clock, and how it ends |
| `tree` | the positions of a game with all variations |
| `background_agent` | an agent that thinks in a thread, with progress |
| `opponents` | the opponents that a new game may have |
| `insight`, `analysis`, `hints` | what an agent says of a position; the questions of pages; the hints |
| `records`, `record_tree`, `record_marks` | records that are opened; their variations; their marks |
| `counting` | how players agree on dead stones at the end of a game of Go |
| `links`, `refusal` | texts that reproduce a position; why something is refused |
| `view` | the state of a session as a page gets it: pictures, marks, moves |
| `guard` | who may talk to the server: tokens, hosts, origins and headers |
| `site` | where a page is served: a socket, a token, and the libraries for it (`sixplane[web]`) |
| `calls` | what takes long, such as the start of a program that plays |
| `page`, `tab` | what one page looks at; the same at the other end of a WebSocket |
| `server` | the page of a game that several browser tabs see: HTTP and WebSocket |
| `watch_server` | the page that shows a folder, as `sixplane.runs` reads it |
| `static` | the page: plain modules of JavaScript and style sheets |
"""

__all__: list[str] = []
