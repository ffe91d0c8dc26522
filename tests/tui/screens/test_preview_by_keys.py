"""While an instruction is typed, the status line says what Enter would come to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.fake_reader import FakeReader
from support.fakes import BuiltIn
from support.git_command import git
from support.small_repositories import uncommitted
from support.workbench_app import app_for, bench, press, running, screen_text, until

from spark_tui.config.settings import Settings
from spark_tui.session.session import Session

RENAME, UNSURE, AMEND = "rename qty to amount", "it may be qty or sku", "no, number"
MEANS = {
    AMEND: (("amend.name", {"new": "number"}, 0.97),),
    "quit": (("rename", {"symbol": "qu", "new": "quit"}, 0.97),),
    RENAME: (("rename", {"symbol": "qty", "new": "amount"}, 0.97),),
    UNSURE: (
        ("rename", {"symbol": "sku", "new": "may"}, 0.48),
        ("rename", {"symbol": "qty", "new": "may"}, 0.46),
    ),
}
PREVIEW = "↵ rename add.qty → amount"


@pytest.fixture
def reader() -> FakeReader:
    return FakeReader(MEANS)


@pytest.fixture
def session(tmp_path: Path, reader: FakeReader) -> Iterator[Session]:
    root = uncommitted(tmp_path / "shop", {"cart.py": "def add(sku, qty=1):\n    return sku, qty\n"})
    made = Session(root, BuiltIn(["x"]), Settings(), tmp_path / "state", reader=reader)
    yield made
    made.close()


async def test_a_pause_shows_the_edit_and_enter_makes_it(session: Session) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        await until(pilot, lambda: session.exact.indexed)
        await press(pilot, *RENAME)
        await until(pilot, lambda: PREVIEW in screen_text(app))
        assert f"{PREVIEW}  1 hunk" in screen_text(app)
        await press(pilot, "enter")
        await until(pilot, lambda: "1 hunk in cart.py" in screen_text(app))
        assert "↵" not in screen_text(app)


async def test_in_the_code_where_enter_does_something_else_it_is_not_shown(session: Session) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        await until(pilot, lambda: session.exact.indexed)
        await press(pilot, *RENAME)
        await until(pilot, lambda: PREVIEW in screen_text(app))
        await press(pilot, "tab")
        assert "↵" not in screen_text(app)
        await press(pilot, "escape")
        assert PREVIEW in screen_text(app)


async def test_several_edits_are_a_choice_and_without_words_nothing_is_said(session: Session) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        await until(pilot, lambda: session.exact.indexed)
        await press(pilot, *UNSURE)
        await until(pilot, lambda: "↵ 2 edits to choose from: rename add.sku → may" in screen_text(app))
        await press(pilot, "ctrl+u")
        await until(pilot, lambda: "↵" not in screen_text(app))


async def test_words_without_an_exact_edit_are_for_the_model(session: Session) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        await until(pilot, lambda: session.exact.indexed)
        await press(pilot, *"think of something")
        await until(pilot, lambda: "↵ no exact edit: the model is asked" in screen_text(app))
        session.ahead.drafts.quiet_seconds = 60
        await press(pilot, "space", "x")
        assert "no exact edit" not in screen_text(app), "it is not known yet"


async def test_the_preview_of_words_that_are_gone_is_gone(session: Session) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        await until(pilot, lambda: session.exact.indexed)
        await press(pilot, *RENAME)
        await until(pilot, lambda: PREVIEW in screen_text(app))
        session.ahead.drafts.quiet_seconds = 60
        await press(pilot, "space", "x")
        assert PREVIEW.replace("↵", "…") in screen_text(app), "Enter would not come to that"
        await press(pilot, "ctrl+u", "x")
        assert "add.qty" not in screen_text(app).partition("› x")[2]


async def test_spaces_at_the_end_are_not_sent_and_not_read(session: Session, reader: FakeReader) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        await until(pilot, lambda: session.exact.indexed)
        await press(pilot, *RENAME, "space")
        await until(pilot, lambda: PREVIEW in screen_text(app))
        await press(pilot, "enter")
        await until(pilot, lambda: "1 hunk in cart.py" in screen_text(app))
        read = [words for words, _ in reader.read_after]
        assert read.count(RENAME) == 1 and f"{RENAME} " not in read


async def test_a_word_that_is_a_command_and_a_branch_come_to_no_edit(session: Session) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        await until(pilot, lambda: session.exact.indexed)
        await press(pilot, *RENAME)
        await until(pilot, lambda: PREVIEW in screen_text(app))
        bench(app).controller.branch_from = 1
        bench(app).paint_status()
        assert "↵" not in screen_text(app)
        await press(pilot, "ctrl+u", *"quit")
        assert session.ahead.drafts.settle(20)
        await press(pilot)
        assert bench(app).prompts.preview[0] is None


async def test_the_draft_is_read_again_after_a_decision_and_at_another_place(
    session: Session, reader: FakeReader
) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        await until(pilot, lambda: session.exact.indexed)
        await press(pilot, *RENAME, "enter")
        await until(pilot, lambda: "1 hunk in cart.py" in screen_text(app))
        await press(pilot, *AMEND)
        await until(pilot, lambda: "↵ rename add.qty → number" in screen_text(app))
        count = len(reader.read_after)
        await press(pilot, "tab", "r")
        await until(pilot, lambda: len(reader.read_after) > count)
        assert session.ahead.drafts.settle(20)
        count = len(reader.read_after)
        await press(pilot, "down")
        await until(pilot, lambda: len(reader.read_after) > count)


@pytest.mark.parametrize("in_view", ["cart.py", ""])
async def test_the_draft_is_read_again_when_another_program_wrote_its_file(
    session: Session, in_view: str
) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        await until(pilot, lambda: session.exact.indexed)
        await bench(app).open_file.show_file(in_view)
        await press(pilot, *RENAME)
        await until(pilot, lambda: PREVIEW in screen_text(app))
        await until(pilot, lambda: bench(app).prompts._stamps)
        (session.root / "cart.py").write_text("def add(sku):\n    return sku\n")
        await until(pilot, lambda: PREVIEW not in screen_text(app))


@pytest.mark.parametrize("change", ["the file in view", "the branch"])
async def test_the_draft_is_read_again_when_something_outside_of_its_edit_changed(
    session: Session, reader: FakeReader, change: str
) -> None:
    (session.root / "notes.py").write_text("pass\n")
    app = app_for(session)
    async with running(app) as pilot:
        await until(pilot, lambda: session.exact.indexed)
        await bench(app).open_file.show_file("notes.py")
        await press(pilot, *RENAME)
        await until(pilot, lambda: PREVIEW in screen_text(app))
        await until(pilot, lambda: bench(app).prompts._stamps)
        count = len(reader.read_after)
        (session.root / "uses.py").write_text("from cart import add\n\nadd(1, qty=2)\n")
        if change == "the branch":
            git(session.root, "checkout", "-q", "-b", "other")
        else:
            (session.root / "notes.py").write_text("pass  # more\n")
        await until(pilot, lambda: len(reader.read_after) > count and "2 files" in screen_text(app))
