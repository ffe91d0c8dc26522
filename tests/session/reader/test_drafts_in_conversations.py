"""A conversation gives the same hunks, marks and sentences whether its drafts are read ahead or not."""

from __future__ import annotations

import random
import shutil
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.fakes import BuiltIn

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest
from spark_tui.session.session import Session

pytestmark = pytest.mark.slow

SHOP = Path(__file__).parents[2] / "cases" / "shapes" / "files"
FILES = ("shop/cart.py", "shop/report.py", "shop/tool.py")
MESSAGES = (
    "raise ValueError in add when quantity is below 1",
    "no, use TypeError instead",
    "rename quantity to count",
    "no, call it amount",
    "also in load",
    "undo that",
    "never mind, take it back",
    "TAX should be 0.3",
    "add a docstring to add",
    "make quantity keyword-only",
    "rename add to put everywhere",
    "return early from total if items is empty",
    "reject hunk 1",
    "not hunk 2",
    "use a set instead",
    "delete the function save",
    "add a parameter currency to total",
    "log it instead",
    "what does this do?",
    "remove the default of quantity",
)


def opened(folder: Path) -> Session:
    shutil.copytree(SHOP, folder / "tree")
    session = Session(folder / "tree", BuiltIn([]), Settings(), folder / "state")
    session.load_reader(threading.Event())
    session.ahead.drafts.quiet_seconds = 0.0
    return session


def told(event: events.Event) -> object:
    """What of an event a person sees."""
    match event:
        case events.Prose():
            return event.text
        case events.Doubt():
            return event.hunk_id, event.path, event.line, event.reason
        case events.Choices():
            return event.titles
        case events.Decided():
            return event.hunk_id, event.decision
        case events.Finished():
            return event.reason
    return None


def answer(session: Session, ask: ContextRequest) -> object:
    given = list(session.turn(ask.instruction, in_view=ask.in_view, stop=threading.Event()))
    hunks = [(hunk.id, hunk.path, hunk.old_start, hunk.new_lines) for hunk in session.decisions.offered()]
    return hunks, [item for item in map(told, given) if item is not None]


def type_words(session: Session, words: str, in_view: str, draw: random.Random) -> None:
    """As it is typed: some of what is typed on the way is read, some not to its end."""
    for end in sorted(draw.sample(range(1, len(words)), 2)):
        session.ahead.draft(ContextRequest(words[:end], in_view=in_view))
        if draw.random() < 0.5:
            session.ahead.drafts.settle(20)


def decide(sessions: Sequence[Session], draw: random.Random) -> None:
    decision: events.Decision = draw.choice(("accepted", "rejected"))
    written = draw.random() < 0.3
    for session in sessions:
        for hunk in session.decisions.offered()[:1]:
            session.decisions.decide(hunk.id, decision)
        if written and session.decisions.review.accepted():
            session.changes.write()


@pytest.mark.parametrize("seed", range(12))
def test_drafts_change_no_answer(tmp_path: Path, seed: int) -> None:
    draw, taken = random.Random(seed), 0
    with ExitStack() as stack:
        sessions = [opened(tmp_path / name) for name in ("typed", "sent")]
        for session in sessions:
            stack.callback(session.close)
        typed = sessions[0]
        for step in range(8):
            ask = ContextRequest(draw.choice(MESSAGES), in_view=draw.choice(FILES))
            type_words(typed, ask.instruction, ask.in_view, draw)
            if draw.random() < 0.7:
                typed.ahead.draft(ask)
                typed.ahead.drafts.settle(20)
                taken += typed.ahead._kept is not None
            if draw.random() < 0.3:
                path = draw.choice(FILES)
                for session in sessions:
                    with (session.root / path).open("a") as file:
                        file.write(f"\n# {step}\n")
            if draw.random() < 0.4:
                decide(sessions, draw)
            given = [answer(session, ask) for session in sessions]
            assert given[0] == given[1], f"step {step}: {ask.instruction}"
    assert taken, "no draft was read"
