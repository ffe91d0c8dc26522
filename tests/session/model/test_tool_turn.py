"""A turn with tools: it looks, edits what it sees, and ends within its limits."""

import json
import time

import pytest
from support.event_streams import changes, of
from support.scripted_backend import accept_and_write, run
from support.scripted_sessions import entries
from support.tool_backend import CART, Call, TextToolBackend, ToolBackend

from spark_tui import events


def results(backend, step=-1):
    return [result.text for result in backend.requests[-1].steps[step].results]


def states(session):
    review = session.decisions.review
    return {i: (review.state(i), review.hunk(i).old_start, review.hunk(i).new_lines) for i in review.ids}


def test_a_turn_looks_edits_and_ends(open_with_tools):
    session = open_with_tools(
        ["Let me look.", Call("read_file", path="cart.py")],
        [Call("edit", path="cart.py", old="result = 0", new="result = Decimal(0)")],
        "I start from Decimal.",
    )
    seen = run(session.turn, "use Decimal")
    assert [e.name for e in of(seen, events.ToolCalled)] == ["read_file", "edit"]
    assert [(e.summary, e.failed) for e in of(seen, events.ToolFinished)] == [
        ("cart.py:1-5", False),
        ("cart.py +1 −1", False),
    ]
    assert [(e.old_start, e.new_lines) for e in changes(seen)] == [(2, ("    result = Decimal(0)",))]
    assert of(seen, events.Finished)[-1].reason == "stop"
    first, second, third = session.backend.requests
    assert [tool.name for tool in first.tools][:2] == ["read_file", "list_files"]
    assert second.steps[0].text == "Let me look."
    assert second.steps[0].results[0].text.startswith("1\tdef total(items):\n2\t    result = 0\n")
    assert third.steps[1].calls[0].arguments == session.backend.answers[1][0].text
    assert "proposed 1 hunk in cart.py" in third.steps[1].results[0].text
    assert entries(session) == seen


class CountedBackend(ToolBackend):
    """Says how many tokens each prompt has, and how many of them were read before."""

    def stream(self, request, stop):
        steps = len(request.steps)
        yield events.PrefillProgress(10 + 20 * steps, 10 + 20 * steps, 15 * steps)
        yield from super().stream(request, stop)


def test_the_prompts_of_all_requests_are_counted(open_with_tools):
    reads = Call("read_file", path="cart.py")
    session = open_with_tools(backend=CountedBackend(reads, reads, "Nothing to do."))
    end = of(run(session.turn, "look twice"), events.Finished)[-1]
    assert (end.usage.prompt_tokens, end.usage.reused_tokens) == (10 + 30 + 50, 15 + 30)


def test_hunks_stream_while_the_arguments_arrive(open_with_tools):
    session = open_with_tools(
        [Call("edit", path="cart.py", old="    result = 0\n", new="    a = 1\n    b = 2\n")]
    )
    seen = run(session.turn, "split it")
    (opened,) = map(seen.index, of(seen, events.HunkOpened))
    texts = [n for n, e in enumerate(seen) if isinstance(e, events.HunkText)]
    (closed,) = map(seen.index, of(seen, events.HunkClosed))
    assert opened < texts[0] < texts[-1] < closed
    assert len(texts) > 2
    assert changes(seen)[0].new_lines == ("    a = 1", "    b = 2")


def test_the_model_reads_its_own_edits_and_edits_them_again(open_with_tools):
    session = open_with_tools(
        [Call("edit", path="cart.py", old="    result = 0\n", new="    result = 1\n    count = 2\n")],
        [Call("read_file", path="cart.py", first=2, last=3)],
        [Call("edit", path="cart.py", old="count = 2\n    for", new="count = 3\n    for each,")],
        [Call("read_file", path="cart.py", first=2, last=4)],
    )
    seen = run(session.turn, "do it")
    finished = of(seen, events.ToolOutput)
    assert finished[1].text == "2\t    result = 1\n3\t    count = 2"
    assert finished[3].text.endswith("3\t    count = 3\n4\t    for each, item in items:")
    live = {k: v for k, v in states(session).items() if v[0] == "open"}
    assert list(live.values()) == [
        ("open", 2, ("    result = 1", "    count = 3", "    for each, item in items:")),
    ] or sorted(v[1] for v in live.values()) == [2, 3]
    accept_and_write(session, *live)
    text = (session.root / "cart.py").read_text()
    assert text == CART.replace("    result = 0\n", "    result = 1\n    count = 3\n").replace(
        "for item", "for each, item"
    )


