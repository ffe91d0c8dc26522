"""An edit that an answer has as text and as a call is made once; the second one changes nothing."""

import json

import pytest
from support.event_streams import of
from support.scripted_backend import run
from support.tool_backend import CART, Call

from spark_tui import events

OLD, NEW = "    result = 0\n", "    result = 1\n"
TEXT = f"cart.py\n```\n<<<<<<< SEARCH\n{OLD}=======\n{NEW}>>>>>>> REPLACE\n```\n"
PATCH = f"*** Begin Patch\n*** Update File: cart.py\n@@\n def total(items):\n-{OLD}+{NEW}*** End Patch\n"
CALLS = [
    Call("edit", path="cart.py", old=OLD, new=NEW),
    Call("edit", path="cart.py", old="result = 0", new="result = 1"),
    Call("edit", path="cart.py", old=f"def total(items):\n{OLD}", new=f"def total(items):\n{NEW}"),
    Call("write_file", path="cart.py", text=CART.replace(OLD, NEW)),
    Call("apply_patch", patch=PATCH),
]


@pytest.mark.parametrize("first", [TEXT, CALLS[0]], ids=["text", "call"])
@pytest.mark.parametrize("second", [*CALLS, TEXT], ids=lambda made: getattr(made, "name", "text"))
def test_the_second_one_changes_nothing(open_with_tools, first, second):
    session = open_with_tools([first, second], ["Done."])
    seen = run(session.turn, "begin with 1")
    assert not of(seen, events.HunkFailed)
    assert not any(one.failed for one in of(seen, events.ToolFinished))
    assert [hunk.new_lines for hunk in session.decisions.offered()] == [(NEW.rstrip("\n"),)]


@pytest.mark.parametrize(
    ("old", "new"),
    [("        nothing += item", NEW), (OLD, "    return result"), (OLD, "    other = 1"), (OLD, "")],
)
def test_what_was_not_made_still_does_not_fit(open_with_tools, old, new):
    session = open_with_tools([TEXT, Call("edit", path="cart.py", old=old, new=new)], ["Done."])
    (failed,) = of(run(session.turn, "begin with 1"), events.HunkFailed)
    assert "does not match" in failed.message or "no lines like" in failed.message


def test_a_call_that_is_cut_off_says_nothing_of_its_place(open_with_tools):
    cut = Call("edit", json.dumps({"path": "cart.py", "old": "nowhere", "new": "here"})[:-4], ended=False)
    session = open_with_tools([cut])
    assert not of(run(session.turn, "go"), events.HunkFailed)


def block(old, new):
    sides = f"    result = {old}\n=======\n    result = {new}\n"
    return f"cart.py\n```\n<<<<<<< SEARCH\n{sides}>>>>>>> REPLACE\n```\n"


@pytest.mark.parametrize("between", ["", block(0, 5)], ids=["both fit", "one between fits nowhere"])
def test_a_text_that_changes_twice_what_a_call_wrote_is_one_hunk(open_with_tools, between):
    session = open_with_tools([CALLS[0]], [block(1, 2), between, block(2, 3)])
    run(session.turn, "begin with 3")
    assert [hunk.new_lines for hunk in session.decisions.offered()] == [("    result = 3",)]
    states = {known: session.decisions.review.state(known) for known in session.decisions.review.ids}
    session.close()
    again = open_with_tools(session_id=session.id)
    assert {known: again.decisions.review.state(known) for known in again.decisions.review.ids} == states


def letters(old, new):
    sides = "\n".join(old) + "\n=======\n" + "\n".join(new)
    return f"letters.txt\n```\n<<<<<<< SEARCH\n{sides}\n>>>>>>> REPLACE\n```\n"


@pytest.fixture
def of_letters(tmp_path, open_with_tools):
    def open_one(*answers):
        (tmp_path / "plain" / "letters.txt").write_text("\n".join("abcdefgh") + "\n")
        return open_with_tools(*answers)

    return open_one


def offered(session):
    return ["".join(hunk.new_lines) for hunk in session.decisions.offered()]


@pytest.mark.parametrize(
    ("blocks", "left"),
    [
        ([("g", "G"), ("C", "1"), ("EfG", "234")], ["1D234"]),
        ([("g", "G"), ("CDEfG", "cdefg")], []),
    ],
    ids=["by one that is joined with another", "and what takes its place changes nothing"],
)
def test_a_hunk_that_is_given_up_is_not_offered(of_letters, blocks, left):
    call = Call("edit", path="letters.txt", old="c\nd\ne\n", new="C\nD\nE\n")
    session = of_letters([call], [letters(*block) for block in blocks])
    run(session.turn, "go")
    assert offered(session) == left


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ([letters("C", "1"), letters("1", "2")], ["2"]),
        ([letters("Cd", "C1"), letters("C1", "C2")], ["C", "2"]),
        ([letters("C", "1"), "</think>\n", letters("C", "2")], ["2"]),
        ([letters("C", "1"), "</think>\nIt stays.\n"], ["C"]),
    ],
    ids=["twice", "beside it", "thought first", "only thought"],
)
def test_an_answer_to_a_message_that_changes_its_own_hunk_twice(of_letters, said, left):
    first = letters("c", "C")
    session = of_letters([first])
    run(session.turn, "go")
    session.backend.answers = [[first, *said]]
    run(session.turns.steer, "not so")
    assert offered(session) == left


def test_a_text_that_only_thought_of_what_a_call_wrote_changes_nothing(open_with_tools):
    session = open_with_tools([CALLS[0]], [f"{block(1, 2)}</think>\nIt stays.\n"])
    run(session.turn, "begin with 1")
    assert [hunk.new_lines for hunk in session.decisions.offered()] == [(NEW.rstrip("\n"),)]


LAST = "    return result"
GROWN = f"{LAST}\n\n\nprint(total([]))"
INSERTED = {
    "text": f"cart.py\n```\n<<<<<<< SEARCH\n{LAST}\n=======\n{GROWN}\n>>>>>>> REPLACE\n```\n",
    "diff": f"```diff\n--- a/cart.py\n+++ b/cart.py\n@@ -5 +5,4 @@\n {LAST}\n+\n+\n+print(total([]))\n```\n",
    "call": Call("edit", path="cart.py", old=LAST, new=GROWN),
    "other call": Call("edit", path="cart.py", old=f"{LAST}\n", new=f"{GROWN}\n"),
    "patch": Call(
        "apply_patch",
        patch=PATCH[: PATCH.index(" def")] + f" {LAST}\n+\n+\n+print(total([]))\n*** End Patch\n",
    ),
}


@pytest.mark.parametrize("second", list(INSERTED))
def test_lines_that_a_call_put_in_are_not_put_in_again(open_with_tools, second):
    session = open_with_tools([INSERTED["call"]], [INSERTED[second]], ["Done."])
    seen = run(session.turn, "print it")
    assert not of(seen, events.HunkFailed)
    assert [hunk.new_lines for hunk in session.decisions.offered()] == [("", "", "print(total([]))")]


@pytest.mark.parametrize("second", list(INSERTED))
def test_lines_that_a_turn_before_put_in_are_put_in_again(open_with_tools, second):
    session = open_with_tools([INSERTED["call"]], ["Done."], [INSERTED[second]], ["Done."])
    run(session.turn, "print it")
    run(session.turn, "print it once more")
    made = [line for hunk in session.decisions.offered() for line in hunk.new_lines]
    assert made.count("print(total([]))") == 2
