"""A job with a connected model uses the tools of a turn: it looks, edits, and runs by policy."""

import json

import pytest
from support.job_runs import folder_of, footprint, patch_of, spark, until
from support.scripted_model import DROP, STALL, Answer, Call, ScriptedModel, refuse

from spark_tui.edits.parser import JOINED
from spark_tui.errors import ExitCode
from spark_tui.jobs import job as jobs

EDIT = Call("edit", json.dumps({"path": "count.py", "old": "LIMIT = 10", "new": "LIMIT = 99"}))
LOOK = (
    Answer(Call("search", '{"pattern": "LIMIT"}')),
    Answer(Call("read_file", '{"path": "count.py"}')),
    Answer(Call("references", '{"name": "up"}')),
    Answer(EDIT),
    Answer(Call("diagnostics")),
)
RUN = Answer(Call("run", '{"command": "grep -c LIMIT.=.99 count.py"}'))
DONE = Answer("Done.\n")


def begin(root, server, *words):
    model = ["--connect", server.url, "--model", "m", "--api", "chat"]
    return spark(root, "work", *model, "raise the limit", *words)


def work(root, server, *words):
    return begin(root, server, *words, "--wait")


def results(server):
    return [item["content"] for item in server.bodies[-1]["messages"] if item["role"] == "tool"]


def reasons(root):
    """Why the hunks of the only instruction are marked."""
    (task,) = jobs.read(folder_of(root)).tasks
    return [doubt.reason for doubt in task.doubts]


def test_a_job_looks_and_edits_by_tools_and_its_check_passes(counter, capfd):
    before = footprint(counter)
    with ScriptedModel(*LOOK, DONE) as server:
        assert work(counter, server, "--check", "grep -q LIMIT count.py") == 0
    found = results(server)
    assert "count.py:2: LIMIT = 10" in found[0] and "2\tLIMIT = 10" in found[1]
    assert "count.py:5: (definition) def up(n):" in found[2]
    assert "proposed 1 hunk" in found[3] and found[4] == "no problem in 1 file"
    assert footprint(counter) == before
    assert "+LIMIT = 99" in patch_of(counter, capfd)


@pytest.mark.parametrize(("rule", "runs"), [("ask", False), ("never", False), ("always", True)])
def test_a_command_runs_by_policy_on_the_pending_edit(rule, runs, counter, monkeypatch):
    monkeypatch.setenv("SPARK_TOOLS_RUN", rule)
    with ScriptedModel(Answer(EDIT), RUN, DONE) as server:
        assert work(counter, server) == 0
    last = results(server)[-1]
    assert last.startswith("1\n[exit code 0") == runs, last
    offered = [tool["function"]["name"] for tool in server.bodies[0]["tools"]]
    assert ("run" in offered) == (rule != "never")


def test_an_edit_by_tool_that_breaks_the_check_is_told_to_the_model_and_mended(counter, capfd):
    again = Call("edit", json.dumps({"path": "count.py", "old": "LIMIT = 99", "new": "LIMIT = 11"}))
    with ScriptedModel(Answer(EDIT), DONE, Answer(again), DONE) as server:
        code = work(counter, server, "--check", "grep -q -e LIMIT.=.10 -e LIMIT.=.11 count.py")
    assert code == 0
    assert "+LIMIT = 11" in patch_of(counter, capfd)
    assert jobs.read(folder_of(counter)).tasks[0].rounds == 1


def test_a_job_whose_turn_reaches_its_limit_keeps_what_it_made(counter, capfd, monkeypatch):
    monkeypatch.setenv("SPARK_TOOLS_MAX_STEPS", "3")
    looks = [Answer(Call("search", json.dumps({"pattern": f"x{n}"}))) for n in range(9)]
    with ScriptedModel(Answer(EDIT), *looks) as server:
        assert work(counter, server) == ExitCode.MISFIT
    said = "◐ raise the limit  (failed: the turn reached a limit of its tools; 1 hunk kept"
    assert said in capfd.readouterr().err
    assert reasons(counter) == ["not finished: the turn reached a limit of its tools"]
    assert "+LIMIT = 99" in patch_of(counter, capfd)


