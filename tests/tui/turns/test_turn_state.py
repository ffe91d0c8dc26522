from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.fake_session import guard

from spark_tui import events
from spark_tui.session.storage.index_rows import EXACT_BACKEND, JOB_BACKEND
from spark_tui.tui.turns.metrics import TurnMetrics, sparkline
from spark_tui.tui.turns.state import TurnState

STARTED = events.TurnStarted("t", "guard it", "fake", "lines")
TURN = [STARTED, *(e for e in guard() if not hasattr(e, "go")), events.Finished("stop")]


def shown(turn_state: TurnState) -> object:
    return (
        [(h.id, h.path, h.start, h.state, h.old, h.new, h.tail) for h in turn_state.hunks.values()],
        turn_state.lines,
        turn_state.phase,
    )


@given(st.lists(st.integers(0, len(TURN)), max_size=6))
def test_however_a_turn_is_batched_the_board_is_the_same(cuts: list[int]) -> None:
    whole, pieces = TurnState(lambda: 0.0), TurnState(lambda: 0.0)
    whole.apply(TURN)
    edges = [0, *sorted(cuts), len(TURN)]
    for first, last in pairwise(edges):
        pieces.apply(TURN[first:last])
    assert shown(pieces) == shown(whole)


@given(st.text("ab\n\u2028\x0c", max_size=30), st.lists(st.integers(0, 30), max_size=5))
def test_text_of_a_hunk_does_not_depend_on_how_it_was_cut(text: str, cuts: list[int]) -> None:
    turn_state = TurnState(lambda: 0.0)
    turn_state.apply([STARTED, events.HunkOpened(1, "f", 1, 0)])
    edges = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    turn_state.apply([events.HunkText(1, text[a:b]) for a, b in pairwise(edges)])
    hunk = turn_state.hunks[1]
    assert [*hunk.new, hunk.tail] == text.split("\n")


def test_a_turn_without_a_change_says_so() -> None:
    turn_state = TurnState(lambda: 0.0)
    turn_state.apply([STARTED, events.Finished("no_edit")])
    assert [line.text for line in turn_state.lines] == ["guard it", "the model sees nothing to change"]
    turn_state = TurnState(lambda: 0.0)
    turn_state.apply([STARTED, events.Finished("stop")])
    assert [line.text for line in turn_state.lines] == ["guard it", "the answer is empty"]


def test_code_that_could_not_be_placed_has_a_message_of_its_own() -> None:
    turn_state = TurnState(lambda: 0.0)
    turn_state.apply(
        [STARTED, events.Prose("Try this:\n"), events.Prose("```\nx = 2\n```\n"), events.Finished("stop")]
    )
    assert "code that spark could not place" in turn_state.lines[-1].text
    turn_state.apply([STARTED, events.Prose("Why?\n"), events.Finished("stop")])
    assert turn_state.lines[-1].text == "the answer is text without an edit"


def test_an_edit_that_changes_nothing_is_reported() -> None:
    turn_state = TurnState(lambda: 0.0)
    same = events.HunkClosed(1, "cart.py", 3, (), ())
    turn_state.apply([STARTED, events.HunkOpened(1, "cart.py", 3, 1), same, events.Finished("stop")])
    assert turn_state.lines[-1].text == "the edit changes nothing: the file already has this text"


def test_the_line_after_a_turn_names_uncertain_hunks() -> None:
    turn_state = TurnState(lambda: 0.0)
    model, own = 0.3, 0.0  # a confidence, and a mark of spark's own
    for author, sureness, told in (
        (STARTED.backend, model, "the model is unsure of"),
        (STARTED.backend, own, "look at"),
        (JOB_BACKEND, model, "look at"),
    ):
        started, doubt = replace(STARTED, backend=author), events.Doubt(2, sureness, "new")
        turn_state.apply([started, *TURN[1:-1], doubt, TURN[-1]])
        assert turn_state.lines[-1].text == f"2 hunks in cart.py, +3 −1  ? {told} 1"


def test_a_hunk_without_a_place_says_what_differs_and_the_nearest_places() -> None:
    turn_state = TurnState(lambda: 0.0)
    failed = events.HunkFailed(3, "a.py", "line 7 differs", line=7, candidates=(7, 12, 40))
    turn_state.apply([STARTED, failed, events.Finished("stop")])
    assert turn_state.lines[-1].text == "a.py:7: line 7 differs. Similar lines: 12, 40."
    assert turn_state.hunks[3].state == "failed"


def test_what_was_written_is_text_of_the_file_at_the_next_turn_and_open_hunks_move_with_it() -> None:
    turn_state = TurnState(lambda: 0.0)
    turn_state.apply([*TURN, events.Decided(1, "accepted"), events.Applied(("cart.py",), "c1", (1,))])
    assert turn_state.hunks[1].state == "written"
    touched = turn_state.apply([STARTED])
    assert touched.paths == {"cart.py"}
    assert list(turn_state.hunks) == [2]
    assert turn_state.hunks[2].start == 22


