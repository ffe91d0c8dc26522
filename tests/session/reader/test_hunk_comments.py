"""A comment on a hunk is read where the hunk is, and changes or takes back no other one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.fake_reader import FakeReader
from support.scripted_backend import Scripted

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.session.reader.hunk_comments import about_hunk
from spark_tui.session.session import Session

CART = """\
def tax(amount):
    return amount // 5


def price(amount):
    return amount + tax(amount)


def refund(amount):
    return amount - tax(amount)
"""
RENAME, AMEND = "rename tax to vat", "call it duty"
OTHER, FURTHER = "rename LIMIT to MOST", "rename refund to credit"
MEANS = {
    FURTHER: (("rename", {"symbol": "refund", "new": "credit"}, 0.97),),
    OTHER: (("rename", {"symbol": "LIMIT", "new": "MOST"}, 0.97),),
    RENAME: (("rename", {"symbol": "tax", "new": "vat"}, 0.97),),
    AMEND: (("amend.name", {"new": "duty"}, 0.97),),
    "drop this": (("amend.undo", {}, 0.97),),
    "not here": (("amend.undo", {}, 0.97),),
}


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "cart.py").write_text(CART)
    (root / "other.py").write_text("LIMIT = 3\n")
    backend = Scripted({})
    backend.small_window = (320, 300)  # one that the reader reads for
    made = Session(root, backend, Settings(), tmp_path / "state", reader=FakeReader(MEANS))
    say(made, RENAME)
    yield made
    made.close()


def say(session: Session, text: str, path: str = "cart.py") -> str:
    given = session.turn(text, in_view=path, stop=threading.Event())
    return "".join(event.text for event in given if isinstance(event, events.Prose))


def comment(session: Session, at: int, text: str) -> str:
    hunk = session.decisions.offered()[at]
    return say(session, about_hunk(str(hunk.id), hunk.path, hunk.old_start) + text, "other.py")


def test_it_amends_the_edit_whatever_file_is_in_view(session: Session) -> None:
    said = comment(session, 1, AMEND)
    assert "duty" in said
    assert all("vat" not in line for hunk in session.decisions.offered() for line in hunk.new_lines)


@pytest.mark.parametrize("text", ["drop this", "not here"])
def test_the_other_hunks_stay(session: Session, text: str) -> None:
    before = session.decisions.offered()
    assert len(before) > 1
    said = comment(session, 1, text)
    assert said.startswith(f"Hunk {before[1].id} is rejected (cart.py:{before[1].old_start}).")
    assert [hunk.id for hunk in session.decisions.offered()] == [
        hunk.id for hunk in before if hunk != before[1]
    ]


def lines(session: Session) -> set[str]:
    return {line for hunk in session.decisions.offered() for line in hunk.new_lines}


def test_it_rejects_its_hunk_also_where_that_is_of_an_earlier_edit_and_has_moved(session: Session) -> None:
    say(session, OTHER, "other.py")
    first = session.decisions.offered()[0]
    assert say(session, about_hunk(str(first.id), first.path, 7) + "drop this").startswith(
        "Hunk 1 is rejected"
    )
    assert "MOST = 3" in lines(session)


def test_it_amends_the_edit_of_its_hunk_and_not_a_later_one(session: Session) -> None:
    say(session, OTHER, "other.py")
    assert "duty" in comment(session, 0, AMEND)
    assert {"MOST = 3", "def duty(amount):"} <= lines(session)
    assert not [line for line in lines(session) if "vat" in line]


def test_where_another_instruction_made_the_hunk_it_changes_nothing(session: Session) -> None:
    say(session, FURTHER)
    before = session.decisions.offered()
    said = comment(session, 0, AMEND)
    assert f"was made by “{RENAME}”" in said
    assert session.decisions.offered() == before


@pytest.mark.parametrize(
    ("state", "said"), [("rejected", "is rejected already"), ("applied", "is written. `o` on it")]
)
@pytest.mark.parametrize("later", [False, True])
def test_where_its_hunk_is_gone_it_takes_back_nothing(
    session: Session, state: str, said: str, later: bool
) -> None:
    hunk = session.decisions.offered()[0]
    session.decisions.decide(hunk.id, "accepted" if state == "applied" else "rejected")
    if state == "applied":
        session.changes.write()
    if later:
        say(session, OTHER, "other.py")
    before = session.decisions.offered()
    answer = say(session, about_hunk("1", "cart.py", 1) + "drop this")
    assert answer.startswith(f"Hunk 1 (cart.py:1) {said}")
    assert session.decisions.offered() == before


def test_where_nothing_is_known_of_its_hunk_it_takes_back_nothing(session: Session) -> None:
    before = session.decisions.offered()
    assert say(session, about_hunk("9", "gone.py", 4) + "drop this").startswith(
        "There is no hunk 9 of gone.py."
    )
    assert session.decisions.offered() == before
