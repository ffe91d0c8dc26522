"""Esc and the key behind it, whether their bytes arrive together or apart."""

from __future__ import annotations

import pytest
from support.fake_session import FakeSession
from support.workbench_app import app_for, bench, halfway, running, screen_text, settle
from textual import _parser, constants
from textual import events as textual_events
from textual.message import Message

from spark_tui.tui.terminal.escape_keys import KeyParser, parted


class Clock:
    """The time that the parser sees."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(_parser, "get_time", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def messages(*chunks: str, clock: Clock) -> list[Message]:
    parser, found = KeyParser(), list[Message]()
    for chunk in chunks:
        found += parser.feed(chunk)
    clock.now += 60
    return [*found, *parser.tick()]


def keys(*chunks: str, clock: Clock) -> list[str]:
    """What comes of these reads, one at once after the other."""
    out: list[str] = []
    for one in messages(*chunks, clock=clock):
        if isinstance(one, textual_events.Key):
            out += [key.key for key in parted(one) or (one,)]
        else:
            out.append(type(one).__name__)
    return out


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1bw", ["escape", "w"]),
        ("\x1bW", ["escape", "W"]),
        ("\x1b:w\r", ["escape", "colon", "w", "enter"]),
        ("\x1b ", ["escape", "space"]),
        ("\x1b1", ["escape", "1"]),
        ("\x1b\r", ["escape", "enter"]),
        ("\x1b\x01", ["escape", "ctrl+a"]),
        ("\x1b[", ["escape", "left_square_bracket"]),
        ("\x1bn\x1bp", ["escape", "n", "escape", "p"]),
        ("\x1bé", ["escape", "é"]),
        ("\x1bf", ["escape", "f"]),
        ("\x1bno, " + "x" * 40, ["escape", "n", "o", "comma", "space", *("x" * 40)]),
        ("\x1b\x1b[A", ["escape", "up"]),
    ],
)
def test_together_they_are_esc_and_the_key(text: str, expected: list[str], clock: Clock) -> None:
    assert keys(text, clock=clock) == expected
    assert keys(*text, clock=clock) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b[?62;22c", []),
        ("x\x1b]11;rgb:1c1c/1c1c/1c1c\x1b\\y", ["x", "y"]),
        ("\x1bP>|tmux 3.3a\x1b\\\x1bw", ["escape", "w"]),
    ],
)
def test_what_a_terminal_tells_of_itself_is_no_key(text: str, expected: list[str], clock: Clock) -> None:
    assert keys(text, clock=clock) == expected


@pytest.mark.parametrize("text", ["\x1b[?62;22c", "\x1b[>1;10;0c", "\x1b[?1u", "\x1b[?997;1n"])
def test_nor_is_it_where_it_comes_in_two_reads(text: str, clock: Clock) -> None:
    for cut in range(2, len(text)):
        assert keys(text[:cut], text[cut:] + "y", clock=clock) == ["y"]


def test_apart_they_are_two_keys_however_late_the_reader_looks(clock: Clock) -> None:
    events = list[Message]()
    parser = KeyParser()
    events += parser.feed("\x1b")
    clock.now += constants.ESCAPE_DELAY * 1.5  # less than the pause between two looks
    events += parser.feed("w")
    assert [event.key for event in events if isinstance(event, textual_events.Key)] == ["escape", "w"]


@pytest.mark.parametrize("text", ["\x1b[A", "\x1b[1;3A", "\x1bOP", "\x1b[<0;3;4M", "\x1b\x7f"])
def test_a_code_is_read_as_before_whole_and_in_parts(text: str, clock: Clock) -> None:
    assert len(keys(text, clock=clock)) == 1
    assert keys(*text, clock=clock) == keys(text, clock=clock)


def test_pasted_text_is_no_keys(clock: Clock) -> None:
    assert keys("\x1b[200~one\ntwo\x1b[201~", "\x1bw", clock=clock) == ["Paste", "escape", "w"]
    assert keys("\x1b[200~one", "two\x1b[201~x", clock=clock) == ["Paste", "x"]


@pytest.mark.parametrize("cut", range(1, 6))
def test_where_pasted_text_begins_and_ends_is_seen_also_in_parts(cut: int, clock: Clock) -> None:
    begins, ends = "\x1b[200~", "\x1b[201~"
    pasted = messages(begins[:cut], f"{begins[cut:]}one \x1bw two{ends}", clock=clock)
    assert not any(getattr(one, "key", "") == "alt+w" for one in pasted)
    assert keys(f"{begins}one{ends[:cut]}", ends[cut:], "\x1bw\x1bn", clock=clock)[1:] == [
        "escape",
        "w",
        "escape",
        "n",
    ]


def test_what_the_terminal_tells_apart_stays_alt() -> None:
    assert parted(textual_events.Key("alt+w", None)) is None
    assert parted(textual_events.Key("a", "a")) is None


async def test_esc_and_a_letter_stop_the_model_and_begin_the_message() -> None:
    async with halfway() as (app, pilot, _, pause):
        await pause.come()
        app.post_message(textual_events.Key("alt+n", "n"))
        await settle(pilot)
        assert "◐ stopped" in screen_text(app)
        assert bench(app).prompt.text == "n"


async def test_a_key_with_alt_that_does_something_is_that_key(session: FakeSession) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        prompt = bench(app).prompt
        for key, character in (("a", "a"), ("alt+enter", "\r"), ("b", "b")):
            app.post_message(textual_events.Key(key, character))
        await settle(pilot)
        assert prompt.text == "a\nb"


@pytest.mark.parametrize("character", ["b", None])
async def test_alt_b_goes_a_word_back_where_there_is_text(
    session: FakeSession, character: str | None
) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        prompt = bench(app).prompt
        prompt.insert("one two")
        app.post_message(textual_events.Key("alt+b", character))
        await settle(pilot)
        assert (prompt.text, prompt.cursor_location) == ("one two", (0, 4))
