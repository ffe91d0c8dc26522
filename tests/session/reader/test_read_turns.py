"""Turns of the built-in reader: edits, follow-ups, choices, and what is handed to a language model."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from support.fake_reader import FakeReader
from support.scripted_backend import Scripted

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.errors import UsageError
from spark_tui.intent.context.areas import explain_missing_file
from spark_tui.pysource.repository import Repository
from spark_tui.session.session import Session
from spark_tui.session.storage.index_rows import EXACT_BACKEND
from spark_tui.session.tree.exact_edits import WorkspaceFiles

CART = """\
class Cart:
    def add(self, sku, qty=1):
        self.lines[sku] = qty
        return qty

    def remove(self, sku, count=1):
        self.lines[sku] -= count
"""
OTHER = "LIMIT = 3\n"
RENAME, AMEND, FURTHER = "rename qty to amount", "no, call it number", "LIMIT should be 9"
LEFT = "rename qty to amount, at most 12"
AGAIN, UNSURE, WRITE = "sku is called item in add", "it may be qty or count", "invent something"
ELSEWHERE = "in cart.py LIMIT is 9"
MEANS = {
    ELSEWHERE: (("set_value", {"variable": "LIMIT", "value": "9"}, 0.6),),
    ELSEWHERE.replace("cart", "other"): (("set_value", {"variable": "LIMIT", "value": "9"}, 0.6),),
    RENAME: (("rename", {"symbol": "qty", "new": "amount"}, 0.97),),
    **{
        f"{RENAME} in {path}": (("rename", {"symbol": "qty", "new": "amount"}, 0.97),)
        for path in ("cart.py", "lost.py", "lib/cart.py", "/usr/lib/python/lost.py")
    },
    LEFT: (("rename", {"symbol": "qty", "new": "amount"}, 0.97),),
    AMEND: (("amend.name", {"new": "number"}, 0.97),),
    FURTHER: (("set_value", {"variable": "LIMIT", "value": "9"}, 0.97),),
    AGAIN: (("rename", {"symbol": "sku", "new": "item", "function": "add"}, 0.97),),
    UNSURE: (
        ("rename", {"symbol": "count", "new": "may"}, 0.48),
        ("rename", {"symbol": "qty", "new": "may"}, 0.46),
    ),
    "thanks": (("chat", {}, 0.97),),
    "rename nowhere to here": (("rename", {"symbol": "nowhere", "new": "here"}, 0.97),),
    "rename total to amount": (("rename", {"symbol": "total", "new": "amount"}, 0.97),),
}
MODEL = "*** other.py\n@@ 1,2\n+LIMIT = 8\n"
DECLINED = "*** other.py\n@@ cannot\n"


class Opened:
    """A small repository, and sessions in it that share their state."""

    def __init__(self, folder: Path) -> None:
        self.root, self.state = folder / "tree", folder / "state"
        self.root.mkdir()
        (self.root / "cart.py").write_text(CART)
        (self.root / "other.py").write_text(OTHER)
        self.reader = FakeReader(MEANS)
        self.session = self.open()

    def open(self, session_id: str = "") -> Session:
        backend = Scripted(
            {WRITE: MODEL, UNSURE: MODEL, "decline": DECLINED, ELSEWHERE: DECLINED, RENAME: MODEL}
        )
        backend.small_window = (320, 300)
        settings = Settings()
        return Session(self.root, backend, settings, self.state, session_id=session_id, reader=self.reader)

    def again(self) -> None:
        """As another process goes on."""
        session_id = self.session.id
        self.session.close()
        self.session = self.open(session_id)

    def say(self, text: str, path: str = "cart.py") -> list[events.Event]:
        return list(self.session.turn(text, in_view=path, stop=threading.Event()))

    def choose(self, number: int) -> list[events.Event]:
        return list(self.session.turns.choose(number, stop=threading.Event()))

    def retry(self) -> list[events.Event]:
        return list(self.session.turns.retry(stop=threading.Event()))

    def would_be(self) -> dict[str, str]:
        """The files with every hunk that is open, and the disk as it was before."""
        before = {path: (self.root / path).read_text() for path in ("cart.py", "other.py")}
        for hunk in self.session.decisions.offered():
            self.session.decisions.decide(hunk.id, "accepted")
        self.session.changes.write()
        after = {path: (self.root / path).read_text() for path in before}
        self.session.changes.undo()
        return {path: text for path, text in after.items() if text != before[path]}


@pytest.fixture
def opened(tmp_path: Path):
    made = Opened(tmp_path)
    yield made
    made.session.close()


def prose(given: list[events.Event]) -> str:
    return "".join(event.text for event in given if isinstance(event, events.Prose))


def ending(given: list[events.Event]) -> str:
    assert isinstance(given[-1], events.Finished)
    return given[-1].reason


def test_an_edit_is_a_turn_that_shows_its_call(opened: Opened) -> None:
    given = opened.say(RENAME)
    assert isinstance(given[0], events.TurnStarted)
    assert (given[0].prompt, given[0].backend) == (RENAME, EXACT_BACKEND)
    assert prose(given).startswith("→ rename(cart.py::Cart.add.qty, amount)")
    assert opened.would_be() == {"cart.py": CART.replace("qty", "amount")}


@pytest.mark.parametrize("restarted", [False, True])
def test_a_correction_takes_the_place_of_the_edit(opened: Opened, restarted: bool) -> None:
    opened.say(RENAME)
    if restarted:
        opened.again()
    given = opened.say(AMEND)
    assert opened.reader.read_after[-1] == (AMEND, "rename")
    assert {event.decision for event in given if isinstance(event, events.Decided)} == {"rejected"}
    assert opened.would_be() == {"cart.py": CART.replace("qty", "number")}


def test_a_correction_of_what_was_written_already_is_an_edit_of_it(opened: Opened) -> None:
    opened.say(RENAME)
    for hunk in opened.session.decisions.offered():
        opened.session.decisions.decide(hunk.id, "accepted")
    opened.session.changes.write()
    opened.say(AMEND)
    assert opened.would_be() == {"cart.py": CART.replace("qty", "number")}


def test_a_further_order_in_the_same_file_is_shown_with_the_edit_before(opened: Opened) -> None:
    opened.say(RENAME)
    opened.say(AGAIN)
    both = CART.replace("qty", "amount").replace("sku, amount=1", "item, amount=1")
    both = both.replace("self.lines[sku] = amount", "self.lines[item] = amount")
    last = {hunk.id for hunk in opened.session.decisions.offered(last_turn=True)}
    assert {hunk.id for hunk in opened.session.decisions.offered()} == last
    assert opened.would_be() == {"cart.py": both}


def test_a_correction_of_a_joined_edit_keeps_the_order_before_it(opened: Opened) -> None:
    opened.say(AGAIN)
    opened.say(RENAME)
    opened.say(AMEND)
    changed = opened.would_be()["cart.py"]
    assert "item" in changed
    assert "number" in changed
    assert "amount" not in changed


def test_a_further_order_elsewhere_is_a_turn_of_its_own(opened: Opened) -> None:
    opened.say(RENAME)
    given = opened.say(FURTHER)
    assert not [event for event in given if isinstance(event, events.Decided)]
    assert opened.would_be() == {"cart.py": CART.replace("qty", "amount"), "other.py": "LIMIT = 9\n"}


def test_a_further_order_comes_to_a_hunk_that_is_accepted(opened: Opened) -> None:
    opened.say(RENAME)
    opened.session.decisions.decide(opened.session.decisions.offered()[0].id, "accepted")
    opened.say(AGAIN)
    assert "lines[item] = amount" in opened.would_be()["cart.py"]


@pytest.mark.parametrize("restarted", [False, True])
def test_of_several_edits_that_may_be_meant_one_is_taken(opened: Opened, restarted: bool) -> None:
    given = opened.say(UNSURE)
    (choices,) = [event for event in given if isinstance(event, events.Choices)]
    assert (ending(given), choices.titles[-1]) == ("choices", "ask the model")
    assert not opened.session.decisions.offered()
    if restarted:
        opened.again()
    number = next(at for at, title in enumerate(choices.titles, 1) if "qty" in title)
    given = opened.choose(number)
    assert events.Chosen(number, len(choices.titles)) in given
    assert opened.would_be() == {"cart.py": CART.replace("qty", "may")}


def test_choices_of_one_title_name_their_files_and_what_is_taken_has_no_doubt_which(opened: Opened) -> None:
    function = "def total(lines):\n    return sum(lines)\n"
    for path in ("a.py", "b.py"):
        (opened.root / path).write_text(function)
    given = opened.say("rename total to amount", "other.py")
    (choices,) = [event for event in given if isinstance(event, events.Choices)]
    assert choices.titles[:2] == ("rename total → amount in a.py", "rename total → amount in b.py")
    given = opened.choose(2)
    assert [item.path for item in opened.session.decisions.offered()] == ["b.py"]
    assert not [event for event in given if isinstance(event, events.Doubt)] and "?" not in prose(given)


def test_the_last_choice_asks_the_language_model(opened: Opened) -> None:
    given = opened.say(UNSURE, "other.py")
    count = len(next(event for event in given if isinstance(event, events.Choices)).titles)
    given = opened.choose(count)
    assert given[1] == events.Chosen(count, count)
    assert opened.would_be() == {"other.py": "LIMIT = 8\n"}


def test_there_is_nothing_to_choose_from_after_another_turn(opened: Opened) -> None:
    opened.say(UNSURE)
    with pytest.raises(UsageError, match="no choice 9"):
        opened.choose(9)
    opened.say(RENAME)
    with pytest.raises(UsageError, match="nothing to choose from"):
        opened.choose(1)


def test_what_has_to_be_written_is_for_the_language_model(opened: Opened) -> None:
    given = opened.say(WRITE, "other.py")
    assert isinstance(given[0], events.TurnStarted)
    assert given[0].backend != EXACT_BACKEND
    assert opened.would_be() == {"other.py": "LIMIT = 8\n"}


def test_where_the_model_declines_too_the_reader_says_what_it_can_do(opened: Opened) -> None:
    given = opened.say("decline", "other.py")
    assert ending(given) in ("cannot", "no_edit")
    assert "connect a larger model" in prose(given)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("rename nowhere to here", "there is nothing called nowhere. To let the model try, name a file"),
        (WRITE, "It is not clear which file to edit. Name it: @"),
    ],
)
def test_a_refusal_without_a_file_to_show_the_model_is_a_turn(opened: Opened, asked: str, said: str) -> None:
    for name in ("a", "b"):  # which file is meant is not clear
        (opened.root / f"{name}.py").write_text("x = 1\n")
    given = opened.say(asked, "")
    assert ending(given) == "cannot"
    assert said in prose(given)
    opened.again()
    assert [record.instruction for record in opened.session.turns._records] == [asked]


def test_a_doubtful_edit_of_another_file_than_the_one_that_is_named_is_not_made(opened: Opened) -> None:
    given = opened.say(ELSEWHERE)
    assert not opened.session.decisions.offered()
    assert prose(given) == "The built-in reader found what is meant in other.py, not in cart.py.\n"
    opened.choose(1)
    opened.say(ELSEWHERE.replace("cart", "other"))
    assert opened.would_be() == {"other.py": "LIMIT = 9\n"}


def test_if_the_file_that_is_named_is_ignored_the_reader_edits_no_other_one(opened: Opened) -> None:
    ignored = opened.root / "build" / "cart.py"
    ignored.parent.mkdir()
    ignored.write_text(CART)
    given = list(opened.session.turn(RENAME, files=("build/cart.py",), stop=threading.Event()))
    assert "cart.py" not in [item.path for item in given if isinstance(item, events.HunkOpened)]
    why = explain_missing_file(Repository(WorkspaceFiles(opened.root)), "build/cart.py")
    assert why.startswith("build/cart.py is ignored")


@pytest.mark.parametrize(
    ("path", "there"),
    [("cart.py", True), ("lost.py", False), ("lib/cart.py", False), ("/usr/lib/python/lost.py", True)],
)
def test_nothing_is_edited_where_a_file_is_named_that_is_not_there(
    opened: Opened, path: str, there: bool
) -> None:
    given = opened.say(f"{RENAME} in {path}")
    assert (f"there is no file {path}" in prose(given)) is not there
    assert any(isinstance(event, events.HunkOpened) for event in given) is there


def test_words_that_an_edit_does_not_use_are_not_used_by_its_amendment(opened: Opened) -> None:
    for text, marked in ((LEFT, True), (AMEND, True), (RENAME, False)):
        given = opened.say(text)
        why = [event.reason for event in given if isinstance(event, events.Doubt)]
        assert ("not used: 12" in why) is marked


def test_what_is_no_order_is_answered_by_a_sentence(opened: Opened) -> None:
    given = opened.say("thanks")
    assert ending(given) == "cannot"
    assert "connect a larger model" in prose(given)
    assert opened.session.backend.requests == []


def test_a_retry_takes_the_words_otherwise_and_else_asks_the_model(opened: Opened) -> None:
    opened.say(RENAME, "other.py")
    given = opened.retry()
    assert {event.decision for event in given if isinstance(event, events.Decided)} == {"rejected"}
    assert opened.session.backend.requests[-1].instruction == RENAME


def test_a_turn_stopped_while_it_is_read_changes_nothing_and_can_be_resumed(opened: Opened) -> None:
    stop = threading.Event()
    stop.set()
    given = list(opened.session.turn(RENAME, in_view="cart.py", stop=stop))
    assert ending(given) == "interrupted"
    assert not opened.session.decisions.offered()
    assert not opened.session.decisions.review.ids
    given = list(opened.session.turns.resume(stop=threading.Event()))
    assert ending(given) == "stop"
    assert opened.session.decisions.offered()


def test_a_file_that_is_named_and_not_there_is_said(opened: Opened) -> None:
    with pytest.raises(Exception, match="no such file"):
        opened.say(f"{RENAME} @shop/none.py")


def test_while_the_repository_is_read_an_answer_says_what_it_has_not_seen(opened: Opened) -> None:
    exact = opened.session.exact
    with exact._lock:
        exact._reread()
    exact._paths, exact._loading, exact.done, exact.total = ["cart.py", "other.py"], True, 0, 2
    given = opened.say(RENAME)
    assert "0 of 2 files" in prose(given)
    exact.done = 2  # what is known is still being stored
    assert "files are read so far" not in prose(opened.say(AMEND))
    assert opened.would_be() == {"cart.py": CART.replace("qty", "number")}


def test_a_refusal_says_that_files_were_not_looked_at_yet(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b"):  # which file is meant is not clear
        (opened.root / f"{name}.py").write_text("x = 1\n")
    exact = opened.session.turns._reader()._exact
    exact.load(threading.Event())
    monkeypatch.setattr(exact, "_loading", True)
    monkeypatch.setattr(exact, "_indexed", False)
    monkeypatch.setattr(exact, "done", 1)
    assert "Only 1 of 4 files are read so far" in prose(opened.say("rename nowhere to here", ""))


@pytest.mark.parametrize("restarted", [False, True])
def test_a_choice_is_planned_on_the_files_as_they_are_when_it_is_taken(
    opened: Opened, restarted: bool
) -> None:
    given = opened.say(UNSURE)
    (choices,) = [event for event in given if isinstance(event, events.Choices)]
    number = next(at for at, title in enumerate(choices.titles, 1) if "qty" in title)
    changed = f'"""The cart."""\n\n{CART}\n    def first(self, qty):\n        return qty\n'
    (opened.root / "cart.py").write_text(changed.replace("return qty", "return qty + 1", 1))
    if restarted:
        opened.again()
    opened.choose(number)
    written = opened.would_be()["cart.py"]
    assert "def add(self, sku, may=1):\n        self.lines[sku] = may\n        return may + 1" in written


def test_a_choice_that_the_files_no_longer_have_is_refused(opened: Opened) -> None:
    given = opened.say(UNSURE)
    (choices,) = [event for event in given if isinstance(event, events.Choices)]
    number = next(at for at, title in enumerate(choices.titles, 1) if "qty" in title)
    (opened.root / "cart.py").write_text(CART.replace("qty", "quantity"))
    with pytest.raises(UsageError, match="the files have changed"):
        opened.choose(number)
