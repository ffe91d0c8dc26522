"""Where an edit of a connected model did not fit, the model is told the true lines: once by itself, then by
hand."""

import threading

import pytest
from support.chat_server import chat_server
from support.event_streams import of
from support.open_sessions import open_sessions
from support.scripted_backend import accept_and_write, run
from support.small_repositories import written

from spark_tui import events
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.cli.main import main
from spark_tui.events import HunkFailed
from spark_tui.session.model.edit_correction import correction

CART = "def add(item, qty):\n    return item * qty\n\n\ndef total(items):\n    return sum(items)\n"


def block(old, new, path="cart.py"):
    return f"{path}\n```python\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n```\n"


FITS = block("    return sum(items)", "    return sum(items, 0)")
MISFIT = block("    return item*qty", "    return qty * item")
MENDED = block("    return item * qty", "    return qty * item")
EXEC = ["exec", "change it", "-f", "cart.py", "--apply", "--model", "chat-model"]
DONE = CART.replace("item * qty", "qty * item")


@pytest.fixture
def work(tmp_path):
    return written(tmp_path / "work", {"cart.py": CART})


@pytest.fixture
def open_with(work, tmp_path):
    with open_sessions(work, tmp_path / "state") as open_one:
        yield lambda server, backend=None, session_id="": open_one(
            backend or RemoteBackend(server.url, "chat-model", key=""), session_id=session_id
        )


def turn(session, words="change it", until=None):
    return run(session.turn, words, files=["cart.py"], until=until)


def hunks(session):
    return [hunk.new_lines for hunk in session.decisions.unwritten()]


def test_a_follow_up_is_shown_the_file_with_the_edit_that_waits(open_with):
    again = block("    return sum(items, 0)", "    return sum(items, 1)")
    misfit = block("    return sum(items)", "    return sum(items, 1)")
    with chat_server(FITS, misfit, again) as server:
        session = open_with(server)
        turn(session)
        turn(session, "begin with 1")
    asked = server.asked[1]["messages"][-1]["content"]
    assert "    return sum(items, 0)\n" in asked and "    return sum(items)\n" not in asked
    told = server.asked[2]["messages"][-1]["content"].partition("cart.py, lines")[2]
    assert "    return sum(items, 0)\n" in told and "    return sum(items)\n" not in told
    assert hunks(session) == [("    return sum(items, 1)",)]


@pytest.mark.parametrize("quoted", ["    return sum(items)", "    return sum(items, 0)"])
def test_a_steer_may_quote_what_was_shown_or_what_was_written(open_with, quoted):
    with chat_server(FITS, MENDED + block(quoted, "    return sum(items, 1)")) as server:
        session = open_with(server)
        turn(session)
        seen = run(session.turns.steer, "begin with 1")
    told = server.asked[1]["messages"][-1]["content"]
    assert "begin with 1" in told and "as whole edits" in told and "Go on exactly" not in told
    assert not of(seen, HunkFailed)
    assert sorted(hunks(session)) == [("    return qty * item",), ("    return sum(items, 1)",)]
    accept_and_write(session)
    assert (session.root / "cart.py").read_text() == DONE.replace("sum(items)", "sum(items, 1)")


def test_a_diff_whose_place_was_certain_before_it_did_not_fit_is_read_over_the_edit(open_with):
    diff = (
        "```diff\n--- a/cart.py\n+++ b/cart.py\n@@ -5,2 +5,2 @@\n def total(items):\n"
        "-    return sum(items, 0)\n+    return sum(items, 1)\n```\n"
    )
    with chat_server(FITS, diff) as server:
        session = open_with(server)
        turn(session)
        seen = run(session.turns.steer, "begin with 1")
    assert not of(seen, HunkFailed)
    assert hunks(session) == [("    return sum(items, 1)",)]
    opened = {event.hunk_id for event in of(seen, events.HunkOpened)}
    assert opened == {event.hunk_id for event in of(seen, events.HunkClosed)}


