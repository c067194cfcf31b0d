"""A headless Chromium on one page, spoken to over its DevTools protocol, to look at the page as a person does."""

from __future__ import annotations

import asyncio
import base64
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"),
    *("--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--remote-debugging-port=0", "about:blank"),
)
PATIENCE_S = 30.0


class Page:
    """One open page."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._asked = 0
        self.complaints: list[str] = []
        """What the browser put into its console: errors, and what the content security policy stopped."""

    async def ask(self, method: str, **parameters: Any) -> Any:
        self._asked += 1
        await self._socket.send_json({"id": self._asked, "method": method, "params": parameters})
        while True:
            said = await self._socket.receive_json()
            if said.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown"):
                self.complaints.append(str(said["params"]))
            if said.get("id") == self._asked:
                return said.get("result", said)

    async def value(self, expression: str) -> Any:
        """What *expression* (JavaScript) is on the page."""
        answer = await self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        return answer["result"].get("value")

    async def until(self, expression: str) -> None:
        """Wait till *expression* is true, as seen by the browser's own next frames."""
        look = f"const look = () => {expression} ? done(true) : setTimeout(look, 20); look()"
        waiting = f"new Promise(done => {{{look}}})"
        async with asyncio.timeout(PATIENCE_S):
            while not await self.value(waiting):
                pass  # the page it was asked on is gone: a navigation was under way

    async def open(self, url: str, width: int, height: int) -> None:
        await self.ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )
        await self.ask("Page.navigate", url=url)

    async def picture(self, path: Path) -> None:
        """A PNG of what is in sight."""
        shot = await self.ask("Page.captureScreenshot", format="png")
        await asyncio.to_thread(path.write_bytes, base64.b64decode(shot["data"]))


@asynccontextmanager
async def browser() -> AsyncIterator[Page]:
    """A browser with one blank page."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        running = await asyncio.create_subprocess_exec(
            str(CHROMIUM), f"--user-data-dir={profile}", *FLAGS, stderr=asyncio.subprocess.PIPE
        )
        try:
            async with asyncio.timeout(PATIENCE_S), aiohttp.ClientSession() as client:
                port = await _port(running)
                async with client.get(f"http://127.0.0.1:{port}/json/list") as answer:
                    pages = await answer.json()
                address = next(one["webSocketDebuggerUrl"] for one in pages if one["type"] == "page")
                async with client.ws_connect(address, max_msg_size=0) as socket:
                    page = Page(socket)
                    for domain in ("Page", "Runtime", "Log"):
                        await page.ask(f"{domain}.enable")
                    yield page
        finally:
            running.kill()
            await running.communicate()


async def _port(running: asyncio.subprocess.Process) -> int:
    assert running.stderr is not None
    async for line in running.stderr:
        if line.startswith(b"DevTools listening on ws://"):
            return int(line.split(b":")[2].split(b"/")[0])
    raise AssertionError("Chromium ended before it listened")
