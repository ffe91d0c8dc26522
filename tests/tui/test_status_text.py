"""The status line: every figure of a turn, and the least wanted go first where there is no room."""

from __future__ import annotations

import pytest
from rich.style import Style

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.tui import status_text
from spark_tui.tui.code.hunk_view import HunkState
from spark_tui.tui.settings.keys import keymap
from spark_tui.tui.text.segments import bar
from spark_tui.tui.turns.state import TurnState
from spark_tui.tui.view_state import ViewState, footer, why_not


def turn_state() -> TurnState:
    now = iter(range(1000))
    turn_state = TurnState(lambda: next(now) / 10)
    turn_state.begin()
    turn_state.apply([events.TurnStarted("t", "x", "m", "lines"), events.PrefillProgress(2000, 2000)])
    for number in range(8):
        turn_state.apply([events.Token(number, "x", drafted=number % 2 == 0)])
    usage = events.Usage(prompt_tokens=2000, output_tokens=100)
    turn_state.apply([events.Finished("stop", usage, events.Timing(first_token=0.014))])
    return turn_state


def shown(width: int, **more: object) -> str:
    left, right = status_text.status(turn_state(), 8192, 0, **more)  # type: ignore[arg-type]
    pieces = [[(text, Style()) for text, _ in part] for part in (left, right)]
    return "".join(segment.text for segment in bar(pieces[0], pieces[1], width, Style()))


def test_a_wide_line_says_everything() -> None:
    text = shown(130, wafer_rate=2310.4)
    assert "✓ done" in text
    assert "tok/s" in text
    figures = "8 tokens · wafer 2,310 tok/s · speculative 50 % · first token 14 ms · context 2.1k of 8.2k"
    assert figures in text


def test_a_turn_whose_edits_failed_is_not_done() -> None:
    state = turn_state()
    failures = [events.HunkFailed(number, "cart.py", "does not fit", 3, number) for number in (1, 2)]
    state.apply([*failures, events.Finished("stop", events.Usage(), events.Timing())])
    left, _ = status_text.status(state, 8192, 0)
    assert "! 2 edits failed" in "".join(text for text, _ in left)


def test_the_context_is_what_the_last_request_read() -> None:
    state = turn_state()
    usage = events.Usage(prompt_tokens=5000, output_tokens=100)
    state.apply([events.PrefillProgress(3000, 3000), events.Finished("stop", usage, events.Timing())])
    _, right = status_text.status(state, 8192, 0)
    assert "context 3.1k of 8.2k" in "".join(text for text, _ in right)


def test_after_the_turn_the_rate_of_the_file_stands_beside_that_of_the_decided_tokens() -> None:
    state = turn_state()
    usage = events.Usage(prompt_tokens=2000, output_tokens=8, file_tokens=900)
    state.apply([events.Finished("stop", usage, events.Timing(first_token=0.014, generation=0.1))])
    left, _ = status_text.status(state, 8192, 0)
    assert "tok/s, 9,000 with copied text " in "".join(text for text, _ in left)


@pytest.mark.parametrize(
    ("width", "there", "gone"),
    [
        (112, "wafer", "8 tokens"),
        (100, "speculative", "wafer"),
        (80, "first token", "speculative"),
        (60, "context", "first token"),
    ],
)
def test_the_least_wanted_goes_first(width: int, there: str, gone: str) -> None:
    text = shown(width, wafer_rate=2310.4)
    assert len(text) == width
    assert there in text
    assert gone not in text


def test_a_model_that_is_loaded_says_how_far_it_is_also_while_another_writes() -> None:
    assert status_text.loading("other", 43, 100) == "loading other 43 %"
    assert status_text.loading("other", 0, 0) == "loading other …"
    assert shown(100, busy_with="loading other 43 %").startswith(" ◌ loading other 43 %")


@pytest.mark.parametrize(
    ("reason", "said"), [("choices", "· several edits may be meant"), ("no_edit", "· no edit")]
)
def test_a_turn_without_an_edit_is_not_called_done(reason: str, said: str) -> None:
    state = turn_state()
    state.apply([events.Finished(reason)])
    left, _ = status_text.status(state, 8192, 0)
    assert left[0][0].strip() == said


def test_where_the_model_runs_is_said() -> None:
    assert [status_text.mode(Settings(**given)) for given in ({}, {"connect": "x"}, {"replay": "x"})] == [
        "local",
        "server",
        "",
    ]
    left, right = status_text.header("shop", "main", True, "desk:8000/llama", 8192, "server")
    assert "main*" in "".join(text for text, _ in left)
    assert "".join(text for text, _ in right) == "8.2k window · server · desk:8000/llama "


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("hunk", ["closed", "accepted", "written", None])
def test_the_way_out_of_the_code_is_said_on_every_screen(width: int, hunk: HunkState | None) -> None:
    now = ViewState(
        "code",
        hunk=hunk,
        hunks=3,
        open=2,
        taken=1,
        written=True,
        undone=True,
        uncommitted=True,
        next_pane="hunks",
    )
    pieces = [(part, Style()) for key, what in footer(now, keymap()) for part in (f" {key}", f" {what}  ")]
    said = "".join(segment.text for segment in bar(pieces, [], width, Style(), group=2))
    assert "Esc prompt" in said
    assert "? keys" in said


def test_an_action_without_a_key_is_not_in_the_footer() -> None:
    rebound = keymap({"quit": "", "accept": ""})
    for now in (ViewState("prompt"), ViewState("code", hunk="closed", open=1)):
        assert footer(now, keymap()) != footer(now, rebound)
        assert all(key != "—" for key, _ in footer(now, rebound))


