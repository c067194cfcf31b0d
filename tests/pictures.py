"""Makes the README's pictures from a running demo: ``python -m tests.pictures docs`` (needs Chromium).

``page.png`` is the board page just after a player was found out, ``camera.jpg`` what the camera saw at the end.
"""

from __future__ import annotations

import asyncio
import re
import signal
import sys
from pathlib import Path

from tests.controller.browser import browser

DEMO = "demo --game gurka --players 4 --cheat 0.3 --seed 4 --language en --port 0"


async def take(folder: Path) -> None:
    """Play Gurka with cheats till one is found out, look at the page, stop."""
    gjok = str(Path(sys.executable).with_name("gjok"))
    picture = str(folder / "camera.jpg")
    demo = await asyncio.create_subprocess_exec(
        gjok, *DEMO.split(), "--picture", picture, stdout=asyncio.subprocess.PIPE
    )
    try:
        await _look(demo, folder)
    finally:
        demo.send_signal(signal.SIGINT)
        await demo.communicate()


async def _look(demo: asyncio.subprocess.Process, folder: Path) -> None:
    assert demo.stdout is not None
    page_at = ""
    async for line in demo.stdout:
        print(line.decode().rstrip())
        if found := re.search(r"http://\S+", line.decode()):
            page_at = found[0]
        if "could have" in line.decode() or "lower" in line.decode():
            break
    async with browser() as page:
        await page.open(f"{page_at}?lang=en", 1024, 600)
        await page.until("document.body.dataset.seq > 0")
        await page.picture(folder / "page.png")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "docs")
    target.mkdir(exist_ok=True)
    asyncio.run(take(target))
