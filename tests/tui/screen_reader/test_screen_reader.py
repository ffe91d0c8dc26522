from __future__ import annotations

import io
import threading
from collections.abc import Iterator

import pytest
from support.fake_session import CART, FakeSession, Pause, guard

from spark_tui import events
from spark_tui.tui.screen_reader.loop import run_screen_reader
from spark_tui.tui.screen_reader.speaker import LineSpeaker


def spoken(session: FakeSession, *lines: str) -> list[str]:
    out = io.StringIO()
    assert run_screen_reader(session, io.StringIO("".join(f"{line}\n" for line in lines)), out) == 0
    return out.getvalue().split("\n")


def test_a_turn_is_spoken_once_in_order(session: FakeSession) -> None:
    said = spoken(session, "guard it", "quit")
    assert said[1:] == [
        "Working.",
        "Hunk 1, cart.py line 15, 2 new lines, undecided.",
        "Hunk 2, cart.py line 20, 1 line becomes 1, undecided.",
        "Both places are guarded now.",
        "Done. 2 to decide.",
        "",
    ]
    assert session.closed


def test_the_reason_for_no_hunk_is_spoken() -> None:
    script = [
        events.TurnStarted("t", "go", "fake", "lines"),
        events.Prose("```\nx\n```\n"),
        events.Finished("stop"),
    ]
    said = spoken(FakeSession({}, {"go": script}), "go")
    assert any(line.startswith("The answer contains code that spark could not place") for line in said)
    stopped = [
        events.TurnStarted("t", "go", "fake", "lines"),
        events.Interrupted(3),
        events.Finished("interrupted"),
    ]
    said = spoken(FakeSession({}, {"go": stopped}), "go")
    assert sum("stopped after 3 tokens" in line for line in said) == 1


def test_words_decide_and_write(session: FakeSession) -> None:
    said = spoken(session, "guard it", "next", "accept", "reject 2", "diff", "write", "undo")
    assert "Hunk 1, cart.py line 15, 2 new lines, accepted." in said
    assert "Hunk 2, cart.py line 20, 1 line becomes 1, rejected." in said
    assert "plus         if qty < 1:" in said
    assert "wrote 1 hunk to cart.py" in said
    assert "undid cart.py" in said
    assert session.texts["cart.py"] == CART
    assert [call[1:3] for call in session.calls if call[0] == "decide"] == [(1, "accepted"), (2, "rejected")]


def test_accept_all_takes_every_open_hunk(session: FakeSession) -> None:
    spoken(session, "guard it", "accept all", "write")
    assert "if qty < 1:" in session.texts["cart.py"]
    assert "return not self.lines" in session.texts["cart.py"]


def test_accept_all_leaves_out_marked_hunks_until_it_is_said_again(session: FakeSession) -> None:
    session.checks = (events.Checked((1, 2)), events.Doubt(1, 0.0, "breaks cart.py:29: no", "cart.py", 29))
    said = spoken(session, "guard it", "accept all", "write")
    assert "1 marked hunk was not accepted (?). Say accept all again to accept it too." in said
    assert "if qty < 1:" not in session.texts["cart.py"]
    assert "return not self.lines" in session.texts["cart.py"]
    session = FakeSession({"cart.py": CART}, {"guard it": guard()})
    session.checks = (events.Checked((1, 2)), events.Doubt(1, 0.0, "breaks cart.py:29: no", "cart.py", 29))
    spoken(session, "guard it", "accept all", "accept all", "write")
    assert "if qty < 1:" in session.texts["cart.py"]


def partial_session() -> FakeSession:
    old = tuple(CART.split("\n")[13:17])
    cut = events.HunkClosed(1, "cart.py", 14, old, ("        item = self.inv",), partial=True)
    session = FakeSession({"cart.py": CART}, {"guard it": [cut, events.Interrupted(3, 1)]})
    session.resume = lambda *, stop: iter(())  # type: ignore[method-assign, misc]
    return session


@pytest.mark.parametrize("word", ["accept 1", "accept all", "accept"])
def test_a_partial_hunk_is_kept_by_a_word_of_its_own_once_its_loss_was_named(word: str) -> None:
    session = partial_session()
    said = spoken(session, "guard it", word, "write")
    assert "Hunk 1 is partial: it keeps 1 line, deletes 4 lines: def add(self, sku, qty=1): …" in said
    assert "Say resume, reject 1, or keep 1 to accept it as it is." in said
    assert session.texts["cart.py"] == CART
    session = partial_session()
    spoken(session, "guard it", word, "keep 1", "write")
    assert "item = self.inv\n" in session.texts["cart.py"]