def test_rejected_hunks_are_not_seen_and_what_changes_hand_edited_ones_is_marked(open_with_tools):
    session = open_with_tools(
        [Call("edit", path="cart.py", old="result = 0", new="result = 5")],
        [Call("edit", path="cart.py", old="return result", new="return -result")],
    )
    run(session.turn, "do it")
    first, second = states(session)
    session.decisions.decide(first, "rejected")
    session.decisions.decide(second, "edited", "    return +result\n")
    session.backend.answers = [
        [Call("read_file", path="cart.py")],
        [Call("edit", path="cart.py", old="return +result", new="return 0")],
    ]
    seen = run(session.turn, "again")
    request = session.backend.requests[-1]
    assert "2\t    result = 0\n" in of(seen, events.ToolOutput)[0].text
    assert "5\t    return +result" in of(seen, events.ToolOutput)[0].text
    assert "cart.py:2: rejected" in request.history[0].outcome
    (doubt,) = of(seen, events.Doubt)
    assert doubt == events.Doubt(max(states(session)), 0.0, "changes lines that you rewrote")
    assert states(session)[second][0] == "rejected"
    session.decisions.decide(doubt.hunk_id, "rejected")
    assert states(session)[second] == ("edited", 5, ("    return +result",))


def test_an_edit_that_does_not_fit_gets_the_true_lines(open_with_tools):
    session = open_with_tools([Call("edit", path="cart.py", old="    for items in item:", new="    pass")])
    run(session.turn, "do it")
    told = results(session.backend)[0]
    assert "the lines there are:" in told
    assert "3\t    for item in items:" in told


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (Call("edit", '{"path": "cart.py", "old": "result = 0", "new": "x'), "end inside the object"),
        (Call("edit", '{"path": "cart.py", "old": "result = 0", "new": "x" "y"}'), "unexpected"),
        (Call("edit", "not json"), "begin with 'n'"),
        (Call("edit", ""), "edit needs 'path'"),
        (Call("edit", path="cart.py"), "edit needs 'old' and 'new'"),
        (Call("edit", path="cart.py", old="result", new="x"), "similar lines: 2, 4, 5"),
        (Call("edit", path="nope.py", old="a", new="b"), "no such file"),
        (Call("read_file", "[]"), "begin with '['"),
        (Call("delete_everything", path="/"), "no tool 'delete_everything'"),
        (Call("read_file", path=".env"), "may hold secrets"),
        (Call("edit", path=".env", old="sesame", new="x"), "may hold secrets"),
        (Call("write_file", path="../out.py", text="x"), "leads out of the tree"),
        (Call("write_file", path="/etc/passwd", text="x"), "not a path inside"),
        (Call("edit", path=".git/config", old="a", new="b"), ".git"),
        (Call("apply_patch", patch="nothing here"), "no edit in this patch"),
        (Call("search", pattern="(a+)+"), "repeats too much"),
    ],
)
def test_bad_calls_are_answered_and_change_nothing(open_with_tools, call, said):
    session = open_with_tools([call], "Sorry.")
    seen = run(session.turn, "do it")
    assert of(seen, events.ToolFinished)[0].failed
    told = results(session.backend)[0]
    assert said in told
    assert "sesame" not in told
    assert not [item for item in states(session).values() if item[0] == "open"]
    assert isinstance(seen[-1], events.Finished)
    if call.name in ("edit", "write_file", "apply_patch"):
        assert of(seen, events.HunkFailed)  # or the turn would be one that sees nothing to change


def test_a_hundred_parallel_calls_are_bounded(open_with_tools):
    backend = ToolBackend([Call("read_file", path="cart.py", first=n) for n in range(100)], parallel=True)
    session = open_with_tools(backend=backend)
    seen = run(session.turn, "read")
    assert len(of(seen, events.ToolFinished)) == 100
    told = results(backend)
    assert len(told) == 100
    assert sum("not done" in result for result in told) == 68
    assert isinstance(seen[-1], events.Finished)


def test_parallel_edits_of_interleaved_arguments_all_count(open_with_tools):
    backend = ToolBackend(
        [
            Call("edit", path="cart.py", old="result = 0", new="result = 1"),
            Call("edit", path="cart.py", old="return result", new="return result + 1"),
            Call("write_file", path="new.py", text="x = 1\n"),
        ],
        parallel=True,
        size=3,
    )
    session = open_with_tools(backend=backend)
    seen = run(session.turn, "edit")
    assert [(e.path, e.new_lines) for e in changes(seen)] == [
        ("cart.py", ("    result = 1",)),
        ("cart.py", ("    return result + 1",)),
        ("new.py", ("x = 1",)),
    ]


@pytest.mark.parametrize(
    "call",
    [
        Call("read_file", path="cart.py"),
        Call("read_file", path=5),
        Call("edit", path="cart.py", old="not there", new="x"),
    ],
    ids=["run", "malformed", "edit"],
)
def test_an_endless_loop_ends(open_with_tools, call):
    session = open_with_tools(*([call] for _ in range(50)))
    seen = run(session.turn, "loop")
    assert len(of(seen, events.ToolFinished)) == 6
    assert of(seen, events.Finished)[-1].reason == "limit"
    assert f"repeats the same call of {call.name}" in of(seen, events.Prose)[-1].text


