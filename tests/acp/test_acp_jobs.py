"""Background jobs from an editor: a job's instructions are the plan, and its edits are written there."""

import asyncio
from itertools import pairwise

import acp
import pytest
from support.acp_client import session_of
from support.job_runs import folder_of, recorded
from support.job_runs import until as until_it_holds
from support.small_repositories import committed

from spark_tui.jobs import job as jobs


@pytest.fixture
def counter(tmp_path):
    return committed(tmp_path / "counter", {"count.py": "STEP = 1\nLIMIT = 10\n"})


@pytest.fixture
def answers(tmp_path):
    change = "*** count.py\n@@ "
    return str(
        recorded(
            tmp_path / "answers",
            ("change STEP to 2", change + "1,2\n+STEP = 2\n"),
            ("change LIMIT to 99", change + "2,3\n+LIMIT = 99\n"),
            ("leave everything alone", change + "no-edit\n"),
        )
    )


def said(text):
    return [acp.text_block(text)]


async def test_a_job_is_followed_as_a_plan_and_its_edits_are_asked_about_and_written(
    counter, answers, editor, scripted
):
    text = "/delegate --check true\nchange STEP to 2\nleave everything alone\nchange LIMIT to 99"
    async with session_of(scripted, editor, counter, replay=answers) as (conn, opened):
        done = await conn.prompt(opened.session_id, said(text))
    assert done.stop_reason == "end_turn"
    assert [call.title for call in editor.asked] == ["Edit count.py"]
    assert (counter / "count.py").read_text() == "STEP = 2\nLIMIT = 99\n"
    assert editor.calls() == {"Edit count.py": "completed"}
    plans = editor.plans()
    assert [text for text, _ in plans[0]] == text.splitlines()[1:]
    assert plans[0][-1][1] == "pending"
    assert plans[-1] == [
        ("change STEP to 2", "completed"),
        ("leave everything alone (nothing changed: the model sees nothing to change)", "completed"),
        ("change LIMIT to 99", "completed"),
    ]
    assert "2 of 3 done" in editor.said
    assert all(one != other for one, other in pairwise(plans))


async def test_cancel_stops_the_job_and_what_it_has_done_can_be_reviewed(counter, answers, editor, scripted):
    text = (
        "/delegate --check 'grep -q LIMIT.=.10 count.py || sleep 600'\nchange STEP to 2\nchange LIMIT to 99"
    )
    async with session_of(scripted, editor, counter, replay=answers) as (conn, opened):

        async def cancel(update):
            if update.session_update == "plan" and update.entries[0].status == "completed":
                await conn.cancel(opened.session_id)

        editor.on_update = cancel
        done = await conn.prompt(opened.session_id, said(text))
        assert done.stop_reason == "cancelled"
        assert editor.asked == []
        assert jobs.read(folder_of(counter)).phase == "stopped"
        editor.on_update = None
        await conn.prompt(opened.session_id, said("/jobs"))
        assert "ready for review" in editor.said
        await conn.prompt(opened.session_id, said("/review 1"))
    written, (asked,) = (counter / "count.py").read_text(), editor.asked
    assert written.startswith("STEP = 2\n")
    # The second edit may have been made, and its check not ended, when the job was stopped.
    assert ("LIMIT = 99" in written) == ("not finished: the job was stopped before the check" in asked.title)


async def test_a_job_goes_on_when_its_client_goes(counter, answers, editor, scripted):
    until = counter.parent / "now"
    async with session_of(scripted, editor, counter, replay=answers) as (conn, opened):
        check = f"--check 'until test -e {until}; do sleep 0.05; done'"
        text = f"/delegate {check} change STEP to 2"
        asking = asyncio.ensure_future(conn.prompt(opened.session_id, said(text)))
        while not editor.plans():
            await asyncio.sleep(0.02)
    asking.cancel()
    until.write_text("")
    until_it_holds(lambda: jobs.read(folder_of(counter)).over)
    assert jobs.read(folder_of(counter)).done == 1


async def test_a_plan_of_a_long_job_is_bounded():
    from spark_tui.acp.job_turns import _plan
    from spark_tui.jobs.job import Job, JobTask

    tasks = [
        JobTask(f"task {number}", state="done" if number < 300 else "waiting") for number in range(1_000)
    ]
    tasks[300].state = "working"
    plan = _plan(Job("1", "", "", tasks)).tasks
    assert len(plan) <= 52
    assert plan[0] == ("275 instructions before", "completed")
    assert ("task 300", "in_progress") in plan
    assert plan[-1] == ("675 instructions after", "pending")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("/delegate", "there is no instruction"),
        ("/delegate --check true", "there is no instruction"),
        ("/review 7", "no jobs in this repository"),
        ("/jobs 1", "takes no arguments"),
        ("/jobs", "There are no jobs"),
    ],
)
async def test_what_a_command_about_jobs_cannot_do_is_said(counter, editor, scripted, text, answer):
    async with session_of(scripted, editor, counter) as (conn, opened):
        done = await conn.prompt(opened.session_id, said(text))
    assert done.stop_reason == "end_turn"
    assert answer in editor.said


async def test_steering_does_not_reach_a_job(counter, answers, editor, scripted):
    refused = []
    async with session_of(scripted, editor, counter, replay=answers) as (conn, opened):

        async def steer(update):
            if update.session_update == "plan" and not refused:
                with pytest.raises(acp.RequestError) as raised:
                    what = {"sessionId": opened.session_id, "message": "no"}
                    await conn.ext_method("session/steering", what)
                refused.append(raised.value.code)

        editor.on_update = steer
        await conn.prompt(opened.session_id, said("/delegate change STEP to 2"))
    assert refused == [-32600]
