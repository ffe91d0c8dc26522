"""A job starts in a worktree of its own, or says why it cannot."""

import errno

import pytest
from support.git_command import git
from support.job_runs import NAME, STEP, folder_of, footprint, hanging, spark, until, work
from support.small_repositories import committed

from spark_tui.errors import ExitCode
from spark_tui.jobs import job as jobs
from spark_tui.jobs import launcher


def test_a_job_in_the_worktree_of_a_job_is_refused(counter, answers, capfd):
    folder, _ = hanging(counter, answers)
    assert work(folder / "tree" / "counter", answers, NAME) == ExitCode.REFUSED
    assert "Start it in your own working tree" in capfd.readouterr().err
    spark(counter, "jobs", "stop", 1)


def test_a_state_folder_that_cannot_be_written_is_said(counter, answers, monkeypatch, capfd):
    monkeypatch.setenv("XDG_STATE_HOME", str(counter / "count.py"))
    assert work(counter, answers, STEP) == ExitCode.NO_PLACE
    assert "cannot save this session" in capfd.readouterr().err


def test_a_file_that_cannot_be_copied_is_named(counter, answers, monkeypatch, capfd):
    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("shutil.copy2", refuse)
    assert work(counter, answers, STEP) == ExitCode.REFUSED
    assert f"{counter / 'count.py'}: this file cannot be copied" in capfd.readouterr().err


@pytest.mark.parametrize("kind", ["none", "unborn", "bare"])
def test_where_no_worktree_can_be_made_it_says_what_to_do(tmp_path, answers, kind, capfd):
    root = tmp_path / "place"
    root.mkdir()
    if kind != "none":
        git(root, "init", "-q", *(["--bare"] if kind == "bare" else []))
    assert work(root, answers, STEP) == ExitCode.NO_PLACE
    err = capfd.readouterr().err
    assert {"none": "git init", "unborn": "Commit something first", "bare": "working tree"}[kind] in err


def test_a_submodule_stays_out(counter, answers, tmp_path):
    inner = committed(tmp_path / "inner", {"a": "a\n"})
    git(counter, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "part")
    git(counter, "commit", "-qm", "Part")
    before = footprint(counter)
    assert work(counter, answers, STEP, "--wait") == 0
    assert footprint(counter) == before


def test_a_model_that_is_not_there_is_said_at_once(counter, capfd):
    before = footprint(counter)
    assert spark(counter, "work", STEP, "--model", counter / "nowhere") == ExitCode.NO_BACKEND
    assert "job 1 could not start" in capfd.readouterr().err
    until(lambda: not jobs.is_claimed(folder_of(counter)))
    assert footprint(counter) == before


@pytest.mark.parametrize("begin", ["import sys; ", "import os, sys; os.fork() and os._exit(0); "])
def test_a_worker_that_cannot_begin_is_said(counter, answers, capfd, monkeypatch, begin):
    monkeypatch.setattr(launcher, "_BEGIN", begin + "sys.exit('no memory')")
    assert work(counter, answers, STEP) == ExitCode.REFUSED
    assert "ended before it started" in capfd.readouterr().err
    assert spark(counter, "jobs", "show", 1) == 0
    assert "no memory" in capfd.readouterr().out
