"""What a person types is worked on once the keys are quiet, one draft at a time."""

import math
import threading
import time

import pytest

from spark_tui.context.shown_context import ContextRequest
from spark_tui.errors import SparkError
from spark_tui.session.draft_thread import DraftThread


class Work:
    """Notes the words of each draft; holds until the gate opens or it is stopped."""

    def __init__(self):
        self.words, self.stopped = [], []
        self.gate, self.begun = threading.Event(), threading.Event()
        self.gate.set()

    def __call__(self, ask, stop):
        self.words.append(ask.instruction)
        self.begun.set()
        while not self.gate.wait(0.005):
            if stop.is_set():
                self.stopped.append(ask.instruction)
                raise SparkError("stopped")


@pytest.fixture
def made():
    work = Work()
    drafts = DraftThread(work, "spark-test")
    drafts.quiet_seconds = 0.02
    yield drafts, work
    work.gate.set()
    drafts.close()


def test_keys_in_a_row_are_one_draft(made):
    drafts, work = made
    drafts.quiet_seconds = 0.2
    for end in range(1, 7):
        drafts.draft(ContextRequest("rename"[:end]))
    assert drafts.settle(20)
    assert work.words == ["rename"]


def test_while_keys_go_on_work_begins_every_so_often(made):
    _, work = made
    drafts = DraftThread(work, "spark-test", at_least_every=0.0)
    drafts.quiet_seconds = math.inf
    drafts.draft(ContextRequest("r"))
    assert work.begun.wait(60)
    drafts.close()


@pytest.mark.parametrize(("words", "stopped"), [("rename", []), ("rename it", ["rename"])])
def test_enter_ends_only_the_work_on_other_words(made, words, stopped):
    drafts, work = made
    work.gate.clear()
    drafts.draft(ContextRequest("rename"))
    assert work.begun.wait(60)
    drafts.draft(ContextRequest("rename it all"))
    drafts.drop(but=words)
    if stopped:
        assert drafts.settle(20)
    work.gate.set()
    assert drafts.settle(20)
    assert (work.words, work.stopped) == (["rename"], stopped)


def test_an_error_ends_one_draft_only(made):
    drafts, work = made

    def fails(ask, stop):
        work(ask, stop)
        raise ValueError(ask)

    drafts._work = fails
    for words in ("rename", "rename it"):
        drafts.draft(ContextRequest(words))
        assert drafts.settle(20)
    assert work.words == ["rename", "rename it"]


def test_a_closed_one_does_nothing_more(made):
    drafts, work = made
    drafts.close()
    drafts.draft(ContextRequest("rename"))
    time.sleep(0.05)
    assert drafts.settle(1)
    assert work.words == []
