"""What is typed is read before Enter, which then has the same answer without reading again."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.fake_reader import FakeReader
from support.scripted_backend import Scripted

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest
from spark_tui.pysource.repository import Repository
from spark_tui.session.exact.exact_turns import EditRefused, ExactTurns
from spark_tui.session.reader.read_ahead import Preview
from spark_tui.session.session import Session
from spark_tui.trials import trial

CART = "class Cart:\n    def add(self, sku, qty=1):\n        self.lines[sku] = qty\n        return qty\n"
RENAME, AMEND, UNSURE, TESTS = "rename qty to amount", "no, number", "it may be qty or sku", "test_odd fails"
MEANS = {
    RENAME: (("rename", {"symbol": "qty", "new": "amount"}, 0.97),),
    AMEND: (("amend.name", {"new": "number"}, 0.97),),
    UNSURE: (
        ("rename", {"symbol": "sku", "new": "may"}, 0.48),
        ("rename", {"symbol": "qty", "new": "may"}, 0.46),
    ),
}
ODD = "from cart import Cart\n\n\ndef test_odd():\n    assert Cart().add(1, 2) == 3\n"


class Opened:
    """A session in a repository of one file, with what was told of drafts."""

    def __init__(self, folder: Path) -> None:
        root = folder / "tree"
        root.mkdir()
        (root / "cart.py").write_text(CART)
        backend = Scripted({})
        backend.small_window = (320, 300)
        self.reader = FakeReader(MEANS)
        self.session = Session(root, backend, Settings(), folder / "state", reader=self.reader)
        self.session.load_reader(threading.Event())
        self.session.ahead.drafts.quiet_seconds = 0.01
        self.shown: list[Preview] = []
        self.session.ahead.on_read = self.shown.append

    def draft(self, text: str) -> None:
        self.session.ahead.draft(ContextRequest(text, in_view="cart.py"))
        assert self.session.ahead.drafts.settle(20)

    def say(self, text: str) -> list[events.Event]:
        return list(self.session.turn(text, in_view="cart.py", stop=threading.Event()))

    def hunks(self) -> list[tuple[str, ...]]:
        return [hunk.new_lines for hunk in self.session.decisions.offered()]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    made = Opened(tmp_path)
    yield made
    made.session.close()


def test_enter_has_the_answer_that_was_read_ahead(opened: Opened, tmp_path: Path) -> None:
    opened.draft(RENAME)
    assert [text for text, _ in opened.reader.read_after] == [RENAME]
    given = opened.say(RENAME)
    assert [text for text, _ in opened.reader.read_after] == [RENAME]
    assert isinstance(given[-1], events.Finished) and given[-1].reason == "stop"
    (tmp_path / "other").mkdir()
    other = Opened(tmp_path / "other")
    other.say(RENAME)
    assert opened.hunks() == other.hunks() != []
    other.session.close()


def test_a_follow_up_is_read_ahead_with_the_edit_before_it(opened: Opened) -> None:
    opened.draft(RENAME)
    opened.say(RENAME)
    opened.draft(AMEND)
    read = list(opened.reader.read_after)
    opened.say(AMEND)
    assert opened.reader.read_after == read
    assert any("number" in line for lines in opened.hunks() for line in lines)


def test_what_was_read_before_a_change_is_read_again(opened: Opened) -> None:
    opened.draft(RENAME)
    (opened.session.root / "cart.py").write_text(CART.replace("sku", "item"))
    opened.say(RENAME)
    assert len(opened.reader.read_after) == 2
    assert any("item" in line for lines in opened.hunks() for line in lines)


def test_what_was_read_before_a_decision_is_read_again(opened: Opened) -> None:
    opened.say(RENAME)
    opened.draft(AMEND)
    count = len(opened.reader.read_after)
    opened.session.decisions.decide(opened.session.decisions.offered()[0].id, "rejected")
    opened.say(AMEND)
    assert len(opened.reader.read_after) > count


def test_the_preview_tells_the_edit_the_choice_or_that_the_model_is_asked(opened: Opened) -> None:
    for text in (RENAME, UNSURE, "invent something", f"/{RENAME}"):
        opened.draft(text)
    edit, choice, nothing, command = opened.shown
    assert command == Preview(f"/{RENAME}")
    assert (edit.titles, edit.hunks, edit.paths) == (("rename Cart.add.qty → amount",), 1, ("cart.py",))
    assert (len(choice.titles), choice.hunks) == (2, 0)
    assert nothing == Preview("invent something", asks_model=True)


def test_no_code_is_run_before_enter(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    run: list[object] = []
    popen = trial.subprocess.Popen
    monkeypatch.setattr(trial.subprocess, "Popen", lambda *a, **k: run.append(a) or popen(*a, **k))
    (opened.session.root / "test_cart.py").write_text(ODD)
    opened.draft(TESTS)
    assert run == []
    opened.say(TESTS)
    assert run


def test_newer_words_end_the_reading_between_two_steps(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    planning, go_on, ended = threading.Event(), threading.Event(), list[BaseException]()
    work = ExactTurns._on_work

    def held(self: ExactTurns) -> None:
        if threading.current_thread().name == "spark-read-ahead" and opened.reader.read_after:
            planning.set()
            assert go_on.wait(60)
        try:
            work(self)
        except EditRefused as error:
            ended.append(error)
            raise

    monkeypatch.setattr(ExactTurns, "_on_work", held)
    opened.session.reader._exact._edits = None  # it is read with the method that is held
    opened.session.ahead.draft(ContextRequest(RENAME, in_view="cart.py"))
    assert planning.wait(60)
    opened.session.ahead.draft(ContextRequest(UNSURE, in_view="cart.py"))
    go_on.set()
    assert opened.session.ahead.drafts.settle(20)
    assert ended
    assert [preview.instruction for preview in opened.shown] == [UNSURE]


def test_plans_are_steps_of_the_work(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    from spark_tui.codemods.families.names.rename import Rename
    from spark_tui.codemods.slots import Symbol
    from spark_tui.intent.planning.executing import plan_of
    from spark_tui.pysource.files.index import Index

    steps: list[int] = []
    index = opened.session.exact.index
    assert index is not None
    monkeypatch.setattr(Index, "work", lambda _: steps.append(1))
    repo = Repository(index.tree, index=index)
    call = Rename(Symbol("Cart.add.qty", "cart.py"), "amount")
    plan_of((call,), repo)
    first = len(steps)
    plan_of((call,), repo)
    assert len(steps) == first + 1


def test_a_draft_for_a_connected_model_is_not_read(opened: Opened) -> None:
    del opened.session.backend.small_window
    opened.session.backend.window = 100_000
    opened.draft(RENAME)
    assert opened.reader.read_after == []


def test_the_last_draft_is_read_once_the_repository_is(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "cart.py").write_text(CART)
    backend = Scripted({})
    backend.small_window = (320, 300)
    session = Session(root, backend, Settings(), tmp_path / "state", reader=FakeReader(MEANS))
    shown: list[Preview] = []
    session.ahead.on_read = shown.append
    session.draft(ContextRequest(RENAME, in_view="cart.py"))
    session.load_reader(threading.Event())
    assert session.ahead.drafts.settle(20)
    assert [preview.titles for preview in shown] == [("rename Cart.add.qty → amount",)]
    session.close()


def test_what_a_connected_model_is_asked_for_is_read_once_and_not_shown(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "cart.py").write_text(CART)
    backend, reader, shown = Scripted({UNSURE: "No."}), FakeReader(MEANS), list[Preview]()
    session = Session(
        tmp_path / "tree", backend, Settings(exact_first=True), tmp_path / "state", reader=reader
    )
    session.ahead.on_read = shown.append
    session.load_reader(threading.Event())
    for text in (RENAME, UNSURE):
        session.ahead.draft(ContextRequest(text, in_view="cart.py"))
        assert session.ahead.drafts.settle(20)
    assert [preview.hunks for preview in shown] == [1, 0] and shown[1] == Preview(UNSURE)
    count = len(reader.read_after)
    list(session.turn(UNSURE, in_view="cart.py", stop=threading.Event()))
    assert len(reader.read_after) == count
    session.close()


def test_a_session_that_began_with_a_connected_model_reads_ahead_after_a_switch(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "cart.py").write_text(CART)
    connected, own = Scripted({}), Scripted({})
    own.small_window = (320, 300)
    reader = FakeReader(MEANS)
    session = Session(tmp_path / "tree", connected, Settings(), tmp_path / "state", reader=reader)
    session.load_reader(threading.Event())
    assert "reader" not in session.__dict__
    session.use(own)
    session.load_reader(threading.Event())
    session.ahead.draft(ContextRequest(RENAME, in_view="cart.py"))
    assert session.ahead.drafts.settle(20)
    assert [words for words, _ in reader.read_after] == [RENAME]
    session.close()


def test_a_draft_that_cannot_be_read_has_no_preview(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opened.session.ahead, "_read", lambda *_: 1 // 0)
    opened.draft(RENAME)
    assert opened.shown == [Preview(RENAME)]


def test_the_same_draft_is_not_read_twice(opened: Opened) -> None:
    opened.draft(RENAME)
    opened.draft(RENAME)
    assert len(opened.reader.read_after) == 1
    assert len(opened.shown) == 2


def test_an_answer_is_that_of_the_state_it_was_compared_with(opened: Opened) -> None:
    """Another thread keeps the next one in between."""
    ahead = opened.session.ahead
    opened.draft(RENAME)
    assert ahead._kept is not None
    ask, _, answer = ahead._kept

    class Same(str):
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            ahead._kept = None
            return True

    ahead._kept = ask, Same(), answer
    assert ahead.kept(ask, lambda: "state") is answer


def test_the_state_of_other_words_is_not_asked_for(opened: Opened) -> None:
    """In a long session that takes milliseconds."""
    opened.draft(RENAME)
    other = ContextRequest("another message", "shop/cart.py")
    assert opened.session.ahead.kept(other, lambda: pytest.fail("asked for the state")) is None
