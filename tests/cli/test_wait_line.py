"""The line of stderr that says what a command waits for."""

import io
import sys
import time

import pytest
from support.failing_servers import EDIT
from support.job_runs import until
from support.scripted_model import Answer, ScriptedModel

from spark_tui import events
from spark_tui.cli import wait_line
from spark_tui.cli.wait_line import WaitLine


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def on_terminal(monkeypatch):
    """To be called by the test itself: pytest sets the streams between it and its fixtures."""

    def on_terminal():
        monkeypatch.setattr(wait_line, "_QUIET_SECONDS", 0.0)
        monkeypatch.setattr(wait_line, "_LOOK_SECONDS", 0.001)
        monkeypatch.setattr(sys, "stderr", Terminal())
        return sys.stderr

    return on_terminal


def test_it_says_what_the_model_does_and_goes_away(on_terminal):
    terminal = on_terminal()
    with WaitLine() as line:
        for event, words in [
            (events.TurnStarted("1", "go", "host/m", "prose", 0.0), "waiting for host/m, 0 s"),
            (events.Reasoning("hm"), "host/m is thinking, 0 s"),
            (events.Token(1, "x"), "host/m is writing, 0 s"),
            (events.ToolCalled("c", "run\x1b", 1), "calling run\\x1b, 0 s"),
        ]:
            line.note(event)
            until(lambda words=words: words in terminal.getvalue())
    assert terminal.getvalue().endswith(wait_line._CLEARED)
    assert "\n" not in terminal.getvalue()


def test_a_stall_is_counted(on_terminal, monkeypatch):
    terminal = on_terminal()
    monkeypatch.setattr(wait_line, "_STALL_SECONDS", 0.0)
    with WaitLine() as line:
        line.note(events.Token(1, "x"))
        until(lambda: "no data for 0 s" in terminal.getvalue())


def test_words_on_the_line_stay(on_terminal):
    terminal = on_terminal()
    held = True
    with WaitLine("working", held=lambda: held) as line:
        line.note(events.PrefillProgress(3000, 4000, 0))
        assert terminal.getvalue() == ""
        held = False
        until(lambda: "reading 3,000 of 4,000 tokens" in terminal.getvalue())


def test_elsewhere_than_on_a_terminal_there_is_none(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with WaitLine() as line:
        line.note(events.PrefillProgress(3000, 4000, 0))
    assert sys.stderr.getvalue() == ""


def test_a_log_says_ever_less_often_what_is_waited_for(monkeypatch):
    monkeypatch.setattr(wait_line, "_LOG_SECONDS", 0.02)
    monkeypatch.setattr(wait_line, "_LOOK_SECONDS", 0.001)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    begun = time.monotonic()
    with WaitLine("waiting for m"):
        until(lambda: sys.stderr.getvalue().count("\n") == 2)
        assert time.monotonic() - begun >= 0.04
    assert set(sys.stderr.getvalue().splitlines()) == {"spark: waiting for m, 0 s"}


def test_a_log_does_not_say_again_that_a_server_is_asked_later(monkeypatch):
    monkeypatch.setattr(wait_line, "_LOG_SECONDS", 0.02)
    monkeypatch.setattr(wait_line, "_LOOK_SECONDS", 0.001)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with WaitLine("waiting for m") as line:
        line.note(events.Retrying(0.3, "busy", 1))
        time.sleep(0.15)
        assert sys.stderr.getvalue() == ""
        until(sys.stderr.getvalue)


class _Waited(ScriptedModel):
    """Answers once the person was told that it is waited for."""

    def next_answer(self, body):
        until(lambda: "waiting for 127.0.0.1:" in sys.stderr.getvalue())
        return super().next_answer(body)


@pytest.mark.parametrize("words", [["exec", "free shipping from 5900", "-f", "shop/cart.py"], ["connect"]])
def test_a_server_that_says_nothing_yet_is_said_to_be_waited_for(run, on_terminal, words):
    terminal = on_terminal()
    with _Waited(Answer(EDIT)) as server:
        ask = ["--connect", server.url, "--model", "m"] if words[0] == "exec" else [server.url, "--test"]
        assert run(*words, *ask)[0] == 0
    assert terminal.getvalue().count(wait_line._CLEARED) > 1


def test_the_events_of_an_answer_are_not_on_its_line(run, on_terminal):
    on_terminal()
    with _Waited(Answer(EDIT)) as server:
        words = ["exec", "go", "-f", "shop/cart.py", "--json", "--connect", server.url, "--model", "m"]
        code, out, _ = run(*words)
    assert code == 0 and "waiting" not in out
