"""Wherever a turn with tools is killed: what was shown is kept, and it goes on after its last whole call."""

import itertools
import shutil
import threading

import pytest
from support.scripted_backend import accept_and_write, run
from support.scripted_sessions import entries
from support.small_repositories import written
from support.tool_backend import CART, Call, TextToolBackend, ToolBackend

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.session.model.tool_history import journaled_steps
from spark_tui.session.session import Session

ANSWERS = (
    ["I look.\n", Call("read_file", path="cart.py")],
    [
        "I edit.\n",
        Call("edit", path="cart.py", old="    result = 0\n", new="    result = 1\n    more = 2\n"),
        Call("search", pattern="more"),
    ],
    [
        Call("edit", path="cart.py", old="more = 2", new="more = 3"),
        Call("write_file", path="n.py", text="x\n"),
    ],
    "All is done.",
)
WANTED = {"cart.py": CART.replace("result = 0\n", "result = 1\n    more = 3\n"), "n.py": "x\n"}


class Persistent(ToolBackend):
    """Calls again what was not answered."""

    def stream(self, request, stop):
        done = {call.arguments for step in request.steps for call in step.calls}
        for answer in ANSWERS:
            left = [item for item in answer if not isinstance(item, str) and item.text not in done]
            if left or isinstance(answer, str):
                said = any(item.text in done for item in answer if not isinstance(item, str))
                break
        text = (
            [item for item in answer if isinstance(item, str)]
            if not said and answer is not ANSWERS[-1]
            else []
        )
        self.answers = [[*text, *left] or [ANSWERS[-1]]] * (len(request.steps) + 1)
        yield from super().stream(request, stop)


def files_of(session):
    """What the files become once everything that is open is accepted."""
    accept_and_write(session)
    return {path.name: path.read_text() for path in session.root.iterdir()}


@pytest.mark.parametrize("kind", [Persistent, TextToolBackend])
@pytest.mark.parametrize("end", ["killed", "stopped"])
def test_a_turn_that_ended_anywhere_goes_on(tmp_path, kind, end):
    for count in itertools.count(2, 3):
        home = tmp_path / str(count)
        root, state = home / "plain", home / "state"
        written(root, {"cart.py": CART})
        session = Session(root, kind(*ANSWERS, size=9), Settings(), state)
        stop, shown = threading.Event(), []
        stream = session.turn("do it", stop=stop)
        shown += itertools.islice(stream, count)
        over = isinstance(shown[-1], events.Finished)
        if end == "killed":
            shutil.copytree(state, home / "left")
            stream.close()
            session.close()
            shutil.rmtree(state)
            (home / "left").rename(state)
            session = Session(root, kind(*ANSWERS, size=9), Settings(), state, session_id=session.id)
        else:
            stop.set()
            shown += stream
        kept = entries(session)
        assert all(event.path for event in kept if isinstance(event, events.HunkFailed))
        assert kept[: len(shown)] == shown
        before = [event.arguments for event in kept if isinstance(event, events.ToolFinished)]
        again = run(session.turns.resume) if session.turns.can_resume else []
        called = [event.arguments for event in again if isinstance(event, events.ToolFinished)]
        assert not set(before) & set(called), (count, shown[-1])
        if kind is Persistent:
            # The other model does not ask again for calls that were cut off.
            assert files_of(session) == WANTED, (count, shown[-1])
        elif again:
            assert again[-1].reason == "stop"
        session.close()
        if over:
            assert not again
            return


def test_an_edit_that_is_called_again_in_another_process_changes_nothing(tmp_path):
    root, state = tmp_path / "plain", tmp_path / "state"
    written(root, {"cart.py": CART})
    edit = Call("edit", path="cart.py", old="    result = 0\n", new="    result = 1\n    more = 2\n")
    session = Session(root, ToolBackend([edit]), Settings(), state)
    stream, shown = session.turn("do it", stop=threading.Event()), []
    while not any(isinstance(event, events.ToolFinished) for event in shown):
        shown.append(next(stream))
    stream.close()
    session.close()
    session = Session(root, ToolBackend([edit], [edit], "Done."), Settings(), state, session_id=session.id)
    again = run(session.turns.resume)
    assert not [event for event in again if isinstance(event, events.HunkFailed)]
    assert [event.failed for event in again if isinstance(event, events.ToolFinished)] == [False]
    assert files_of(session)["cart.py"] == CART.replace("result = 0\n", "result = 1\n    more = 2\n")


def test_calls_that_share_an_id_have_each_their_own_output():
    past = [
        event
        for step, text in ((1, "one"), (2, "two"))
        for event in (
            events.ToolCalled("call_0", "search", step),
            events.ToolOutput("call_0", text),
            events.ToolFinished("call_0", "search", "{}", text, False, 0.0),
        )
    ]
    steps, _, _ = journaled_steps(past)
    assert [step.results[0].text for step in steps] == ["one", "two"]
