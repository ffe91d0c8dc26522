"""Whatever a person does, in any order: no message vanishes, no whole hunk changes, the journal is what was
shown."""

import itertools
import shutil
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from support.scripted_backend import Scripted
from support.scripted_sessions import entries
from support.small_repositories import written

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.errors import NoBackend, SparkError
from spark_tui.session.session import Session

LINES = 9


def answers(text):
    """A different edit for every message, made of the message itself, so that it can be told apart."""
    first = 1 + len(text) % 4
    return (
        f"Hm.\n*** a.py\n@@ {first},{first + 1}\n+{text} one\n\n@@ {first + 2},{first + 2}\n+{text}"
        f" two\n+more\n\n@@ {first + 4},{first + 5}\n+{text} three\n\n"
    )


class Answers(dict):
    def __missing__(self, text):
        return answers(text)


class Steering(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.home = Path(tempfile.mkdtemp())
        self.root = self.home / "tree"
        written(self.root, {"a.py": "".join(f"line {n}\n" for n in range(1, LINES + 1))})
        self.count = 0
        self.sent = []
        self.back = []
        self.shown = []
        self.whole = {}
        self.session = None

    @initialize()
    def begin(self):
        self.open("")

    def open(self, session_id):
        backend = Scripted(Answers(), size=7)
        self.session = Session(self.root, backend, Settings(), self.home / "state", session_id=session_id)

    def teardown(self):
        if self.session is not None:
            self.session.close()
        shutil.rmtree(self.home)

    def new_text(self):
        self.count += 1
        return f"say {self.count}"

    def go(self, stream_of, *words, stop_after=None, broken=False):
        """Run a leg; stop after so many events (0: before anything was read)."""
        stop = threading.Event()
        if stop_after == 0:
            stop.set()
        self.session.backend.error = NoBackend("gone") if broken else None
        seen = 0
        try:
            for event in stream_of(*words, stop=stop):
                self.shown.append(event)
                seen += 1
                if isinstance(event, events.HunkClosed) and not event.partial and event.new_lines:
                    self.whole.setdefault(event.hunk_id, event)
                if seen == stop_after:
                    stop.set()
        except SparkError:
            pass
        self.back += self.session.outbox.take_returned()

    stops = st.none() | st.integers(0, 25)

    @rule(stop_after=stops, broken=st.booleans())
    def ask(self, stop_after, broken):
        self.go(self.session.turn, self.new_text(), stop_after=stop_after, broken=broken and not stop_after)

    @rule(stop_after=stops, broken=st.booleans())
    def steer(self, stop_after, broken):
        text = self.new_text()
        self.sent.append(text)
        self.go(self.session.turns.steer, text, stop_after=stop_after, broken=broken)

    @rule(stop_after=stops, broken=st.booleans())
    def resume(self, stop_after, broken):
        self.go(self.session.turns.resume, stop_after=stop_after, broken=broken)

    @precondition(lambda self: self.session.decisions.review.ids)
    @rule(pick=st.integers(0, 99), stop_after=stops)
    def branch(self, pick, stop_after):
        ids = self.session.decisions.review.ids
        text = self.new_text()
        before = len(self.session.outbox.messages)
        self.go(self.session.turns.branch_at, ids[pick % len(ids)], text, stop_after=stop_after)
        if len(self.session.outbox.messages) > before:
            self.sent.append(text)

    @rule(stop_after=stops)
    def retry(self, stop_after):
        self.go(self.session.turns.retry, stop_after=stop_after)

    @rule()
    def queue(self):
        text = self.new_text()
        self.sent.append(text)
        self.session.outbox.queue(text)

    @rule(pick=st.integers(0, 99), last=st.booleans())
    def take_back_what_was_queued(self, pick, last):
        waiting = [message for message in self.session.outbox.waiting if message.way == "queue"]
        if not waiting:
            return
        chosen = waiting[-1] if last else waiting[pick % len(waiting)]
        text = self.session.outbox.withdraw(0 if last else chosen.id)
        assert text == chosen.text
        self.back.append(text)
        assert text not in self.session.outbox.take_returned()

    @rule()
    def deliver(self):
        waiting = self.session.outbox.next_queued()
        if waiting is not None:
            self.go(self.session.turn, waiting.text)
            self.session.outbox.commit(waiting.id)

    @precondition(lambda self: self.session.decisions.review.ids)
    @rule(
        pick=st.integers(0, 99),
        decision=st.sampled_from(["accepted", "rejected", "edited", "open", "kept", "dropped"]),
    )
    def decide(self, pick, decision):
        ids = self.session.decisions.review.ids
        decided = ids[pick % len(ids)], decision, "mine\n" if decision == "edited" else ""
        try:
            others = self.session.decisions.decide(*decided)
        except SparkError:
            return
        self.shown += [events.Decided(*decided), *others]

    @rule()
    def restart(self):
        session_id, before = self.session.id, self.states()
        self.session.close()
        self.open(session_id)
        self.back += self.session.outbox.take_returned()
        assert self.states() == before

    def states(self):
        review = self.session.decisions.review
        return {known: (review.state(known), review.hunk(known)) for known in review.ids}

    @invariant()
    def no_message_vanishes(self):
        delivered = [e.message for e in self.shown if isinstance(e, events.Steered)]
        delivered += [e.prompt for e in self.shown if isinstance(e, events.TurnStarted)]
        waiting = [message.text for message in self.session.outbox.waiting]
        for text in self.sent:
            places = (text in delivered) + self.back.count(text) + waiting.count(text)
            assert places == 1, (text, places)

    @invariant()
    def whole_hunks_stay_to_the_byte(self):
        for hunk_id, event in self.whole.items():
            original = self.session.decisions.review.original(hunk_id)
            assert (original.old_start, original.old_lines, original.new_lines) == (
                event.old_start,
                tuple(event.old_lines),
                tuple(event.new_lines),
            )

    @invariant()
    def the_journal_is_what_was_shown(self):
        assert entries(self.session) == self.shown

    @invariant()
    def what_is_open_does_not_overlap_within_a_turn(self):
        for record in self.session._records:
            spans = sorted(
                (hunk.old_start, hunk.old_end)
                for hunk, state in self.session.decisions.hunks_of(record)
                if state in ("open", "accepted", "edited") and hunk.old_lines
            )
            # A person may take a decision back; then both stand until one of them is decided again.
            reopened = any(
                isinstance(e, events.Decided) and e.decision in ("open", "accepted", "edited", "kept")
                for e in self.shown
            )
            assert reopened or all(a[1] <= b[0] for a, b in itertools.pairwise(spans))


def in_any_order(machine, examples):
    slow_or_large = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
    rules = settings(
        max_examples=examples, stateful_step_count=14, deadline=None, suppress_health_check=slow_or_large
    )
    run_state_machine_as_test(machine, settings=rules)


@pytest.mark.parametrize("examples", [25, pytest.param(400, marks=pytest.mark.slow)])
def test_stop_steer_resume_branch_retry_queue_decide_and_restart_in_any_order(examples):
    in_any_order(Steering, examples)