def test_a_hunk_of_one_line_is_not_offered_to_be_split() -> None:
    for splits in (False, True):
        shown = footer(ViewState("code", hunk="closed", hunks=1, open=1, splits=splits), keymap())
        assert (("s", "split") in shown) is splits


def test_without_a_file_no_key_for_a_file_is_shown() -> None:
    shown = [key for key, _ in footer(ViewState("code", file=False), keymap())]
    assert shown[0] == "f"
    assert not {"i", "/", "v", "z"} & set(shown)


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ("lines", "nothing to choose here"),
        ("hunk.next", "there are no hunks yet"),
        ("file.next", "there are no hunks yet"),
        ("find.next", "nothing to find here"),
        ("accept.all", "nothing to accept here"),
    ],
)
def test_a_key_that_does_nothing_says_why_in_words(action: str, said: str) -> None:
    assert why_not(action, ViewState("code")) == said


def test_a_narrow_screen_says_where_the_keys_are_listed_and_how_to_quit() -> None:
    hints = footer(ViewState("prompt", hunks=4, open=4), keymap())
    pieces = [(part, Style()) for key, what in hints for part in (f" {key}", f" {what}  ")]
    said = "".join(segment.text for segment in bar(pieces, [], 80, Style(), group=2))
    assert "F1 keys" in said
    assert "Ctrl+Q quit" in said


def waiting(*found: events.Event, now: float) -> str:
    """The status line at a time after events that came one each second, from 0 on."""
    clock = [0.0]
    far = TurnState(lambda: clock[0])
    far.begin()
    for second, event in enumerate([events.TurnStarted("t", "x", "m", "lines"), *found]):
        clock[0] = float(second)
        far.apply([event])
    clock[0] = now
    left, right = status_text.status(far, 0, 0)
    return "".join(text for text, _ in [*left, *right])


def test_a_busy_server_is_waited_for_with_a_countdown() -> None:
    retry = events.Retrying(12.0, "slow down", 1)
    assert "asking again in 12 s: slow down" in waiting(retry, now=1.0)
    assert "asking again in 3 s: slow down" in waiting(retry, now=10.5)
    assert "asking again" not in waiting(retry, events.Token(1, "x"), now=2.0)


def test_the_rate_of_a_stream_that_stalls_falls_to_nothing_and_the_silence_is_told() -> None:
    tokens = [events.Token(number, "x") for number in range(20)]
    assert "writing" in waiting(*tokens, now=20.1)
    stalled = waiting(*tokens, now=32.0)
    assert "no data for 12 s" in stalled and "  0 tok/s" in stalled


def test_a_tool_at_work_is_named_and_is_no_silence_of_the_server() -> None:
    said, called = events.Token(1, "I run the tests."), events.ToolCalled("1", "run")
    assert "calling run, 40 s" in waiting(said, called, now=42.0)
    over = events.ToolFinished("1", "run", "{}", "pytest -q: exit code 0")
    assert "thinking" in waiting(said, called, over, now=4.0)


def test_a_server_that_has_not_said_a_word_is_waited_for_with_seconds() -> None:
    assert "thinking" in waiting(now=1.0)
    assert "waiting, 8 s" in waiting(now=8.0)
    assert "thinking, 8 s" in waiting(events.Reasoning("hm"), now=9.0)


def test_an_edit_that_streams_in_a_tool_call_is_writing() -> None:
    called, opened = events.ToolCalled("1", "edit"), events.HunkOpened(1, "cart.py", 1, 1)
    text = [events.HunkText(1, "x")] * 9
    assert "calling edit" in waiting(called, now=2.0)
    assert "writing" in waiting(called, opened, now=3.0)
    assert "writing" in waiting(called, opened, *text, now=12.0)
    assert "no data for 8 s" in waiting(called, opened, *text, now=19.0)


def test_reasoning_is_one_line_of_the_transcript() -> None:
    clock = [0.0]
    far = TurnState(lambda: clock[0])
    far.apply([events.TurnStarted("t", "x", "m", "lines"), events.Reasoning("let me ")])
    clock[0] = 3.2
    far.apply([events.Reasoning("see"), events.Token(1, "Yes"), events.Prose("Yes")])
    far.apply([events.Finished("stop")])
    assert [line.text for line in far.lines][1:3] == ["thought for 3 s", "Yes"]


def test_cost_is_told_for_the_turn_and_the_session() -> None:
    far = TurnState(lambda: 0.0)
    for cost in (0.004, 0.2):
        far.begin()
        far.apply([events.TurnStarted("t", "x", "m", "lines"), events.Token(1, "x")])
        far.apply([events.Finished("stop", events.Usage(cost=cost))])
    _, right = status_text.status(far, 0, 0)
    assert "cost 0.20, session 0.20" in "".join(text for text, _ in right)
    assert [status_text.money(amount) for amount in (0.0042, 0.13, 2.5)] == ["0.0042", "0.13", "2.50"]


def test_text_that_is_held_back_says_the_rate_of_the_engine() -> None:
    state = turn_state()
    state.metrics.own_rate = 612.4
    left, _ = status_text.status(state, 8192, 0)
    text = "".join(text for text, _ in left)
    assert "612 tok/s, shown at 9" in text
    assert "▃" not in text


def test_whoever_scrolled_away_from_the_stream_is_told_first_how_to_follow_it() -> None:
    away = ViewState(place="code", busy=True, following=False, hunk="closed", hunks=9, open=9)
    assert footer(away, keymap())[:2] == [("Esc", "stop"), (".", "follow")]
