"""A call that the token limit cut off is written again with more room: it cannot go on, as text can."""

import pytest
from support.event_streams import of
from support.scripted_backend import run
from support.tool_backend import Call, ToolBackend

from spark_tui import events
from spark_tui.errors import Misfit

TEXT = "x = 1\n" * 500


class Limited(ToolBackend):
    """Writes one file, whole where it may have so many tokens."""

    def __init__(self, needs):
        super().__init__()
        self.needs = needs

    def stream(self, request, stop):
        done = any(not result.failed for step in request.steps for result in step.results)
        whole = Call("write_file", path="new.py", text=TEXT)
        cut = request.max_tokens < self.needs and not done
        part = Call("write_file", whole.text[:1000]) if cut else whole
        self.answers = [["I write. ", part] if not done else ["Done."]] * 9
        yield from super().stream(request, stop)
        yield events.AnswerEnded("length" if cut else "stop")


@pytest.mark.parametrize(
    ("needs", "window", "asked", "reason"),
    [
        (4_000, 0, [2_048, 8_192, 8_192], "stop"),
        (20_000, 0, [2_048, 8_192, 32_768, 32_768], "stop"),
        (20_000, 40_000, [2_048, 8_192], "length"),
        (50_000, 0, [2_048, 8_192, 32_768], "length"),
    ],
)
def test_a_call_gets_more_room_until_it_is_whole(open_with_tools, needs, window, asked, reason):
    backend = Limited(needs)
    backend.window = window
    session = open_with_tools(backend=backend)
    seen = run(session.turn, "write it")
    assert [request.max_tokens for request in backend.requests] == asked
    assert of(seen, events.Finished)[-1].reason == reason
    offered = [hunk.new_lines for hunk in session.decisions.offered()]
    assert offered == [tuple(TEXT.splitlines())] * (reason == "stop")


def test_a_server_without_that_room_is_asked_as_before_and_the_turn_can_go_on(open_with_tools):
    class Narrow(Limited):
        def stream(self, request, stop):
            if request.max_tokens > 2_048:
                self.requests.append(request)
                raise Misfit("the prompt exceeds the window")
            yield from super().stream(request, stop)

    backend = Narrow(20_000)
    backend.window = 0
    session = open_with_tools(backend=backend)
    seen = run(session.turn, "write it")
    assert [request.max_tokens for request in backend.requests] == [2_048, 8_192, 2_048]
    assert of(seen, events.Finished)[-1].reason == "length" and session.turns.can_resume


LOOP = "The function returns the least of the prices. "


def test_arguments_that_repeat_themselves_end_the_turn_and_what_was_called_before_counts(open_with_tools):
    first = Call("edit", path="cart.py", old="RATE = 2", new="RATE = 3")
    endless = Call("write_file", path="new.py", text=LOOP * 2_000)
    session = open_with_tools([first, endless], ["Done."])
    seen = run(session.turn, "write it")
    assert of(seen, events.Finished)[-1].reason == "repeats"
    assert len(session.backend.requests) == 1
    assert [one.name for one in of(seen, events.ToolFinished)] == ["edit"]
    again = run(session.turns.resume)
    assert of(again, events.Finished)[-1].reason == "stop"


def test_the_same_call_again_and_again_in_one_answer_ends_it(open_with_tools):
    session = open_with_tools([Call("search", pattern="def total") for _ in range(400)], ["Done."])
    seen = run(session.turn, "look")
    assert of(seen, events.Finished)[-1].reason == "limit"
    assert len(of(seen, events.ToolCalled)) < 200


def test_what_the_model_has_read_by_a_tool_may_be_written_again(open_with_tools, tmp_path):
    table = "the_same, as_before,\n" * 400
    (tmp_path / "plain/table.py").write_text(f"ROWS = [\n{table}]\n")
    write = Call("write_file", path="table.py", text=f"LINES = [\n{table}]\n")
    for calls, reason in (([[Call("read_file", path="table.py")], [write]], "stop"), ([[write]], "repeats")):
        seen = run(open_with_tools(*calls, ["Done."]).turn, "rename it")
        assert of(seen, events.Finished)[-1].reason == reason