def test_what_fits_neither_what_was_shown_nor_what_was_written_is_said(open_with):
    with chat_server(FITS, MENDED + block("    return total", "    return 1")) as server:
        session = open_with(server)
        turn(session)
        seen = run(session.turns.steer, "begin with 1")
    assert len(of(seen, HunkFailed)) == 1
    assert sorted(hunks(session)) == [("    return qty * item",), ("    return sum(items, 0)",)]


def test_the_true_lines_go_back_to_the_model_once(open_with):
    with chat_server(FITS + MISFIT, MENDED) as server:
        session = open_with(server)
        seen = turn(session)
        assert len(server.asked) == 2
        told = server.asked[1]["messages"][-1]["content"]
        assert "    return item*qty" in told
        assert "def add(item, qty):\n    return item * qty" in told
        assert "Repeat nothing that was made" in told
        assert len(of(seen, events.Steered)) == 1
        assert [event.reason for event in of(seen, events.Finished)] == ["stop"]
        assert sorted(hunks(session)) == [("    return qty * item",), ("    return sum(items, 0)",)]


def test_a_block_without_its_end_is_asked_for_again(open_with):
    with chat_server(MENDED.replace(">>>>>>> REPLACE\n", ""), MENDED) as server:
        session = open_with(server)
        turn(session)
    assert "the text ends inside a search/replace block" in server.asked[1]["messages"][-1]["content"]
    assert hunks(session) == [("    return qty * item",)]


def test_it_is_told_once_a_turn_only(open_with):
    with chat_server(MISFIT) as server:
        session = open_with(server)
        seen = turn(session)
        assert len(server.asked) == 2
        assert len(of(seen, HunkFailed)) == 2
        assert hunks(session) == []


def test_a_stop_in_the_first_leg_asks_nothing_more(open_with):
    with chat_server(MISFIT) as server:
        turn(open_with(server), until=lambda event: isinstance(event, HunkFailed))
        assert len(server.asked) == 1


def test_a_model_that_is_not_connected_is_not_told(open_with):
    with chat_server(MISFIT) as server:
        backend = RemoteBackend(server.url, "chat-model", key="")
        backend.__class__ = type("Silent", (RemoteBackend,), {"takes_corrections": False})
        turn(open_with(server, backend))
        assert len(server.asked) == 1


def test_a_key_tells_it_again(open_with):
    with chat_server(MISFIT, MISFIT, MENDED) as server:
        session = open_with(server)
        turn(session)
        assert session.turns.can_correct
        run(session.turns.retry)
        assert len(server.asked) == 3
        assert "did not fit" in server.asked[2]["messages"][-1]["content"]
        assert hunks(session) == [("    return qty * item",)]
        assert not session.turns.can_correct


def test_a_key_tells_it_that_code_has_no_place(open_with):
    with chat_server("Like so:\n\n```python\nx = frobnicate()\n```\n", MENDED) as server:
        session = open_with(server)
        turn(session)
        assert len(server.asked) == 1, "an answer with an example is no mistake"
        run(session.turns.retry)
        assert "could not be placed" in server.asked[1]["messages"][-1]["content"]
        assert hunks(session) == [("    return qty * item",)]


def test_a_corrected_turn_is_kept(open_with):
    with chat_server(FITS + MISFIT, MENDED) as server:
        session = open_with(server)
        turn(session)
        stored, session_id = hunks(session), session.id
        session.close()
        again = open_with(server, session_id=session_id)
        assert hunks(again) == stored


def test_what_did_not_fit_is_told_with_the_next_turn(open_with):
    with chat_server(MISFIT, MISFIT, "Fine.\n") as server:
        session = open_with(server)
        turn(session)
        turn(session, "and now?")
        said = "\n".join(message["content"] for message in server.asked[2]["messages"])
        assert "not made, because it did not fit: cart.py" in said