def test_the_limit_of_steps_ends_a_turn_and_a_resume_goes_on(open_with_tools):
    answers = [[Call("read_file", path="cart.py", first=n)] for n in range(1, 6)]
    session = open_with_tools(*answers, tool_steps=3)
    seen = run(session.turn, "read")
    assert of(seen, events.Finished)[-1].reason == "limit"
    assert "Stopped after 3 steps (tools.max_steps)" in of(seen, events.Prose)[-1].text
    assert len(of(seen, events.ToolFinished)) == 3
    again = run(session.turns.resume)
    assert len(of(again, events.ToolFinished)) == 2
    assert of(again, events.Finished)[-1].reason == "stop"


def test_tokens_are_limited(open_with_tools):
    answers = (["word " * 200, Call("search", pattern=f"x{n}")] for n in range(9))
    session = open_with_tools(*answers, tool_tokens=9)
    seen = run(session.turn, "go")
    assert of(seen, events.Finished)[-1].reason == "limit"
    assert len(of(seen, events.ToolFinished)) == 1
    assert "tools.max_tokens" in of(seen, events.Prose)[-1].text


def test_seconds_are_limited(open_with_tools):
    session = open_with_tools(*([Call("search", pattern=f"x{n}")] for n in range(9)), tool_seconds=1)
    session.backend.before = lambda event: isinstance(event, events.ToolCallStarted) and time.sleep(0.6)
    seen = run(session.turn, "go")
    assert of(seen, events.Finished)[-1].reason == "limit"
    assert len(of(seen, events.ToolFinished)) == 2
    assert "tools.max_seconds" in of(seen, events.Prose)[-1].text


def test_text_edits_and_calls_mix(open_with_tools):
    block = "cart.py\n<<<<<<< SEARCH\n    result = 1\n=======\n    result = 2\n>>>>>>> REPLACE\n"
    session = open_with_tools(
        [Call("edit", path="cart.py", old="result = 0", new="result = 1")], ["Better:\n", block]
    )
    run(session.turn, "do it")
    live = [item for item in states(session).values() if item[0] == "open"]
    assert live == [("open", 2, ("    result = 2",))]


def test_a_model_without_schemas_calls_by_text(open_with_tools):
    backend = TextToolBackend(
        ["I look.\n", Call("read_file", path="cart.py", first=2, last=2), "The result is:\nfoo"],
        [Call("edit", path="cart.py", old="result = 0", new="result = 9")],
        "Done.",
    )
    session = open_with_tools(backend=backend)
    seen = run(session.turn, "do it")
    assert [e.name for e in of(seen, events.ToolFinished)] == ["read_file", "edit"]
    assert changes(seen)[0].new_lines == ("    result = 9",)
    first, second, _ = backend.requests
    assert not first.tools
    assert '<tool name="read_file">' in first.rules
    assert "edit: Replace a small piece of a file." in first.rules
    assert second.instruction == '<result of="text-1">\n2\t    result = 0\n</result>'
    assert second.history[0].instruction == "do it"
    assert "<tool" not in "".join(e.text for e in of(seen, events.Prose))
    assert "The result is" not in "".join(e.text for e in of(seen, events.Prose))


@pytest.mark.parametrize("size", [1, 2, 5, 1000])
def test_calls_as_text_are_the_same_however_they_are_cut(open_with_tools, size):
    call = Call(
        "edit", json.dumps({"path": "cart.py", "old": "result = 0", "new": "x\n<tool\n</tool"}, indent=1)
    )
    session = open_with_tools(backend=TextToolBackend([call], size=size))
    seen = run(session.turn, "do it")
    assert changes(seen)[0].new_lines == ("    x", "<tool", "</tool")


def test_tools_can_be_turned_off(open_with_tools):
    session = open_with_tools("Nothing.", tools="off")
    run(session.turn, "do it")
    assert session.backend.requests[0].tools == ()
    assert "tools" not in session.backend.requests[0].rules


def test_a_person_edits_the_file_meanwhile(open_with_tools):
    session = open_with_tools(
        [Call("read_file", path="cart.py")],
        [Call("edit", path="cart.py", old="return result", new="return result or None")],
    )
    path = session.root / "cart.py"
    session.backend.before = lambda event: (
        isinstance(event, events.ToolCallEnded) and path.write_text("import decimal\n" + CART)
    )
    run(session.turn, "do it")
    (hunk_id,) = states(session)
    accept_and_write(session, hunk_id)
    assert path.read_text() == "import decimal\n" + CART.replace("return result", "return result or None")


def test_a_stop_in_the_arguments_keeps_what_is_closed(open_with_tools):
    session = open_with_tools(
        [
            "I edit.",
            Call("edit", path="cart.py", old="result = 0", new="result = 1"),
            Call("edit", path="cart.py", old="return result", new="return " + "x" * 200),
        ]
    )
    seen = run(
        session.turn,
        "do it",
        until=lambda event: isinstance(event, events.HunkText) and event.text.count("x") > 2,
    )
    assert [item[0] for item in states(session).values()] == ["open", "partial"]
    assert of(seen, events.Finished)[-1].reason == "interrupted"
    assert len(of(seen, events.ToolFinished)) == 1
    resumed = run(session.turns.resume)
    steps = session.backend.requests[-1].steps
    assert [len(step.calls) for step in steps] == [1]
    assert of(resumed, events.Finished)[-1].reason == "stop"
