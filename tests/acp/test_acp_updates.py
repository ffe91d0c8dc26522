"""Events of a turn as updates of the protocol."""

import asyncio
import threading

import pytest

from spark_tui import events
from spark_tui.acp.leg import Leg
from spark_tui.acp.updates import TurnUpdates, joined
from spark_tui.session.reader.no_hunk_reason import CAN_DO


def test_an_editor_is_not_told_of_a_command_of_the_workbench(tmp_path):
    (update,) = TurnUpdates("turn", tmp_path).of(events.Prose(CAN_DO))
    assert "`spark acp --connect URL`" in update.content.text and "/connect" not in update.content.text


def test_a_server_that_is_waited_for_is_told_as_a_thought(tmp_path):
    (update,) = TurnUpdates("turn", tmp_path).of(events.Retrying(20.0, "too many requests.", 1))
    assert update.session_update == "agent_thought_chunk"
    assert update.content.text == "too many requests; asking again in 20 s (attempt 2)\n"


def test_reasoning_is_told_as_thoughts_and_pieces_are_joined_in_order(tmp_path):
    updates = TurnUpdates("turn", tmp_path)
    stream = [
        events.Reasoning("It is "),
        events.Reasoning("late."),
        events.Prose("Well"),
        events.Prose(" then."),
        events.Reasoning("Done."),
        events.Prose(""),
    ]
    told = joined(item for event in stream for item in updates.of(event))
    assert [(item.session_update, item.content.text) for item in told] == [
        ("agent_thought_chunk", "It is late."),
        ("agent_message_chunk", "Well then."),
        ("agent_thought_chunk", "Done."),
    ]


def test_a_call_that_is_made_again_after_a_stop_has_its_own_output_only(tmp_path):
    updates, stream = TurnUpdates("turn", tmp_path), []
    for text in ("half", "all of it"):
        stream += [events.ToolCalled("call_0", "run"), events.ToolOutput("call_0", text)]
    stream.append(events.ToolFinished("call_0", "run", "{}", "true"))
    *_, last = [update for event in stream for update in updates.of(event)]
    assert [item.content.text for item in last.content] == ["all of it"]


@pytest.mark.parametrize("end", [events.Finished("interrupted"), events.Failed("broke off", exit_code=6)])
def test_a_call_that_the_end_of_a_turn_finds_open_has_failed(tmp_path, end):
    updates = TurnUpdates("t", tmp_path)
    stream = [events.ToolCalled("call_0", "run"), events.ToolOutput("call_0", "x"), end, end]
    (begun, failed) = [update for event in stream for update in updates.of(event)]
    assert (failed.tool_call_id, failed.status) == (begun.tool_call_id, "failed")


async def test_a_leg_is_waited_for_however_often_it_is_cancelled(tmp_path):
    stop, stopped, go_on, ended = (threading.Event() for _ in range(4))

    def make(flag):
        flag.wait(60)
        stopped.set()
        go_on.wait(60)
        ended.set()
        yield from ()

    async def send(update):
        del update

    leg = asyncio.ensure_future(Leg(TurnUpdates("turn", tmp_path), send, stop).run(make))
    for _ in range(3):
        await asyncio.sleep(0.05)
        leg.cancel()
    assert stopped.wait(60) and not leg.done()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await leg
    assert ended.is_set()