def test_an_undone_write_says_so_and_is_written_again_by_redo() -> None:
    turn_state = TurnState(lambda: 0.0)
    turn_state.apply([*TURN, events.Decided(1, "accepted"), events.Applied(("cart.py",), "c1", (1,))])
    turn_state.apply([events.Undone(("cart.py",), "c1")])
    assert turn_state.hunks[1].state == "undone"
    assert turn_state.lines[-1].text == "undid cart.py"
    turn_state.apply([events.Undone(("cart.py",), "c1", redo=True)])
    assert turn_state.hunks[1].state == "written"
    turn_state.apply([events.Undone((), "c1")])
    assert turn_state.lines[-1].text == "undid nothing: it was so already"


def test_an_edited_hunk_has_the_text_of_the_person() -> None:
    turn_state = TurnState(lambda: 0.0)
    turn_state.apply([*TURN, events.Decided(2, "edited", "mine\n")])
    assert turn_state.hunks[2].new == ["mine"]
    assert turn_state.hunks[2] in turn_state.taken()


def test_the_rate_is_counted_over_the_last_second() -> None:
    metrics = TurnMetrics()
    metrics.start(10.0)
    for step in range(1, 41):
        metrics.note([events.Token(step, "x")] * 5, 10.0 + step * 0.05)
    assert metrics.rate(12.0) == pytest.approx(100, rel=0.15)
    assert metrics.mean() == pytest.approx(100, rel=0.1)
    assert metrics.first_token == pytest.approx(0.05)


def test_an_edit_that_a_call_writes_counts_as_it_arrives() -> None:
    metrics = TurnMetrics()
    metrics.start(10.0)
    metrics.note([events.ToolCalled("c", "write_file", 1)], 10.0)
    for step in range(1, 41):
        metrics.note([events.HunkText(1, "x" * 20)], 10.0 + step * 0.05)
    assert metrics.tokens == 200 and metrics.rate(12.0) == pytest.approx(100, rel=0.15)
    metrics.note([events.ToolFinished("c", "write_file", "{}", "done"), events.HunkText(2, "x" * 20)], 12.0)
    assert metrics.tokens == 200


@pytest.mark.parametrize(("tokens", "seconds"), [(20, 0.06), (2, 1.0)])
def test_a_tiny_answer_has_no_rate(tokens: int, seconds: float) -> None:
    metrics = TurnMetrics()
    metrics.start(10.0)
    for step in range(1, tokens + 1):
        metrics.note([events.Token(step, "x")], 10.0 + step * seconds / tokens)
    assert metrics.mean() is None


def test_a_tiny_answer_has_no_rate_of_the_file_either() -> None:
    metrics = TurnMetrics()
    metrics.start(10.0)
    timing = events.Timing(first_token=0.01, generation=0.06)
    metrics.note([events.Finished("stop", events.Usage(output_tokens=7, file_tokens=4_000), timing)], 10.1)
    assert metrics.file_rate == 0.0


def test_nothing_measured_is_none_and_no_bar() -> None:
    metrics = TurnMetrics()
    metrics.start(0.0)
    assert metrics.rate(1.0) is None
    assert sparkline(metrics.history(), 8) == ""


def test_the_largest_value_is_the_highest_bar() -> None:
    assert sparkline([0, 5, 10], 8) == "▁▅█"


def test_the_sum_of_a_turn_counts_what_stands_and_not_what_a_steer_dropped() -> None:
    turn_state = TurnState(lambda: 0.0)
    turn_state.apply([*TURN[:-1], events.Decided(1, "dropped"), TURN[-1]])
    assert [line.text for line in turn_state.lines if line.speaker == "sum"] == ["1 hunk in cart.py, +1 −1"]


def test_a_steer_that_drops_all_and_writes_nothing_says_so() -> None:
    turn_state = TurnState(lambda: 0.0)
    dropped = [events.Decided(hunk, "dropped") for hunk in (1, 2)]
    turn_state.apply([*TURN[:-1], *dropped, TURN[-1]])
    assert turn_state.lines[-1].text == "the model wrote nothing in place of the dropped hunks"
    assert not [line for line in turn_state.lines if line.speaker == "sum"]


def test_who_contradicts_an_answer_without_hunks_continues_with_the_turn() -> None:
    turn_state = TurnState(lambda: 0.0)
    assert not turn_state.is_about_the_turn("no, make it 11"), (
        "before the first turn there is nothing to contradict"
    )
    turn_state.apply([STARTED, events.Finished("stop")])
    assert turn_state.is_about_the_turn("no, make it 11")
    assert not turn_state.is_about_the_turn("make it 11")


def test_a_turn_that_hands_over_a_job_has_no_figures() -> None:
    turn_state = TurnState(lambda: 0.0)
    turn = [events.TurnStarted("t", "guard it", "job", "auto"), *TURN[1:]]
    turn_state.apply([*turn[:-1], events.Token(0, "x"), turn[-1]])
    turn_state.metrics.look_back(turn_state.last)
    assert (turn_state.metrics.tokens, turn_state.metrics.first_token) == (0, None)