def test_a_job_whose_model_breaks_off_keeps_what_it_made_with_a_mark(counter, capfd):
    with ScriptedModel(Answer(EDIT), Answer("Now for the", DROP)) as server:
        assert work(counter, server, "--check", "grep -q LIMIT count.py") == ExitCode.MISFIT
    said = capfd.readouterr().err
    assert "To review: spark jobs review 1" in said and "--resume" not in said
    (reason,) = reasons(counter)
    assert reason.startswith("not finished: the answer broke off")
    assert spark(counter, "jobs") == 0
    assert "ready for review, 1 unfinished" in capfd.readouterr().out
    assert "+LIMIT = 99" in patch_of(counter, capfd)


def test_an_answer_that_breaks_off_or_is_filtered_is_no_end_of_the_job(counter, capfd):
    for first in (
        Answer("I will", DROP),
        Answer("I ", reason="content_filter"),
        refuse(400, {"error": "no"}),
    ):
        with ScriptedModel(first, Answer(EDIT), DONE) as server:
            assert work(counter, server, "then the limit") == ExitCode.MISFIT
        assert "1 of 2 done. To review" in capfd.readouterr().err


def test_a_job_of_which_all_fails_is_not_one_with_nothing_to_do(counter, capfd):
    with ScriptedModel(refuse(413, {"error": {"message": "too large"}})) as server:
        assert work(counter, server) == ExitCode.MISFIT
    assert "too large" in capfd.readouterr().err


def test_what_a_broken_off_model_made_is_undone_where_the_check_fails_with_it(counter, capfd):
    with ScriptedModel(Answer(EDIT), Answer("Now for the", DROP)) as server:
        assert work(counter, server, "--check", "grep -q LIMIT.=.10 count.py") == ExitCode.MISFIT
    assert "check fails with what it had done" in capfd.readouterr().err
    assert spark(counter, "jobs", "review", 1) == ExitCode.NOTHING


def test_a_job_that_is_stopped_while_the_model_writes_brings_back_its_whole_hunks(counter, capfd):
    with ScriptedModel(Answer(EDIT), Answer("Now for the", STALL)) as server:
        assert begin(counter, server, "lower the step") == 0
        until(lambda: len(server.bodies) == 2)
        assert spark(counter, "jobs", "stop", 1) == 0
    job = jobs.read(folder_of(counter))
    assert [doubt.reason for doubt in job.tasks[0].doubts] == ["not finished: the job was stopped"]
    assert "+LIMIT = 99" in patch_of(counter, capfd)
    assert spark(counter, "sessions", "show", job.session) == 0
    shown = capfd.readouterr().out
    assert "not finished: raise the limit (stopped; 1 hunk kept)" in shown
    assert "not done: lower the step (not begun)" in shown


def test_a_stopped_job_ends_in_the_middle_of_arguments(counter):
    cut = Call("edit", EDIT.arguments[:-12], whole=False)
    with ScriptedModel(Answer(cut, STALL)) as server:
        assert begin(counter, server) == 0
        until(lambda: len(server.bodies) == 1)
        assert spark(counter, "jobs", "stop", 1) == 0
    job = jobs.read(folder_of(counter))
    assert [task.state for task in job.tasks] == ["stopped"]
    assert spark(counter, "jobs", "review", 1) == ExitCode.NOTHING


def test_an_edit_that_did_not_fit_and_was_written_again_is_kept(counter, capfd):
    misfit = Call("edit", json.dumps({"path": "count.py", "old": "LIMIT = 11", "new": "LIMIT = 99"}))
    with ScriptedModel(Answer(misfit), Answer(EDIT), DONE) as server:
        assert work(counter, server) == 0
        assert len(server.bodies) == 3
    assert "+LIMIT = 99" in patch_of(counter, capfd)


