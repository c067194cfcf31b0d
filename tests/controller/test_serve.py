"""The page's server: the view as a stream, five languages, and nothing that takes anything in."""

import asyncio
import json
import re
import socket
import time
from collections.abc import Awaitable, Callable
from importlib.resources import files
from typing import Any

import aiohttp
import pytest

from controller import serve as serving
from controller.feed import Feed
from controller.phrases import LANGUAGES, ui
from controller.ports import PortBusy
from controller.serve import STATIC, open_page, page_url, serve
from controller.view_json import thing_json, view_json
from engine.pieces import GNAV
from tests.controller.views import a_gnav_view, a_gurka_view

pytestmark = pytest.mark.timeout(20)

Scenario = Callable[[aiohttp.ClientSession, str, Feed], Awaitable[None]]


def run(scenario: Scenario) -> None:
    async def on_stage() -> None:
        feed = Feed(a_gnav_view())
        listening = open_page(port=0)
        server = asyncio.create_task(serve(feed, listening))
        try:
            async with asyncio.timeout(15), aiohttp.ClientSession() as client:
                await scenario(client, page_url(listening), feed)
        finally:
            server.cancel()
            await asyncio.wait((server,))

    asyncio.run(on_stage())


async def next_view(stream: aiohttp.ClientResponse) -> dict[str, Any]:
    async for line in stream.content:
        if line.startswith(b"data: "):
            view: dict[str, Any] = json.loads(line.removeprefix(b"data: "))
            return view
    raise AssertionError("the stream ended")


def test_a_page_gets_the_view_of_now_at_once_and_every_change_after() -> None:
    async def scenario(client: aiohttp.ClientSession, url: str, feed: Feed) -> None:
        async with client.get(f"{url}events") as stream:
            assert stream.content_type == "text/event-stream"
            first = await next_view(stream)
            assert (first["seq"], first["seats"][0]["chips"]) == (7, 5)
            feed.put(a_gnav_view(seq=8, chips=4))
            after = await next_view(stream)
            assert (after["seq"], after["seats"][0]["chips"]) == (8, 4)

    run(scenario)


def test_a_page_that_comes_back_gets_the_newest_view_only() -> None:
    async def scenario(client: aiohttp.ClientSession, url: str, feed: Feed) -> None:
        async with client.get(f"{url}events") as stream:
            await next_view(stream)
        for seq in range(8, 30):
            feed.put(a_gnav_view(seq=seq))
        async with client.get(f"{url}events", headers={"Last-Event-ID": "7"}) as stream:
            assert (await next_view(stream))["seq"] == 29

    run(scenario)


def test_many_pages_in_their_own_languages() -> None:
    async def scenario(client: aiohttp.ClientSession, url: str, feed: Feed) -> None:
        for language in LANGUAGES:
            async with client.get(f"{url}events?lang={language}") as stream:
                assert await next_view(stream) == json.loads(json.dumps(view_json(feed.view, language)))
            async with client.get(url, headers={"Accept-Language": f"de, {language};q=0.7"}) as page:
                assert page.headers["Content-Language"] == language
                text = await page.text()
                assert f'<html lang="{language}">' in text
                assert ui(language)["rulings"] in text
                assert "{{" not in text

    run(scenario)


def test_every_answer_has_the_policy_and_nothing_can_be_sent_in() -> None:
    async def scenario(client: aiohttp.ClientSession, url: str, feed: Feed) -> None:
        for path in ("", "events", "board.js", "board.css", "nothing.here", "../../pyproject.toml", "%2e%2e/app.py"):
            async with client.get(url + path) as answer:
                assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'"), path
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                assert answer.headers["Server"] == "gjok", "what we are made of is nobody's business"
                assert answer.status == (404 if "." in path.removeprefix("board.") and "board" not in path else 200), (
                    path
                )
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            async with client.request(method, url + "events", data=b"x") as answer:
                assert answer.status == 405, method

    run(scenario)


def test_the_page_holds_to_its_policy() -> None:
    """No inline script or style, nothing from elsewhere: ``default-src 'self'`` would stop it."""
    page = files("controller").joinpath("web", "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=|https?://", page)
    assert set(re.findall(r'(?:src|href)="/([\w.]+)"', page)) <= set(STATIC)
    for name in STATIC:
        text = files("controller").joinpath("web", name).read_text(encoding="utf-8")
        assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", text) == [], name


