"""A session commits what it wrote, and drafts the message for it."""

import pytest
from support.git_command import write_hook
from support.scripted_backend import accept_and_write, run

from spark_tui.errors import Refused
from spark_tui.workspace import commit as commit_module
from spark_tui.workspace.git import git

MARKED = {"x": "*** shop/cart.py\n@@ 1,1\n+# x\n"}


def test_what_was_written_and_not_committed_is_known_again(open_in_shop):
    session = open_in_shop(MARKED)
    run(session.turn, "x")
    accept_and_write(session, 1)
    session.close()
    again = open_in_shop(session_id=session.id)
    assert again.changes.uncommitted
    again.changes.commit()
    assert not again.changes.uncommitted


def test_a_commit_whose_index_is_held_is_made_and_the_next_start_updates_the_index(
    repo, open_in_shop, monkeypatch
):
    monkeypatch.setattr(commit_module, "_TRIES", 2)
    write_hook(repo, "post-commit", "touch .git/index.lock")
    session = open_in_shop(MARKED)
    run(session.turn, "x")
    accept_and_write(session)
    with pytest.raises(Refused, match="committed as"):
        session.changes.commit()
    assert not session.changes.uncommitted
    session.close()
    (repo / ".git" / "index.lock").unlink()
    again = open_in_shop(session_id=session.id)
    assert not again.changes.uncommitted
    assert git(repo, "status", "--short") == b""


def test_where_the_checkpoints_were_pruned_what_is_written_then_is_committed(repo, open_in_shop):
    """Their numbers begin again."""
    answers = {**MARKED, "y": "*** shop/orders.py\n@@ 1,1\n+# y\n"}
    session = open_in_shop(answers)
    run(session.turn, "x")
    accept_and_write(session)
    session.changes.commit()
    session.close()
    for ref in git(repo, "for-each-ref", "--format=%(refname)", "refs/spark").decode().split():
        git(repo, "update-ref", "-d", ref)
    session = open_in_shop(answers, session_id=session.id)
    assert not session.changes.uncommitted
    run(session.turn, "y")
    accept_and_write(session)
    assert session.changes.uncommitted
    session.changes.commit()
    assert git(repo, "status", "--short") == b""
    assert git(repo, "show", "HEAD:shop/orders.py").startswith(b"# y\n")


def test_what_is_undone_or_redone_after_a_commit_is_committed_like_what_was_written(repo, open_in_shop):
    answers = {
        "Mark it": "*** shop/cart.py\n@@ 1,1\n+# x\n\n@@ 3,3\n+# y\n",
        "Sign it": "*** shop/cart.py\n@@ 1,1\n+# z\n",
    }
    session = open_in_shop(answers)
    old = (repo / "shop/cart.py").read_bytes()
    for asked in answers:
        run(session.turn, asked)
        accept_and_write(session)
    session.changes.commit()
    new = (repo / "shop/cart.py").read_bytes()
    (repo / "shop/orders.py").write_text("# of somebody else\n")

    def commit(message: str, content: bytes) -> None:
        assert session.changes.uncommitted and session.changes.draft_message() == message
        session.changes.commit()
        assert git(repo, "show", "HEAD:shop/cart.py") == content
        assert git(repo, "status", "--short") == b" M shop/orders.py\n" and not session.changes.uncommitted

    session.changes.undo()
    session.changes.undo()
    commit("Undo: Sign it; Undo: Mark it\n", old)
    session.changes.redo()
    session.changes.redo()
    session.close()
    session = open_in_shop(session_id=session.id)
    commit("Mark it; Sign it\n", new)
    session.changes.undo()
    session.changes.redo()
    assert not session.changes.uncommitted
    session.changes.undo_hunk(2)
    commit("Undo: Mark it\n", new.replace(b"# y\n", b""))


