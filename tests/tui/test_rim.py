"""The status line: every figure of a turn, and the least wanted go first where there is no room."""

from __future__ import annotations

import pytest
from rich.style import Style

from spark_tui import events
from spark_tui.config import Settings
from spark_tui.tui import rim
from spark_tui.tui.board import Board
from spark_tui.tui.paint import bar


def board() -> Board:
    now = iter(range(1000))
    board = Board(lambda: next(now) / 10)
    board.begin()
    board.apply([events.TurnStarted("t", "x", "m", "lines"), events.PrefillProgress(2000, 2000)])
    for number in range(8):
        board.apply([events.Token(number, "x", drafted=number % 2 == 0)])
    usage = events.Usage(prompt_tokens=2000, output_tokens=100)
    board.apply([events.Finished("stop", usage, events.Timing(first_token=0.014))])
    return board


def shown(width: int, **more: object) -> str:
    left, right = rim.status(board(), 8192, 0, **more)  # type: ignore[arg-type]
    pieces = [[(text, Style()) for text, _ in part] for part in (left, right)]
    return "".join(segment.text for segment in bar(pieces[0], pieces[1], width, Style()))


def test_a_wide_line_says_everything() -> None:
    text = shown(120, wafer_rate=2310.4)
    assert "✓ done" in text
    assert "tok/s" in text
    assert "8 tokens · wafer 2,310 tok/s · drafts 50 % · first 14 ms · ctx 2.1k of 8.2k" in text


@pytest.mark.parametrize(
    ("width", "there", "gone"),
    [(96, "wafer", "8 tokens"), (78, "drafts", "wafer"), (64, "first", "drafts"), (50, "ctx", "first")],
)
def test_the_least_wanted_goes_first(width: int, there: str, gone: str) -> None:
    text = shown(width, wafer_rate=2310.4)
    assert len(text) == width
    assert there in text
    assert gone not in text


def test_a_model_that_is_loaded_says_how_far_it_is_also_while_another_writes() -> None:
    assert rim.loading("other", 43, 100) == "loading other 43 %"
    assert rim.loading("other", 0, 0) == "loading other …"
    assert shown(100, busy_with="loading other 43 %").startswith(" ◌ loading other 43 %")


def test_where_the_model_runs_is_said() -> None:
    assert [rim.mode(Settings(**given)) for given in ({}, {"connect": "x"}, {"replay": "x"})] == ["local", "server", ""]
    left, right = rim.header("shop", "main", True, "desk:8000/llama", 8192, "server")
    assert "main*" in "".join(text for text, _ in left)
    assert "".join(text for text, _ in right) == "8.2k window · server · desk:8000/llama "