def test_every_named_piece_has_a_drawing() -> None:
    things = files("controller").joinpath("web", "things.js").read_text(encoding="utf-8")
    named = [piece.name for piece in GNAV.low_to_high if not re.fullmatch("[IVX]+|0", piece.name)]
    assert [name for name in named if f'"{name}": "M' not in things] == []


def test_another_name_for_this_machine_is_refused() -> None:
    """A website whose name is made to point at 127.0.0.1 must not read the table."""

    async def scenario(client: aiohttp.ClientSession, url: str, feed: Feed) -> None:
        for host, status in (("evil.example", 421), ("evil.example:80", 421), ("localhost:1", 200), ("127.0.0.1", 200)):
            async with client.get(url, headers={"Host": host}) as answer:
                assert answer.status == status, host

    run(scenario)


def test_a_busy_port_is_one_clear_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(PortBusy, match=rf"^the board page: port {port} is taken by another program; stop it, or"):
            open_page(port=port)


def test_it_ends_at_once_with_pages_open_and_the_port_is_free_again() -> None:
    async def scenario() -> float:
        listening = open_page(port=0)
        port = listening.getsockname()[1]
        server = asyncio.create_task(serve(Feed(a_gnav_view()), listening))
        async with aiohttp.ClientSession() as client:
            streams = [await client.get(f"http://127.0.0.1:{port}/events") for _ in range(3)]
            for stream in streams:
                await next_view(stream)
            began = time.monotonic()
            server.cancel()
            await asyncio.wait((server,))
            took = time.monotonic() - began
            for stream in streams:
                stream.close()
        open_page(port=port).close()
        return took

    assert asyncio.run(scenario()) < 1.0


def test_a_page_that_went_away_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "HEARTBEAT_S", 0.05)
    monkeypatch.setattr(serving, "MOST_PAGES", 1)

    async def scenario(client: aiohttp.ClientSession, url: str, feed: Feed) -> None:
        stream = await client.get(f"{url}events")
        await next_view(stream)
        async with client.get(f"{url}events") as second:
            assert second.status == 503
        stream.close()  # no farewell, and nothing new to send: only the heartbeat notices
        while True:
            async with client.get(f"{url}events") as third:
                if third.status == 200:
                    break

    run(scenario)


def test_the_pages_json() -> None:
    shown = view_json(a_gnav_view(), "nb")
    assert shown["headline"] == "Ola: stå eller bytte?"
    assert (shown["game"], shown["phase"], shown["unit"], shown["pot"]) == ("Gnav", "Bytterunde", "sjetonger", 3)
    assert [seat["name"] for seat in shown["seats"]] == ["Kari", "Plass 2", "Ola", "Åse", "Per", "Siri"]
    assert [seat["tags"] for seat in shown["seats"]] == [[], [], ["tur"], [], ["giver", "står over"], ["ute"]]
    assert shown["seats"][1]["marks"] == ["Ropte dragonen"]
    assert shown["seats"][3]["laid"] == [{"kind": "piece", "code": "XII", "text": "XII"}]
    assert [(one["event"], one["kind"], one["clause"]) for one in shown["rulings"]] == [
        (7, "fault", "G18"),
        (5, "cost", "G14"),
    ]
    assert shown["question"] is None


def test_the_pages_json_with_a_question_and_a_dead_board() -> None:
    shown = view_json(a_gurka_view(), "en")
    assert shown["headline"] == "What lies before Åse?"
    assert [(one["thing"]["code"], one["chosen"]) for one in shown["question"]["choices"]] == [
        ("8h", False),
        ("3h", True),
    ]
    assert shown["pot"] is None, "Gurka without a stake has no pot"
    assert [seat["in_trick"] for seat in shown["seats"]] == [None, "9c", "Td", None]
    assert [(one["text"], one["works"]) for one in shown["devices"]] == [
        ("The camera", True),
        ("Not working: The display board", False),
    ]
    assert thing_json("Td", "en") == {
        "kind": "card",
        "code": "Td",
        "rank": "10",
        "suit": "d",
        "text": "ten of diamonds",
    }
