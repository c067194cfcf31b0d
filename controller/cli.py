"""The command line: ``gjok demo``, ``gjok run``, ``gjok read``, ``gjok evaluate``.

Exit codes: 0 all is well, 1 it ran and something is not as it should be, 2 it could not run (one line says why).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from controller.config import LANGUAGES
from controller.errors import Mendable

GAMES = ("gnav", "gurka")


class _OneLine(click.Group):
    """Turns what a person can mend into one line on stderr and exit code 2."""

    def invoke(self, context: click.Context) -> Any:
        from controller.ports import NotLoopback, PortBusy
        from vision.nets import ModelError

        try:
            return super().invoke(context)
        except (Mendable, ModelError, PortBusy, NotLoopback) as wrong:
            click.echo(f"gjok: {wrong}", err=True)
            sys.exit(2)
        except BaseExceptionGroup as several:  # it came up in one of the app's tasks
            mendable = _first(several, (Mendable, ModelError))
            if mendable is not None:
                click.echo(f"gjok: {mendable}", err=True)
                sys.exit(2)
            closed = _first(several, BrokenPipeError)
            if closed is not None:  # nobody reads what we write any more; click ends quietly then
                raise closed from None
            raise


def _first(
    several: BaseExceptionGroup[BaseException], kind: type[BaseException] | tuple[type[BaseException], ...]
) -> BaseException | None:
    """The first of *kind* in *several*, however deep."""
    for one in several.exceptions:
        found = _first(one, kind) if isinstance(one, BaseExceptionGroup) else one if isinstance(one, kind) else None
        if found is not None:
            return found
    return None


@click.group(cls=_OneLine, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="gjok")
def main() -> None:
    """Gjøk, the automatic referee of a real card table."""


@main.command()
@click.option("--game", type=click.Choice(GAMES), default="gnav", show_default=True, help="What is played.")
@click.option("--players", type=click.IntRange(2, 20), default=6, show_default=True, help="How many sit at the table.")
@click.option("--deals", type=click.IntRange(1), help="Stop after so many deals; without it, play till Ctrl-C.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same evening.")
@click.option("--cheat", type=click.FloatRange(0, 1), default=0.0, show_default=True, help="How often players cheat.")
@click.option(
    "--language", type=click.Choice(LANGUAGES), default="nb", show_default=True, help="What the table speaks."
)
@click.option("--headless", is_flag=True, help="Play without waiting for people: no sound, no fixed page address.")
@click.option("--fast", is_flag=True, help="As fast as it goes, instead of at a pace that people can follow.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print the comparison with the truth as one line of JSON at the end."
)
@click.option(
    "--folder", type=click.Path(path_type=Path, file_okay=False), help="Keep the table here, and go on from here."
)
@click.option("--port", type=click.IntRange(0, 65535), help="Port of the board page  [default: 8080, or a free one]")
@click.option(
    "--picture", type=click.Path(path_type=Path, dir_okay=False), help="Save what the camera sees at the end."
)
def demo(**wishes: Any) -> None:
    """Run the whole table with simulated players, cards, buttons and camera."""
    from controller.simulated.demo import Wishes, run_demo

    as_json = wishes.pop("as_json")
    outcome = run_demo(Wishes(**wishes), say=click.echo if not as_json else lambda _: None)
    if as_json:
        click.echo(json.dumps(outcome.as_object(), ensure_ascii=False))
    else:
        click.echo(outcome.in_words())
    sys.exit(0 if outcome.agrees else 1)


@main.command()
@click.argument("table", type=click.Path(path_type=Path), default=Path("table.toml"))
def run(table: Path) -> None:
    """Referee a real table: TABLE is its table.toml."""
    from controller.real import run_table

    run_table(table, say=click.echo)


@main.command()
@click.argument("photos", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--annotate", type=click.Path(path_type=Path, file_okay=False), help="Save each picture here with its readings."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a picture.")
def read(photos: tuple[Path, ...], annotate: Path | None, as_json: bool) -> None:
    """Say which cards lie in PHOTOS."""
    from controller.look import read_photos

    for line in read_photos(photos, annotate, as_json=as_json):
        click.echo(line)


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--annotate", type=click.Path(path_type=Path, file_okay=False), help="Save each picture here with its readings."
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as one JSON object at the end.")
def evaluate(folder: Path, annotate: Path | None, as_json: bool) -> None:
    """Measure the eye on FOLDER: photographs with a labels.json."""
    from controller.look import evaluate_folder

    for line in evaluate_folder(folder, annotate, as_json=as_json):
        click.echo(line)
