"""Wherever the process is killed in whatever a person does: what was shown is in the journal, and it goes
on."""

import contextlib
import itertools
import shutil
import threading

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import rule
from support.scripted_sessions import entries
from test_steering_stateful import Steering, in_any_order

from spark_tui.errors import SparkError


class Killed(Steering):
    """A killed process leaves what the system was given: the state folder as it is behind an event, and at
    most a piece of the line that comes next."""

    counts = st.integers(1, 25)
    torn = st.sampled_from([b"", b"0", b"00000000 ", b'1badc0de {"at":1.0,"event":{"type":"Tok', b"zz\n"])

    @rule(act=st.sampled_from(["turn", "resume", "retry"]), count=counts, torn=torn)
    def be_killed(self, act, count, torn):
        session, stop = self.session, threading.Event()
        stream = {
            "turn": lambda: session.turn(self.new_text(), stop=stop),
            "resume": lambda: session.turns.resume(stop=stop),
            "retry": lambda: session.turns.retry(stop=stop),
        }[act]()
        self.die(stream, count, torn)

    @rule(count=counts, torn=torn)
    def be_killed_in_a_steer(self, count, torn):
        text = self.new_text()
        self.sent.append(text)
        self.die(self.session.turns.steer(text, stop=threading.Event()), count, torn)

    def die(self, stream, count, torn):
        """After so many events of a leg, or after its end; a piece of a line may be written by then."""
        state, left = self.home / "state", self.home / "left"
        self.session.backend.error = None
        with contextlib.suppress(SparkError):
            self.shown.extend(itertools.islice(stream, count))
        shutil.copytree(state, left)
        stream.close()
        session_id = self.session.id
        self.session.close()
        shutil.rmtree(state)
        left.rename(state)
        with (state / "sessions" / session_id / "journal.jsonl").open("ab") as file:
            file.write(torn)
        self.open(session_id)
        self.back += self.session.outbox.take_returned()
        kept = entries(self.session)
        assert kept[: len(self.shown)] == self.shown
        self.shown = kept


@pytest.mark.parametrize("examples", [25, pytest.param(150, marks=pytest.mark.slow)])
def test_a_kill_after_any_event_of_anything_that_a_person_does_loses_nothing(examples):
    in_any_order(Killed, examples)
