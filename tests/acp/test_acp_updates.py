"""Events of a turn as updates of the protocol."""

from spark_tui import events
from spark_tui.acp.updates import TurnUpdates, joined


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