def test_a_hunk_in_a_file_that_no_commit_has_keeps_no_other_out(repo, open_in_shop):
    answers = {
        "note it": "*** shop/notes.py\n@@ 1,1\n+# y\n",
        "mark it": "*** shop/cart.py\n@@ 1,1\n+# x\n",
    }
    (repo / "shop/notes.py").write_text("# a\n")
    session = open_in_shop(answers)
    run(session.turn, "note it")
    accept_and_write(session)
    with pytest.raises(Refused, match="not committed yet"):
        session.changes.commit()
    run(session.turn, "mark it")
    accept_and_write(session)
    assert session.changes.draft_message() == "Mark it\n"
    assert session.changes.commit().endswith("without shop/notes.py (commit the whole file first)")
    assert git(repo, "status", "--short") == b"?? shop/notes.py\n"
    assert not session.changes.uncommitted


def test_a_message_is_about_what_is_committed_now_and_not_about_what_was_before(open_in_shop):
    answers = {
        "one": "*** shop/cart.py\n@@ 1,1\n+# x\n",
        "two @shop/orders.py": "*** shop/orders.py\n@@ 1,1\n+# x\n",
    }
    session = open_in_shop(answers)
    for hunk_id, instruction in enumerate(answers, start=1):
        run(session.turn, instruction)
        accept_and_write(session, hunk_id)
        if hunk_id == 1:
            session.changes.commit()
    assert session.changes.draft_message() == "Two\n"


def test_a_message_names_what_was_asked_for_the_hunks_in_the_commit_and_nothing_else(open_in_shop):
    answers = {
        "one": "*** shop/cart.py\n@@ 1,1\n+# x\n\n@@ 3,3\n+# y\n",
        "no, other": "*** shop/cart.py\n@@ 3,3\n+# z\n",
        "two": "*** shop/orders.py\n@@ 1,1\n+# x\n",
        "three": "*** shop/orders.py\n@@ no-edit\n",
    }
    session = open_in_shop(answers)
    run(session.turn, "one")
    run(session.turns.steer, "no, other")
    run(session.turn, "two")
    run(session.turn, "three")
    for hunk in session.decisions.review.undecided():
        session.decisions.decide(
            hunk.id, "accepted" if "# x" in hunk.new_lines and "cart" in hunk.path else "rejected"
        )
    session.changes.write()
    assert session.changes.draft_message() == "One\n"
    session.changes.undo()
    for hunk_id in session.decisions.review.ids:
        if session.decisions.review.state(hunk_id) == "rejected" and hunk_id > 2:
            session.decisions.decide(hunk_id, "accepted")
    session.changes.write()
    session.close()
    again = open_in_shop(answers, session_id=session.id)
    assert again.changes.draft_message() == "One; no, other; two\n\n- shop/cart.py\n- shop/orders.py\n"


def test_a_message_about_what_was_typed_names_the_files(open_in_shop):
    session = open_in_shop({"one": "*** shop/cart.py\n@@ no-edit\n"})
    run(session.turn, "one")
    session.manual_edits.save({"shop/cart.py": ["# mine", *session.manual_edits.begin("shop/cart.py")]})
    assert session.changes.draft_message() == "Edit shop/cart.py\n"


def test_what_was_taken_out_again_is_nothing_to_commit(open_in_shop):
    session = open_in_shop(MARKED)
    assert not session.changes.uncommitted
    run(session.turn, "x")
    accept_and_write(session, 1)
    assert session.changes.uncommitted
    session.changes.undo()
    assert not session.changes.uncommitted
    session.close()
    again = open_in_shop(session_id=session.id)
    assert not again.changes.uncommitted
    again.changes.redo()
    assert again.changes.uncommitted
    again.close()
    again = open_in_shop(session_id=session.id)
    assert again.changes.uncommitted
    again.changes.commit()
    assert not again.changes.uncommitted


def test_a_commit_on_no_branch_says_so(repo, open_in_shop):
    session = open_in_shop(MARKED)
    git(repo, "checkout", "-q", "--detach")
    run(session.turn, "x")
    accept_and_write(session, 1)
    said = session.changes.commit()
    made = git(repo, "rev-parse", "HEAD").decode()[:12]
    assert said == f"{made} on no branch (git branch NAME {made} keeps it)"
