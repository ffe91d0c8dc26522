"""Hunks whose lines another program changes: marked when that is seen, and when a write is refused for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from support.fakes import FakeBackend
from support.small_repositories import uncommitted
from support.workbench_app import bench, screen_text, settle_app

from spark_tui.config.settings import Settings
from spark_tui.session.session import Session
from spark_tui.tui.app import SparkApp
from spark_tui.tui.settings.startup import Startup

CART = "def total(items):\n    return sum(items)\n\n\ndef twice(items):\n    return 2 * total(items)\n"
USES = "from shop.cart import twice\n\nprint(twice([1]))\n"


async def test_a_hunk_in_conflict_with_the_disk_is_marked(tmp_path: Path) -> None:
    files = {"shop/__init__.py": "", "shop/cart.py": CART, "shop/uses.py": USES}
    root = uncommitted(tmp_path / "shop", files)
    session = Session(root, FakeBackend(["x"]), Settings(ghost=False), tmp_path / "state")
    app = SparkApp(Startup(root, session.settings, lambda: session), environ={})
    async with app.run_test(size=(120, 24)) as pilot:

        async def until(seen: Callable[[], object]) -> None:
            for _ in range(1_500):
                if seen():
                    return
                await pilot.pause()
                await asyncio.sleep(0.002)
            raise AssertionError("it never came to that\n" + screen_text(app))

        await until(lambda: not bench(app).controller.opening)
        await bench(app).open_file.show_file("shop/cart.py")
        assert bench(app).slash_command("/rename twice double")
        await until(bench(app).controller.turn_state.open_hunks)
        await settle_app(pilot)
        for text, mark in ((CART.replace("twice(items)", "twice(items=())"), "≠"), (CART, "●")):
            (root / "shop/cart.py").write_text(text)
            bench(app).edit_offers.look()
            await until(lambda mark=mark: f"{mark} 1  L5" in screen_text(app))
            assert ("in lines of hunk 1: reject it" in bench(app).message[0]) is (mark == "≠")
        changed = USES.replace("print(twice([1]))", "print(twice([2]))")
        for text, mark in ((changed, "≠"), (USES, "●")):
            bench(app).edit_offers.look()
            await settle_app(pilot)
            (root / "shop/uses.py").write_text(text)
            bench(app).edit_offers.look()
            await until(lambda mark=mark: f"{mark} 3  L3" in screen_text(app))
            told = "shop/uses.py changed on disk in lines of hunk 3: reject it"
            assert (told in bench(app).message[0]) is (mark == "≠")
        (root / "shop/uses.py").write_text(changed)
        bench(app).code.focus()
        await pilot.press("ctrl+a", "w")
        await until(lambda: "≠ 3  L3" in screen_text(app))
        assert "✓ 1  L5" in screen_text(app)
    session.close()
