"""The vocabulary survives a wire."""

import dataclasses
import json

import pytest

from spark_tui import events

SAMPLES = [
    events.TurnStarted("t1", "guard it", "replay", "lines", 12.5),
    events.PrefillProgress(3, 10, 2),
    events.Token(7, "a\u2028b", True, -0.25),
    events.Reasoning("it has to stay an int"),
    events.Retrying(12.5, "the server limits how much it is asked", 2),
    events.Prose("hello"),
    events.Choices(("rename qty → count in add", "ask the model")),
    events.Chosen(2, 2),
    events.HunkOpened(1, "a.py", 3, 2),
    events.HunkText(1, "x\n"),
    events.HunkClosed(1, "a.py", 3, ("a", "b"), (), kind="delete", final_newline=False),
    events.HunkFailed(2, "a.py", "no place", candidates=(3, 9)),
    events.Doubt(1, 0.5, "unsure"),
    events.Doubt(1, 0.0, "breaks b.py:3: imports f, which a.py no longer has", "b.py", 3),
    events.Checked((1, 2), "only the changed files were checked"),
    events.ToolCalled("c1", "read_file", 2),
    events.ToolOutput("c1", "1\tx"),
    events.ToolFinished("c1", "read_file", '{"path": "a.py"}', "a.py:1-5", seconds=0.25),
    events.Interrupted(12, 1),
    events.Steered("no, Decimal", 40),
    events.Decided(1, "edited", "x"),
    events.Applied(("a.py",), "refs/spark/1/1", (1,), events.Timing(apply=0.25)),
    events.Undone(("a.py",), "refs/spark/1/1", redo=True),
    events.Finished("stop", events.Usage(1, 2, 3, 4, 5), events.Timing(prefill=0.5)),
    events.Failed("broke", "here", "mend it", 6),
]


@pytest.mark.parametrize("event", SAMPLES, ids=lambda event: type(event).__name__)
def test_every_event_comes_back_from_json_as_it_went(event):
    assert events.from_dict(json.loads(json.dumps(events.to_dict(event)))) == event


def test_a_part_of_the_time_that_another_version_counted_is_left_out():
    row = events.to_dict(events.Finished("stop", timing=events.Timing(queue=0.5)))
    row["timing"]["tool"] = 1.0
    assert events.from_dict(row) == events.Finished("stop", timing=events.Timing(queue=0.5))


def test_the_samples_cover_the_whole_vocabulary():
    assert {type(event).__name__ for event in SAMPLES} == set(events.EVENT_TYPES)


@pytest.mark.parametrize("event", SAMPLES, ids=lambda event: type(event).__name__)
def test_events_are_frozen_and_say_who_sends_them(event):
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(event, dataclasses.fields(event)[0].name, 1)
    assert type(event).__doc__.strip()