def test_an_error_is_the_last_line_of_its_turn() -> None:
    turn_state = TurnState(lambda: 0.0)
    turn_state.apply([*TURN[:-1], events.Failed("the answer broke off", "here", "What arrived is kept.")])
    assert [line.speaker for line in turn_state.lines[-2:]] == ["sum", "error"]


def test_a_sentence_of_the_reader_that_makes_no_edit_needs_no_reason() -> None:
    turn_state = TurnState(lambda: 0.0)
    said = "Hunk 2 is rejected (cart.py:8)."
    begun = replace(STARTED, backend=EXACT_BACKEND)
    turn_state.apply([begun, events.Prose(said), events.Finished("stop")])
    assert [line.text for line in turn_state.lines if line.speaker != "you"] == [said]


@pytest.mark.parametrize(("at", "said"), [(0, "stopped"), (1, "after 1 token"), (2, "after 2 tokens")])
def test_a_stop_tells_after_how_many_tokens(at: int, said: str) -> None:
    turn_state = TurnState(lambda: 0.0)
    turn_state.apply([STARTED, events.Interrupted(at), events.Finished("interrupted")])
    assert any(line.text.endswith(said) for line in turn_state.lines)


@pytest.mark.parametrize(
    ("new", "said"), [(("x",), "stopped after 3 tokens; hunk 1 is partial"), ((), "stopped after 3 tokens")]
)
def test_a_stop_names_the_hunk_that_it_cut_off_where_there_is_one(new: tuple[str, ...], said: str) -> None:
    turn_state = TurnState(lambda: 0.0)
    cut = [events.HunkOpened(1, "f", 1, 0), events.HunkClosed(1, "f", 1, (), new, partial=bool(new))]
    turn_state.apply([STARTED, *cut, events.Interrupted(3, 1), events.Finished("interrupted")])
    assert [line.text for line in turn_state.lines if "stopped" in line.text] == [said]


def test_a_stopped_turn_can_be_resumed_once_its_model_is_back() -> None:
    state = TurnState(lambda: 0.0)
    state.apply([*TURN[:-1], events.Finished("interrupted")])
    stopped = state.last
    state.begin()
    state.refuse("another model is in use")
    assert state.last == stopped
    for resumes in (False, True):
        state.ending.change_model(resumes)
        assert state.last == (stopped if resumes else None)


def test_what_came_before_a_turn_is_not_resumed_where_that_turn_fails() -> None:
    state = TurnState(lambda: 0.0)
    state.apply([*TURN[:-1], events.Finished("interrupted")])
    state.begin()
    state.apply([STARTED])
    state.refuse("it broke")
    assert state.last is None
    state.apply([events.Finished("stop")])
    state.begin()
    state.refuse("it did not begin")
    assert state.last is None


def test_what_a_stopped_call_put_out_stands_with_the_stop_and_not_with_the_next_call() -> None:
    state, call = TurnState(lambda: 0.0), "call_0"
    run = [events.ToolCalled(call, "run"), events.ToolOutput(call, "half of it")]
    look = [events.ToolCalled(call, "read_file"), events.ToolOutput(call, "the file")]
    read = events.ToolFinished(call, "read_file", "{}", "a.py")
    state.apply([STARTED, *run, events.Interrupted(0), events.Finished("interrupted")])
    state.apply([STARTED, *look, read])
    assert [(line.text, line.detail) for line in state.lines if line.speaker == "note"] == [
        ("stopped", "half of it"),
        ("read_file a.py", "the file"),
    ]


def test_a_call_that_a_stop_without_a_line_cut_off_leaves_nothing_to_the_next() -> None:
    state, call = TurnState(lambda: 0.0), "call_0"
    state.apply([STARTED, events.ToolCalled(call, "run"), events.ToolOutput(call, "half of it")])
    state.apply([events.Finished("limit"), STARTED, events.ToolCalled(call, "read_file")])
    state.apply([events.ToolOutput(call, "the file"), events.ToolFinished(call, "read_file", "{}", "a.py")])
    assert [line.detail for line in state.lines if line.text == "read_file a.py"] == ["the file"]


def test_what_a_call_of_an_earlier_turn_put_out_is_not_shown_with_a_later_stop() -> None:
    state = TurnState(lambda: 0.0)
    state.apply([STARTED, events.ToolCalled("call_0", "run"), events.ToolOutput("call_0", "half of it")])
    state.apply([events.Finished("limit"), STARTED, events.Interrupted(3), events.Finished("interrupted")])
    assert [line.detail for line in state.lines if line.text.startswith("stopped")] == [""]


@pytest.mark.parametrize(("count", "named"), [(3, "a0.py, a1.py, a2.py"), (4, "4 files")])
def test_a_write_names_a_few_files_and_counts_many(count: int, named: str) -> None:
    turn_state, paths = TurnState(lambda: 0.0), tuple(f"a{at}.py" for at in range(count))
    turn_state.apply([events.Applied(paths, "c1", (1, 2)), events.Undone(paths, "c1", ())])
    assert [line.text for line in turn_state.lines] == [f"wrote 2 hunks to {named}", f"undid {named}"]
