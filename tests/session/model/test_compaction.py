"""A conversation of any length stays within the window, and its beginning stays the same."""

from itertools import pairwise

import pytest
from support.event_streams import of
from support.open_sessions import open_sessions
from support.scripted_backend import run
from support.small_repositories import written
from support.tool_backend import Call, ToolBackend

from spark_tui import events
from spark_tui.backends.base import Exchange
from spark_tui.backends.tool_calls import ToolCall, ToolResult, ToolStep
from spark_tui.context.shown_context import ContextRequest
from spark_tui.errors import Misfit
from spark_tui.session.model.compaction import NOTED, ToldTurn, compacted
from spark_tui.session.model.tool_history import within


def told(number, size=300, outcome="hunk 1: written"):
    return ToldTurn(
        (Exchange(f"ask {number}", "x" * size, outcome),), f"ask {number}", (f"{number}.py",), outcome
    )


def tokens(exchanges):
    return (
        sum(
            len(exchange.instruction) + len(exchange.answer) + len(exchange.outcome) for exchange in exchanges
        )
        // 3
    )


def test_what_fits_is_told_in_full():
    turns = [told(number) for number in range(5)]
    assert compacted(turns, 10_000) == compacted(turns, 0) == tuple(turn.exchanges[0] for turn in turns)


@pytest.mark.parametrize("count", [1, 20, 200, 2_000])
def test_any_number_of_turns_stays_within_the_limit(count):
    found = compacted([told(number) for number in range(count)], 1_000)
    assert tokens(found) <= 1_400
    assert found[-1].instruction == f"ask {count - 1}"


def test_the_facts_are_what_was_asked_where_and_what_became_of_it():
    turns = [told(1, outcome=""), *(told(number) for number in range(2, 40))]
    facts = compacted(turns, 2_000)[0]
    assert facts.answer == NOTED
    head, *lines = facts.instruction.split("\n")
    assert head == "Earlier in this session, as facts:"
    assert lines[:2] == ["- ask 1 (1.py): nothing was edited", "- ask 2 (2.py): hunk 1: written"]
    many = compacted([told(number) for number in range(400)], 400)[0]
    assert "after" in many.instruction.split("\n")[0]


def test_the_beginning_of_the_prompt_changes_seldom():
    turns = [told(number) for number in range(120)]
    starts = [compacted(turns[: count + 1], 2_000)[0] for count in range(120)]
    assert sum(one != other for one, other in pairwise(starts)) <= 15


def step(number, text):
    call = ToolCall(f"c{number}", "read_file", "{}")
    return ToolStep("", (call,), (ToolResult(call.id, text, False),))


def test_outputs_of_old_steps_give_way():
    steps = [step(number, "line\n" * 200) for number in range(30)]
    found = within(steps, 2_000)
    assert [item.calls for item in found] == [item.calls for item in steps]
    assert found[0].results[0].text == "(1,000 characters, left out to save room: call again if needed)"
    assert found[-1] == steps[-1]
    assert sum(len(item.results[0].text) for item in found) // 3 < 2_600
    assert within(steps, 0) == tuple(steps)
    short = [step(number, "ok") for number in range(2_000)]
    assert within(short, 100) == tuple(short)


def last_request(folder, files, backend, asked):
    """What a model with a small window is asked in the end."""
    backend.window = 8_000
    with open_sessions(written(folder / "plain", files), folder / "state") as open_one:
        session = open_one(backend)
        for instruction in asked:
            run(session.turns.start, ContextRequest(instruction))
    return backend.requests[-1]


def test_a_session_of_many_turns_stays_within_its_window(tmp_path):
    asked = [f"say {number}" for number in range(40)]
    backend = ToolBackend(["Some words. " * 200])
    last = last_request(tmp_path, {"cart.py": "x = 1\n" * 50}, backend, asked)
    assert tokens(last.history) <= 5_600
    assert last.history[0].answer == NOTED
    assert "- say 0" in last.history[0].instruction
    assert last.history[-1].instruction == "say 38"


def test_the_tools_outputs_of_a_long_turn_stay_within_it(tmp_path):
    calls = [[Call("read_file", path="big.py", first=number, last=number + 300)] for number in range(1, 25)]
    last = last_request(tmp_path, {"big.py": "value = 12345\n" * 1_500}, ToolBackend(*calls), ["look"])
    assert len(last.steps) == 24
    assert sum(len(item.results[0].text) for item in last.steps[:-1]) // 3 <= 4_000
    assert "left out to save room" in last.steps[0].results[0].text


class SmallServer(ToolBackend):
    """A server that does not say how small its window is, and refuses what is longer."""

    most, window = 12_000, 0
    """Characters of history and outputs."""

    def stream(self, request, stop):
        told = sum(len(exchange.answer) for exchange in request.history)
        outputs = sum(len(result.text) for step in request.steps for result in step.results)
        if told + outputs > self.most:
            self.requests.append(request)
            raise Misfit("prompt is too long")
        yield from super().stream(request, stop)


def test_a_turn_goes_on_with_less_where_the_window_is_smaller_than_was_thought(tmp_path):
    backend = SmallServer(
        *([Call("read_file", path="big.py", first=at, last=at + 300)] for at in range(1, 9))
    )
    root = written(tmp_path / "plain", {"big.py": "value = 12345\n" * 1_500})
    with open_sessions(root, tmp_path / "state") as open_one:
        session = open_one(backend)
        seen = run(session.turn, "look")
    assert len(backend.requests[-1].steps) == 8
    assert isinstance(seen[-1], events.Finished) and seen[-1].reason == "stop"
    assert any("older outputs and messages are left out" in event.text for event in of(seen, events.Prose))


@pytest.mark.parametrize(("most", "ends"), [(12_000, events.Finished), (-1, events.Failed)])
def test_a_history_gives_way_to_such_a_window_too(tmp_path, most, ends):
    backend = SmallServer(["Some words. " * 200])
    backend.most = 100_000
    with open_sessions(written(tmp_path / "plain", {"a.py": "x = 1\n"}), tmp_path / "state") as open_one:
        session = open_one(backend)
        for number in range(10):
            run(session.turns.start, ContextRequest(f"say {number}"))
        backend.most, asked = most, len(backend.requests)
        seen = run(session.turns.start, ContextRequest("and now"))
    assert isinstance(seen[-1], ends)
    assert len(backend.requests) - asked <= 6
    if most > 0:
        assert backend.requests[-1].history[-1].instruction == "say 9"


def test_of_many_steps_each_is_shortened_once():
    """A turn of 1,500 calls sends all steps with every request."""
    steps = [
        ToolStep("", (ToolCall(f"c{n}", "look", "{}"),), (ToolResult(f"c{n}", "x" * 900),)) for n in range(51)
    ]
    first, again = within(steps[:50], 4_000), within(steps, 4_000)
    assert first[0].results[0].text.endswith("call again if needed)")
    assert all(one is other for one, other in zip(first[:20], again[:20], strict=True))
