"""A session over a small shop of two files, on the workbench, for what another program does to them."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from support.fakes import FakeBackend
from support.small_repositories import uncommitted
from support.workbench_app import app_for, bench, settle, until
from textual.pilot import Pilot

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.session.session import Session
from spark_tui.tui.app import SparkApp

CART = "def total(items):\n    return sum(items)\n\n\ndef twice(items):\n    return 2 * total(items)\n"
USES = "from shop.cart import twice\n\nprint(twice([1]))\n"


def opened(tmp_path: Path, session_id: str = "", answer: Sequence[str] = ("x",)) -> Session:
    root = tmp_path / "shop"
    if not session_id:
        uncommitted(root, {"shop/__init__.py": "", "shop/cart.py": CART, "shop/uses.py": USES})
    backend = FakeBackend(answer, format="search_replace")
    return Session(root, backend, Settings(ghost=False), tmp_path / "state", session_id=session_id)


@contextlib.asynccontextmanager
async def shown(
    session: Session, past: Sequence[events.Event] = ()
) -> AsyncIterator[tuple[SparkApp, Pilot[None]]]:
    app = app_for(session, past)
    async with app.run_test(size=(120, 24)) as pilot:
        await until(pilot, lambda: not bench(app).controller.opening)
        await bench(app).open_file.show_file("shop/cart.py")
        yield app, pilot


async def rename(app: SparkApp, pilot: Pilot[None]) -> None:
    assert bench(app).slash_command("/rename twice double")
    await until(pilot, bench(app).controller.turn_state.open_hunks)
    await settle(pilot)


def struck(app: SparkApp) -> list[str]:
    """The lines of the file in view that its hunks replace."""
    file = bench(app).code.file
    return [line for hunk in file.hunks for line in file.lines[hunk.start - 1 :][: hunk.removed]]
