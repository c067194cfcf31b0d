"""Serves the board page: static files, and the public view as server-sent events. Read-only by construction.

There is no route that takes anything in. Each page has its own place in the feed, where the newest view wins, so a
slow telephone sees fewer views and holds up nobody.
"""

from __future__ import annotations

import asyncio
import html
import json
import re
import socket
from collections.abc import Awaitable, Callable
from importlib.resources import files

from aiohttp import web
from aiohttp.typedefs import Middleware

from controller.feed import Feed
from controller.phrases import LANGUAGES, phrases, pick_language, ui
from controller.ports import listen
from controller.view import PublicView
from controller.view_json import view_json

MOST_PAGES = 100
HEARTBEAT_S = 15.0
"""A page that went away without a word is noticed after this long."""
RETRY_MS = 1000
"""How soon a page that lost us tries again."""

STATIC = {
    "board.js": "text/javascript",
    "things.js": "text/javascript",
    "board.css": "text/css",
    "icon.svg": "image/svg+xml",
}

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
    "Server": "gjok",
}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def open_page(host: str = "127.0.0.1", port: int = 8080) -> socket.socket:
    """The socket that the page is served from (port 0: any free one); PortBusy when it is taken."""
    return listen("the board page", host, port, "stop it, or give the page another port (0: any free one)")


def page_url(listening: socket.socket) -> str:
    """What to type into a browser."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


async def serve(feed: Feed, listening: socket.socket, *, language: str = "nb") -> None:
    """Serve the page until cancelled; *language* is for browsers that ask for none of ours."""
    pages = _Pages(feed, language)
    app = web.Application(middlewares=[_headers, _known_host(listening)])
    app.router.add_get("/", pages.index)
    app.router.add_get("/events", pages.events)
    for name in STATIC:
        app.router.add_get(f"/{name}", _static(name))
    app.on_shutdown.append(pages.close)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await web.SockSite(runner, listening).start()
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()


class _Pages:
    def __init__(self, feed: Feed, language: str) -> None:
        self._feed = feed
        self._language = language
        self._open: set[asyncio.Task[None]] = set()
        self._said: dict[str, tuple[PublicView, bytes]] = {}
        """The newest view as bytes, by language: many pages, one encoding."""

    async def index(self, request: web.Request) -> web.Response:
        language = self._language_of(request)
        page = _fill(_file("index.html"), language)
        return web.Response(text=page, content_type="text/html", headers={"Content-Language": language})

    async def events(self, request: web.Request) -> web.StreamResponse:
        if len(self._open) >= MOST_PAGES:
            raise web.HTTPServiceUnavailable(text="too many pages are open")
        response = web.StreamResponse(
            headers={**HEADERS, "Content-Type": "text/event-stream", "X-Accel-Buffering": "no"}
        )
        await response.prepare(request)
        stream = asyncio.create_task(self._stream(response, self._language_of(request)), name="serve: a page")
        self._open.add(stream)
        try:
            await asyncio.wait((stream,))
        finally:
            stream.cancel()
            self._open.discard(stream)
        return response

    async def close(self, _: web.Application) -> None:
        """End every open stream, so that stopping does not wait for them."""
        for stream in self._open:
            stream.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _stream(self, response: web.StreamResponse, language: str) -> None:
        """Send until the page has gone, or we close."""
        try:
            await response.write(b"retry: %d\n\n" % RETRY_MS)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._views(response, language), name="serve: views")
                tasks.create_task(_beat(response), name="serve: heartbeat")
        except* ConnectionError:
            pass

    async def _views(self, response: web.StreamResponse, language: str) -> None:
        async for update in self._feed.updates():
            await response.write(self._event(update.view, language))

    def _event(self, view: PublicView, language: str) -> bytes:
        known = self._said.get(language)
        if known is None or known[0] is not view:
            text = json.dumps(view_json(view, language), ensure_ascii=False, separators=(",", ":"))
            known = view, b"id: %d\ndata: %s\n\n" % (view.seq, text.encode())
            self._said[language] = known
        return known[1]

    def _language_of(self, request: web.Request) -> str:
        return pick_language(request.query.get("lang"), request.headers.get("Accept-Language", ""), self._language)


async def _beat(response: web.StreamResponse) -> None:
    while True:
        await asyncio.sleep(HEARTBEAT_S)
        await response.write(b":\n\n")


@web.middleware
async def _headers(request: web.Request, handler: Handler) -> web.StreamResponse:
    try:
        response = await handler(request)
    except web.HTTPException as answer:
        answer.headers.update(HEADERS)
        raise
    if not response.prepared:
        response.headers.update(HEADERS)
    return response


def _known_host(listening: socket.socket) -> Middleware:
    """A page on loopback answers to this machine's names only: a website must not read it through its own name."""
    loopback = listening.getsockname()[0] in ("127.0.0.1", "::1")

    @web.middleware
    async def known_host(request: web.Request, handler: Handler) -> web.StreamResponse:
        name = re.sub(r":\d+$", "", request.host)
        if loopback and name not in ("127.0.0.1", "localhost", "[::1]"):
            raise web.HTTPMisdirectedRequest(text="this page is for this machine only")
        return await handler(request)

    return known_host


def _file(name: str) -> str:
    return files("controller").joinpath("web", name).read_text(encoding="utf-8")


def _static(name: str) -> Handler:
    text = _file(name)

    async def static(_: web.Request) -> web.Response:
        return web.Response(text=text, content_type=STATIC[name], charset="utf-8")

    return static


def _fill(page: str, language: str) -> str:
    """Put the words of *language* where the page has ``{{word}}``."""
    known = {**ui(language), "lang": language, "languages": _language_links(language)}
    return re.sub(
        r"\{\{(\w+)\}\}",
        lambda found: known[found[1]] if found[1] == "languages" else html.escape(known[found[1]]),
        page,
    )


def _language_links(language: str) -> str:
    return " ".join(
        f'<a href="?lang={one}" lang="{one}" hreflang="{one}"{" aria-current=true" if one == language else ""}>'
        f"{html.escape(phrases(one)['name'])}</a>"
        for one in LANGUAGES
    )