def test_an_answer_goes_on_behind_its_token_limit(counter, capfd):
    text = "count.py\n```\n<<<<<<< SEARCH\nLIMIT = 10\n=======\nLIMIT = 99\n>>>>>>> REPLACE\n```\n"
    parts = [Answer(text[at : at + 30], reason="length") for at in range(0, len(text), 30)]
    parts[-1].reason = "stop"
    with ScriptedModel(*parts) as server:
        assert work(counter, server, "--check", "grep -q LIMIT count.py") == 0
    assert len(server.bodies) == len(parts) == 3
    assert reasons(counter) == [JOINED]  # the second part ends in the new lines
    assert "+LIMIT = 99" in patch_of(counter, capfd)


def test_an_answer_that_never_ends_is_given_up(counter, capfd):
    with ScriptedModel(Answer("I think about it. ", reason="length", usage=(20, 5, 7, 0))) as server:
        assert work(counter, server) == ExitCode.MISFIT
    assert "the answer reached its token limit" in capfd.readouterr().err
    assert len(server.bodies) == 5


def block(old, new):
    return f"count.py\n```\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n```\n"


STEP_OUT, LIMIT_OUT = block("STEP = 1", "STEP = 2"), block("LIMIT = 10", "LIMIT = 99")
NOWHERE = block("STRIDE = 1", "STRIDE = 2")


def test_an_edit_that_is_given_up_does_not_take_the_others_with_it(counter, capfd):
    with ScriptedModel(Answer(LIMIT_OUT + NOWHERE), Answer("I cannot.\n")) as server:
        assert work(counter, server, "--check", "grep -q LIMIT.=.99 count.py || true") == ExitCode.MISFIT
        assert "The others were made" in json.dumps(server.bodies[-1])
    assert "count.py: the edit does not match line 1 of the file; 1 hunk kept" in capfd.readouterr().err
    (task,) = jobs.read(folder_of(counter)).tasks
    assert (task.state, task.hunks) == ("failed", 1) and "count.py" in task.note
    (reason,) = reasons(counter)
    assert reason == "not finished: count.py: the edit does not match line 1 of the file"
    patch = patch_of(counter, capfd)
    assert "+LIMIT = 99" in patch and "STRIDE" not in patch


def test_an_edit_that_is_written_again_leaves_no_mark_at_the_others(counter, capfd):
    with ScriptedModel(Answer(LIMIT_OUT + NOWHERE), Answer(NOWHERE), Answer(STEP_OUT)) as server:
        assert work(counter, server) == 0
    assert not reasons(counter)
    patch = patch_of(counter, capfd)
    assert "+LIMIT = 99" in patch and "+STEP = 2" in patch


def test_what_stands_beside_an_edit_that_is_given_up_must_pass_the_check(counter):
    with ScriptedModel(Answer(LIMIT_OUT + NOWHERE), Answer("I cannot.\n")) as server:
        assert work(counter, server, "--check", "grep -q LIMIT.=.10 count.py") == ExitCode.MISFIT
    (task,) = jobs.read(folder_of(counter)).tasks
    assert not task.hunks and "line 1 of the file; check fails with what it had done" in task.note


@pytest.mark.parametrize(("text", "marked"), [(STEP_OUT + "and now ", 2), ("and now ", 1)])
def test_what_stands_beside_a_misfit_has_a_mark_where_its_repair_ends_early(counter, capfd, text, marked):
    cut = Answer(text, reason="length")
    with ScriptedModel(Answer(LIMIT_OUT + NOWHERE), Answer(NOWHERE), cut) as server:
        assert work(counter, server) == ExitCode.MISFIT
    assert reasons(counter) == ["not finished: the answer reached its token limit"] * marked
    assert "+LIMIT = 99" in patch_of(counter, capfd)


@pytest.mark.parametrize("gone", [refuse(401), Answer(DROP)], ids=["refused", "dropped"])
def test_what_stands_beside_a_misfit_is_kept_where_its_repair_fails_without_a_hunk(counter, capfd, gone):
    with ScriptedModel(Answer(LIMIT_OUT + NOWHERE), Answer(NOWHERE), gone) as server:
        assert work(counter, server) != 0
    (reason,) = reasons(counter)
    assert reason.startswith("not finished: ")
    assert "+LIMIT = 99" in patch_of(counter, capfd)
