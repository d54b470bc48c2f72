"""Who may talk to the server: the token, the host and the origin of a request, and the headers of answers.

A page of another site can send requests to this machine. But it does not know the token, its requests carry
its own origin, and a name of its own that it points at this machine is not among the hosts.
"""

from __future__ import annotations

import asyncio
import secrets
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: The page loads its own files only and has nothing inline, and no other page may frame it.
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self' {socket}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

HEADERS: Final = (
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
    ("cache-control", "no-cache"),
)

USUAL_PORT: Final = 80

WRONG_HOST: Final = (421, "this server answers to its own address only")
WRONG_TOKEN: Final = (403, "the address that sixplane printed has a token: open that one")
WRONG_ORIGIN: Final = (403, "a page of another site may not talk to this server")


class Guard:
    """Passes requests of our own page, whose paths begin with the token, and refuses all others."""

    def __init__(self, app: ASGIApp, token: str, host: str, port: int) -> None:
        self._app, self._token = app, token
        self._names = {"localhost", "127.0.0.1", "[::1]", host_text(host).lower()}
        address = _address(host)
        self._port = port
        self._is_loopback = host == "localhost" if address is None else address.is_loopback

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one request or WebSocket."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        # A request whose body is no HTTP is answered already; after this step its connection is closed.
        await asyncio.sleep(0)
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal is None:
            await self._app(scope, receive, _with_headers(send, headers["host"]))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted: 403
        else:
            status, words = refusal
            refused = PlainTextResponse(f"{words}\n", status, headers={"connection": "close"})
            await refused(scope, receive, _with_headers(send, ""))

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """Returns the status and the text that answer a refused request; None if the request may pass."""
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or not self._is_ours(hosts[0]):
            return WRONG_HOST
        must_say = scope["type"] == "websocket" or scope["method"] not in {"GET", "HEAD"}
        if origins != [f"http://{hosts[0]}"] and (origins or must_say):
            return WRONG_ORIGIN
        # A path need not begin with a slash: OPTIONS may ask for `*`.
        found = "".join(scope["path"].split("/")[1:2]).encode("utf-8", "replace")
        if not secrets.compare_digest(found, self._token.encode()):
            return WRONG_TOKEN
        return None

    def _is_ours(self, host: str) -> bool:
        name, _, port = host.lower().rpartition(":")
        if port != str(self._port):
            # Browsers leave out the usual port.
            if self._port != USUAL_PORT:
                return False
            name = host.lower()
        if name in self._names:
            return True
        # Only a name can be made to mean another machine.
        return not self._is_loopback and _address(name) is not None


def host_text(host: str) -> str:
    """Returns a host as an address has it: `::1` becomes `[::1]`."""
    return f"[{host}]" if ":" in host else host


def _address(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None


def _with_headers(send: Send, host: str) -> Send:
    """Adds the security headers to every answer; the page may open WebSockets at this host."""
    policy = POLICY.format(socket=f"ws://{host}" if host else "")

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message.setdefault("headers", [])
            headers = MutableHeaders(scope=message)
            for name, value in (("content-security-policy", policy), *HEADERS):
                headers.setdefault(name, value)
        await send(message)

    return send_with_headers
