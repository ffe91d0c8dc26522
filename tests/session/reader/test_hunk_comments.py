"""A comment on a hunk is read where the hunk is, and takes back no other one."""

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
MEANS = {
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