def test_exec_succeeds_where_the_second_answer_fits(work, monkeypatch, capsys):
    monkeypatch.chdir(work)
    with chat_server(MISFIT, MENDED) as server:
        code = main([*EXEC, "--connect", server.url])
    assert code == 0, capsys.readouterr().err
    assert (work / "cart.py").read_text() == DONE


def test_exec_writes_nothing_where_an_edit_is_still_missing(work, monkeypatch, capsys):
    monkeypatch.chdir(work)
    with chat_server(FITS + MISFIT, "I cannot.\n") as server:
        code = main([*EXEC, "--connect", server.url])
    assert code == 3
    assert (work / "cart.py").read_text() == CART
    assert "nothing to change" not in capsys.readouterr().err


def test_an_answer_in_another_shape_is_taken_whatever_was_asked_for(open_with):
    with chat_server("```python\ndef add(item, qty):\n    return qty * item\n```\n") as server:
        session = open_with(server)
        turn(session)
        assert len(server.asked) == 1
        assert hunks(session) == [("    return qty * item",)]


def test_the_message_names_the_places_and_no_more_than_that():
    lines = [f"line {at}" for at in range(1, 101)]
    failure = HunkFailed(1, "a.py", "the lines match several places", 3, 10, "", "", (10, 80))
    told = correction([failure], {"a.py": lines}.get)
    assert "a.py, lines 4 to 22:" in told and "a.py, lines 74 to 92:" in told
    assert "line 50" not in told


def test_a_file_that_is_shown_in_another_folder_is_named_with_its_lines(open_with):
    with chat_server(MISFIT.replace("cart.py", "src/cart.py"), MENDED) as server:
        session = open_with(server)
        turn(session)
        told = server.asked[1]["messages"][-1]["content"]
        assert "The file is called cart.py." in told and "    return item * qty\n" in told
        assert hunks(session) == [("    return qty * item",)]


def test_an_edit_that_fitted_may_be_written_again(open_with):
    with chat_server(FITS + MISFIT, FITS + MENDED) as server:
        session = open_with(server)
        seen = turn(session)
        assert len(of(seen, HunkFailed)) == 1
        assert sorted(hunks(session)) == [("    return qty * item",), ("    return sum(items, 0)",)]


def test_a_file_that_was_added_may_be_written_again(open_with):
    patch = (
        "*** Begin Patch\n*** Add File: new.py\n+x = 1\n*** Update File: cart.py\n@@\n-{}\n+{}\n*** End Patch"
    )
    first = patch.format("    return item*qty or 1", "    return qty * item")
    with chat_server(first, patch.format("    return item * qty", "    return qty * item")) as server:
        session = open_with(server)
        assert len(of(turn(session), HunkFailed)) == 1
        assert sorted(hunks(session)) == [("    return qty * item",), ("x = 1",)]


@pytest.mark.parametrize(("again", "marked"), [(MISFIT, 1), (MENDED, 0)])
def test_what_is_left_of_a_files_edits_is_marked_where_another_did_not_fit(open_with, again, marked):
    with chat_server(FITS + MISFIT, again) as server:
        session = open_with(server)
        turn(session)
        first, *others = session.check_answer(stop=threading.Event())
    kept = [hunk.id for hunk in session.decisions.unwritten()]
    assert isinstance(first, events.Checked) and set(first.hunks) == {*kept}
    halves = [event for event in of(others, events.Doubt) if "did not fit" in event.reason]
    assert [event.hunk_id for event in halves] == kept * marked


def test_of_a_file_that_the_answer_moves_nothing_false_is_told():
    failure = HunkFailed(2, "cart.py", events.NO_SUCH_FILE, 3, 0, "def add():")
    told = correction([failure], {"cart.py": CART.split("\n")}.get, ["cart.py"])
    assert "cart.py: no such file" in told and "def add():" in told
    assert "is called" not in told and "lines 1 to" not in told
