"""The board page in a real browser: what a person would see. Needs Chromium; skipped, and says so, without."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from controller.feed import Feed
from controller.serve import open_page, page_url, serve
from controller.view import PublicView
from engine.seats import Seat
from tests.controller.browser import CHROMIUM, Page, browser
from tests.controller.views import a_gnav_view, a_gurka_view

pytestmark = [
    pytest.mark.timeout(90),
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt install chromium to see the page in a browser"),
]

BOARD, PHONE = (1024, 600), (390, 844)

OVERLAPS = """(() => {
  const boxes = [...document.querySelectorAll('.plate')].map((one) => one.getBoundingClientRect());
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 4
                      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => meet(a, b))).length;
})()"""
OUT_OF_SIGHT = """[...document.querySelectorAll('.plate, .laid svg, h1, #rulings li, #devices, nav a')]
.filter((one) => {
  const box = one.getBoundingClientRect();
  return box.left < 0 || box.right > innerWidth || box.top < 0
      || box.bottom > Math.max(innerHeight, document.documentElement.scrollHeight);
}).map((one) => one.textContent).join(' | ')"""


def run(scenario: Callable[[Page, Callable[..., Any]], Awaitable[None]]) -> None:
    async def on_stage() -> None:
        servers: list[asyncio.Task[None]] = []

        def serving(feed: Feed, port: int = 0) -> tuple[str, asyncio.Task[None]]:
            listening = open_page(port=port)
            servers.append(asyncio.create_task(serve(feed, listening)))
            return page_url(listening), servers[-1]

        try:
            async with browser() as page:
                await scenario(page, serving)
        finally:
            for server in servers:
                server.cancel()
            await asyncio.gather(*servers, return_exceptions=True)

    asyncio.run(on_stage())


def test_the_table_is_drawn_and_follows() -> None:
    async def scenario(page: Page, serving: Callable[..., Any]) -> None:
        feed = Feed(a_gnav_view())
        url, _ = serving(feed)
        await page.open(f"{url}?lang=nb", *BOARD)
        await page.until("document.body.dataset.seq === '7'")
        assert await page.value("document.querySelector('h1').textContent") == "Ola: stå eller bytte?"
        assert await page.value("document.querySelector('[aria-current=true] h3').textContent") == "Ola"
        assert "Plass 2 brøt en regel.§G18" in await page.value("document.querySelector('#rulings').textContent")
        assert await page.value("document.querySelector('.plate .chips b').textContent") == "5"
        feed.put(a_gnav_view(seq=8, chips=1234))
        await page.until("document.body.dataset.seq === '8'")
        assert await page.value("document.querySelector('.plate .chips b').textContent") == "1\xa0234"
        assert page.complaints == [], "nothing was stopped by the content security policy, and no error was thrown"

    run(scenario)


def test_a_question_and_a_dead_board_in_finnish() -> None:
    async def scenario(page: Page, serving: Callable[..., Any]) -> None:
        url, _ = serving(Feed(a_gurka_view()))
        await page.open(f"{url}?lang=fi", *BOARD)
        await page.until("document.body.dataset.link === 'up'")
        assert await page.value("document.querySelector('h1').textContent") == "Åse: mitä edessä on?"
        assert await page.value("document.querySelector('#choices .chosen').textContent.trim()") != ""
        assert "no board at /dev/ttyACM0; plug it in" in await page.value(
            "document.querySelector('#devices').innerText"
        )
        assert await page.value("document.querySelectorAll('.in-trick').length") == 1

    run(scenario)


def test_a_lost_server_is_said_and_its_return_is_noticed() -> None:
    async def scenario(page: Page, serving: Callable[..., Any]) -> None:
        feed = Feed(a_gnav_view())
        url, server = serving(feed)
        await page.open(f"{url}?lang=nb", *BOARD)
        await page.until("document.body.dataset.seq === '7'")
        server.cancel()
        await asyncio.wait((server,))
        await page.until("!document.querySelector('#lost').hidden")
        assert await page.value("document.querySelector('#lost').textContent") == "Frakoblet. Prøver igjen …"
        feed.put(a_gnav_view(seq=9))
        serving(feed, int(url.rsplit(":", 1)[1].rstrip("/")))
        await page.until("document.body.dataset.seq === '9' && document.querySelector('#lost').hidden")

    run(scenario)


def twenty() -> PublicView:
    """A table of twenty, the most there can be."""
    view = a_gnav_view()
    seats = tuple(
        replace(
            view.seats[0],
            public=replace(view.seats[0].public, seat=Seat(number), laid=("GJØK",)),
            name=f"Navn {number}",
            to_act=number == 3,
        )
        for number in range(1, 21)
    )
    return replace(view, seats=seats)


@pytest.mark.parametrize("size", [BOARD, PHONE], ids=["board", "phone"])
def test_everything_is_in_sight_and_nobody_sits_on_anothers_lap(size: tuple[int, int]) -> None:
    async def scenario(page: Page, serving: Callable[..., Any]) -> None:
        for view, most_overlaps in ((a_gnav_view(), 0), (a_gurka_view(), 0), (twenty(), 20)):
            url, _ = serving(Feed(view))
            await page.open(f"{url}?lang=fi", *size)
            await page.until("document.body.dataset.link === 'up'")
            assert await page.value(OUT_OF_SIGHT) == ""
            assert await page.value("document.documentElement.scrollWidth <= innerWidth")
            assert await page.value(OVERLAPS) <= most_overlaps

    run(scenario)
