"""An answer that repeats itself without an end is stopped, and can go on."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from support.fakes import FakeBackend

from spark_tui import events
from spark_tui.backends.base import FilePart, Request
from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest
from spark_tui.edits.parser import Parser
from spark_tui.session.repetition import Repetition, once
from spark_tui.session.session import Session
from spark_tui.session.turn import Turn

LOOP = "The function returns the least of the prices. "


def taken(text: str, piece: int = 7) -> int:
    """The characters that come before a text is taken for one without an end; all where it is not."""
    seen = Repetition()
    for at in range(0, len(text), piece):
        if seen.goes_on(text[at : at + piece]):
            return at
    return len(text)


@pytest.mark.parametrize("size", [16, 46, 700])
def test_a_text_that_comes_again_and_again_is_noticed_at_any_length(size: int) -> None:
    head, loop = "def area(width, height):\n" * 3, ("```\nA line, and another one.\n" * 40)[:size]
    assert len(head) + 3_000 < taken(head + loop * (9_000 // size)) < len(head) + 4_200


@pytest.mark.parametrize(
    "text",
    [
        "[0, 0, 0, 0],\n" * 200,
        "".join(f"{number}. The function returns the least of the prices.\n" for number in range(400)),
        ("".join(f"row {number}\n" for number in range(120))) * 3,
        "\n" * 9_000,
        "-" * 9_000,
        f"[{'0, ' * 64}],\n" * 64,
        f"[{'False, ' * 30}],\n" * 30,
        "0.0;0.0;0.0;0.0\n" * 400,
        "\\x00" * 2_000,
        "A" * 4_000,
        '{"id": null},\n' * 200,
    ],
)
def test_what_a_file_may_have_is_not_taken_for_it(text: str) -> None:
    assert taken(text) == len(text)
    in_a_call = json.dumps({"path": "data.py", "text": f"DATA = [\n{text}]\n"})
    assert taken(in_a_call) == len(in_a_call)


@pytest.mark.parametrize("loop", ["!", "0, ", "the ", " \n", "\n\n"])
def test_data_may_be_repeated_more_often_and_not_for_ever(loop: str) -> None:
    assert 16_000 < taken(loop * 20_000) < 16_500
    assert 16_000 < taken(json.dumps({"text": loop * 20_000})) < 33_500


def test_no_file_of_the_package_is_taken_for_it() -> None:
    files = Path(__file__).parents[2].joinpath("spark_tui").rglob("*.py")
    assert not [path for path in files if taken(text := path.read_text("utf-8"), 50) < len(text)]


def begun(answer: list[str], shown: str = "") -> Turn:
    request = Request(instruction="do it", files=(FilePart("prices.py", shown, 1, shown.count("\n")),))
    return Turn("t-1", (request,), FakeBackend(answer), lambda name: Parser(name, {}.get))


def test_what_the_file_has_is_written_again_to_its_end() -> None:
    shown, stop = "PRICES = [\n" + "the_same, as_before,\n" * 300 + "]\n", threading.Event()
    for file, reason in ((shown, "stop"), ("", "repeats")):
        turn = begun(["prices.py\n```\n", *shown.splitlines(keepends=True), "```\n"], file)
        assert [one.reason for one in turn.start(stop) if isinstance(one, events.Finished)] == [reason]


def test_the_turn_ends_with_what_was_said_and_can_go_on() -> None:
    turn, stop = begun([LOOP] * 400), threading.Event()
    seen = list(turn.start(stop))
    said = "".join(one.text for one in seen if isinstance(one, events.Token))
    assert len(LOOP) * 60 < len(said) < len(LOOP) * 100
    assert isinstance(seen[-1], events.Finished) and seen[-1].reason == "repeats"
    assert turn.can_resume
    more = "".join(one.text for one in turn.resume(stop) if isinstance(one, events.Token))
    assert len(LOOP) * 60 < len(more) < len(LOOP) * 100


def test_thoughts_that_repeat_themselves_end_it_too() -> None:
    class Thinking(FakeBackend):
        def stream(self, request, stop):
            yield from (events.Reasoning(LOOP) for _ in range(400))
            raise AssertionError("the model went on thinking")

    turn = Turn("t-1", (Request(instruction="do it"),), Thinking([]), lambda name: Parser(name, {}.get))
    assert [one.reason for one in turn.start(threading.Event()) if isinstance(one, events.Finished)] == [
        "repeats"
    ]


@pytest.mark.parametrize("size", [1, 3, 46, 700])
def test_what_an_answer_repeats_is_said_once(size: int) -> None:
    head, loop = "def area(width, height):\n" * 3, ("```\nA line, and another one.\n" * 40)[:size]
    said = once(head + loop * (9_000 // size))
    assert said.startswith(head) and len(said) < len(head) + 2 * max(size, 28)
    assert once(head) == head and once("") == "" and once(loop * 2) == loop * 2


def test_a_later_turn_is_not_told_all_of_it(tmp_path: Path) -> None:
    session = Session(tmp_path, backend := FakeBackend([LOOP] * 400), Settings(), tmp_path / "state")
    for _ in range(2):
        list(session.turns.start(ContextRequest("do it"), stop=threading.Event()))
    assert [exchange.answer.count(LOOP.strip()) for exchange in backend.requests[1].history] == [1]
    session.close()
