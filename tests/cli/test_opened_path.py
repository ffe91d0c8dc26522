"""`spark PATH` opens files, places as other tools print them, and folders."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from support.small_repositories import committed
from support.workbench_app import bench, running

from spark_tui.cli import opened_path
from spark_tui.cli.main import main
from spark_tui.tui.app import SparkApp
from spark_tui.tui.settings.startup import Reopen


@pytest.mark.parametrize(
    ("word", "file", "line"),
    [
        ("cart.py", "cart.py", 0),
        ("cart.py:12", "cart.py", 12),
        ("cart.py:12:4", "cart.py", 12),
        ("cart.py:12:", "cart.py", 12),
        ("odd:7", "odd:7", 0),
    ],
)
def test_a_file_may_have_a_line(tmp_path: Path, word: str, file: str, line: int) -> None:
    (tmp_path / "cart.py").write_text("a = 1\n")
    (tmp_path / "odd:7").write_text("a = 1\n")
    assert opened_path.read(word, tmp_path) == opened_path.OpenedPath(tmp_path, file, line)


def test_a_folder_is_worked_in_and_what_is_not_there_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    assert opened_path.read("shop", tmp_path) == opened_path.OpenedPath((tmp_path / "shop").resolve())
    assert opened_path.read("none.py", tmp_path) is None
    assert opened_path.read("none.py:3", tmp_path) is None


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "shop"
    (root / "api").mkdir(parents=True)
    (root / "api" / "cart.py").write_text("".join(f"line_{n} = {n}\n" for n in range(1, 201)))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(root)
    return root


@pytest.mark.parametrize(
    ("word", "first"), [("api/cart.py", 1), ("api/cart.py:120", 120), ("api/cart.py:900", 200)]
)
def test_the_workbench_shows_the_file_at_the_line(
    shop: Path, monkeypatch: pytest.MonkeyPatch, word: str, first: int
) -> None:
    seen: list[tuple[str, str, int]] = []

    def run(app: SparkApp, **_: object) -> None:
        async def look() -> None:
            async with running(app):
                found = bench(app)
                shown = found.code.file.path, found.controller.in_view, found.code.place()[0]
                seen.append(shown)

        import asyncio

        asyncio.run(look())

    monkeypatch.setattr(SparkApp, "run", run)
    monkeypatch.setattr("spark_tui.cli.commands.workbench.check_terminal", lambda: None)
    assert main([word]) == 0
    assert seen == [("api/cart.py", "api/cart.py", first)]


@pytest.mark.parametrize("around", ["a repository", "a plain folder"])
@pytest.mark.parametrize("inner", ["api/part/lib/cart.py", "api/part/cart.py"])
def test_a_file_of_a_repository_in_this_folder_is_opened_in_its_own(
    shop: Path, monkeypatch: pytest.MonkeyPatch, around: str, inner: str
) -> None:
    seen: list[tuple[Path, str]] = []

    def run(app: SparkApp, **_: object) -> None:
        seen.append((app._start.root, app._start.shown[0]))

    if around == "a repository":
        committed(shop, {"api/cart.py": "a = 1\n"})
    part = shop / "api/part"
    name = (shop / inner).relative_to(part).as_posix()
    committed(part, {name: "b = 1\n"})
    monkeypatch.setattr(SparkApp, "run", run)
    monkeypatch.setattr("spark_tui.cli.commands.workbench.check_terminal", lambda: None)
    for word in (inner, "api/cart.py"):
        assert main([word]) == 0
    assert [shown for _, shown in seen] == [name, "api/cart.py"]
    assert seen[0][0] in (part, (shop / inner).parent) and seen[1][0] == shop


def test_the_path_is_shown_in_the_first_session_only(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, int]] = []

    def run(app: SparkApp, **_: object) -> Reopen | None:
        seen.append(app._start.shown)
        return Reopen("of a job") if len(seen) == 1 else None

    monkeypatch.setattr(SparkApp, "run", run)
    monkeypatch.setattr("spark_tui.cli.commands.workbench.check_terminal", lambda: None)
    assert main(["api/cart.py"]) == 0
    assert seen == [("api/cart.py", 0), ("", 0)]


def test_a_new_session_keeps_the_model_that_was_switched_to(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, int]] = []

    def run(app: SparkApp, **_: object) -> Reopen | None:
        session = app._start.open()
        seen.append((session.id, session.settings.least_confidence))
        session.adopt(replace(session.settings, least_confidence=33))
        session.close()
        return Reopen("") if len(seen) == 1 else None

    monkeypatch.setattr(SparkApp, "run", run)
    monkeypatch.setattr("spark_tui.cli.commands.workbench.check_terminal", lambda: None)
    assert main([]) == 0
    assert seen[0][0] != seen[1][0] and [confidence for _, confidence in seen] == [70, 33]


def test_the_screen_reader_asks_about_that_file(
    shop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (shop / "api" / "price.py").write_text("def add(qty=1):\n    return qty\n")
    (shop / "api" / "stock.py").write_text("def add(qty=1):\n    return qty\n")
    monkeypatch.setattr("sys.stdin", io.StringIO("change the default of qty in add to 5\nquit\n"))
    assert main(["--screen-reader", "api/stock.py"]) == 0
    assert "api/stock.py" in (said := capsys.readouterr().out) and "api/price.py" not in said
