"""`spark work` and `spark jobs`: what they print and refuse."""

import json
import os
import threading

from support.job_runs import NAME, STEP, folder_of, spark, state_of, work

from spark_tui.errors import ExitCode
from spark_tui.jobs import job as jobs


def test_an_instruction_that_does_nothing_is_said(counter, answers, capfd):
    assert work(counter, answers, "leave everything alone", "--wait") == ExitCode.NOTHING
    assert "nothing changed: the model sees nothing to change" in capfd.readouterr().err
    assert spark(counter, "jobs", "review", 1) == ExitCode.NOTHING


def test_a_list_of_tasks_names_files_line_by_line(counter, answers, tmp_path, capfd):
    tasks = tmp_path / "tasks"
    tasks.write_text(f"\ufeff# first\n\ncount.py: {STEP}\nnot a file: {NAME}\n", "utf-8")
    pipe = tmp_path / "pipe"  # as a shell's <(…) names one
    os.mkfifo(pipe)
    threading.Thread(target=pipe.write_text, args=[tasks.read_text()]).start()
    assert work(counter, answers, "--tasks", pipe) == 0
    first, second = jobs.read(folder_of(counter)).tasks
    assert (first.text, first.files) == (STEP, ("count.py",))
    assert (second.text, second.files) == (f"not a file: {NAME}", ())
    spark(counter, "jobs", "stop", 1)


def test_a_check_without_a_command_is_refused(counter, answers, capfd):
    assert work(counter, answers, STEP, "--check", " ") == ExitCode.MALFORMED
    assert "the check is empty" in capfd.readouterr().err
    assert spark(counter, "jobs") == 0


def test_dropping_deletes_the_hunks_after_a_confirmation(counter, answers, capfd):
    work(counter, answers, STEP, "--wait")
    assert spark(counter, "jobs", "drop", 1) == ExitCode.MALFORMED
    assert "1 hunk not yet written" in capfd.readouterr().err
    assert spark(counter, "jobs", "drop", 1, "--yes") == 0
    assert not list((state_of(counter) / "sessions").glob("*"))
    assert spark(counter, "jobs", "show", 1) == ExitCode.NOTHING


def test_the_list_and_one_job_as_json(counter, answers, capfd):
    work(counter, answers, STEP, "leave everything alone", "--wait")
    capfd.readouterr()
    assert spark(counter, "jobs", "--json") == 0
    row = json.loads(capfd.readouterr().out)
    assert (row["state"], row["open"], row["hunks"]) == ("review", 1, 1)
    assert spark(counter, "jobs", "show", "last", "--json") == 0
    shown = json.loads(capfd.readouterr().out)
    assert [task["state"] for task in shown["tasks"]] == ["done", "nothing"]
    assert any("1/2 change STEP to 2" in line for line in shown["log"])
    assert spark(counter, "jobs", "review", 1, "--json") == 0
    assert json.loads(capfd.readouterr().out)["new_lines"] == ["STEP = 2"]


def test_one_that_does_not_exist_is_named_with_those_that_do(counter, answers, capfd):
    work(counter, answers, STEP, "--wait")
    assert spark(counter, "jobs", "show", 9) == ExitCode.MALFORMED
    assert "The jobs are: 1." in capfd.readouterr().err


def test_the_turn_that_delivers_a_job_is_not_offered_for_recording(counter, answers, capfd):
    work(counter, answers, STEP, "--wait")
    assert spark(counter, "record", "--list") == ExitCode.NOTHING
    assert spark(counter, "record") == ExitCode.NOTHING
    assert "no edit format" not in capfd.readouterr().err