def test_all_is_said_where_one_hunk_is_wanted(session: FakeSession) -> None:
    asked = "Error: say which hunk, by its number. The hunks are: 1, 2."
    said = spoken(session, "guard it", "keep all", "accept", "keep 7")
    assert said.count(asked) == 2
    assert "Error: there is no hunk 7. The hunks are: 1, 2." in said


def test_a_prompt_that_is_a_word_takes_a_colon() -> None:
    session = FakeSession({}, {"list": []})
    spoken(session, ":list")
    assert session.calls == [("turn", "list", "")]


def test_a_hunk_that_is_not_there_is_a_sentence(session: FakeSession) -> None:
    assert "Error: there are no hunks yet. Say what to change." in spoken(session, "accept 9")


@pytest.mark.parametrize("line", ["/stats", "/theme light"])
def test_a_command_that_is_not_there_is_no_instruction(line: str, session: FakeSession) -> None:
    word = line.partition(" ")[0]
    assert f"Error: there is no command {word}. Say help for the commands." in spoken(session, line)
    assert not session.calls


def test_nothing_that_steers_a_terminal_is_spoken() -> None:
    script = [events.Prose("\x1b[2J\u202ehi\n"), events.HunkClosed(1, "a\x1b.py", 1, (), ("\x07",), "add")]
    said = "\n".join(spoken(FakeSession({}, {"go": script}), "go", "show 1"))
    assert not [char for char in said if (ord(char) < 32 and char != "\n") or char == "\u202e"]


def spoken_during(word: str) -> tuple[FakeSession, str]:
    """What is said when `word` comes while the first hunk streams."""
    pause, finished = Pause(), threading.Event()
    session = FakeSession({"cart.py": CART}, {"guard it": guard(pause_inside=pause)})

    class Ears(io.StringIO):
        def __iter__(self) -> Iterator[str]:  # type: ignore[override]
            yield "guard it\n"
            assert pause.reached.wait(60)
            yield f"{word}\n"
            finished.wait(60)

    out = io.StringIO()
    speaker = threading.Thread(target=lambda: run_screen_reader(session, Ears(), out))
    speaker.start()
    while "Done." not in out.getvalue() and speaker.is_alive():
        speaker.join(0.01)
    finished.set()
    speaker.join(60)
    return session, out.getvalue()


def test_stop_counts_while_the_turn_runs() -> None:
    assert "stopped after" in spoken_during("stop")[1]


def test_what_is_said_while_the_model_writes_steers_it() -> None:
    session, said = spoken_during("use Decimal")
    assert session.calls == [("turn", "guard it", ""), ("steer", "use Decimal")]
    assert "Steered: use Decimal" in said


def test_stop_reports_whether_it_was_the_first() -> None:
    speaker = LineSpeaker(FakeSession({}, {}), io.StringIO())
    assert not speaker.stop()


def test_what_is_said_after_a_stop_continues_with_the_turn() -> None:
    class Stopping(FakeSession):
        def _play(self, name: str, stop: threading.Event) -> Iterator[events.Event]:
            yield events.Interrupted(3)
            yield events.Finished("stop" if name.startswith("no") else "interrupted")

    session = Stopping({}, {})
    spoken(session, "guard it", "no, TypeError", "it had ended", ":anew")
    assert [call[:2] for call in session.calls] == [
        ("turn", "guard it"),
        ("steer", "no, TypeError"),
        ("turn", "it had ended"),
        ("turn", "anew"),
    ]


def test_what_a_hunk_would_break_is_spoken(session: FakeSession) -> None:
    place = events.Doubt(1, 0.0, "breaks tests.py:8: calls add() without qty", "tests.py", 8)
    session.checks = (events.Checked((1, 2)), place)
    said = spoken(session, "guard it", "list")
    assert "Hunk 1 breaks tests.py:8: calls add() without qty." in said
    assert any(line.endswith("undecided, breaks tests.py:8: calls add() without qty.") for line in said)


def test_a_decision_is_changed_by_the_other_word(session: FakeSession) -> None:
    spoken(session, "guard it", "accept all", "reject 1", "write")
    assert "if qty < 1:" not in session.texts["cart.py"]
    assert "return not self.lines" in session.texts["cart.py"]
