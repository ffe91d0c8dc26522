"""The hunks of a job come back as an ordinary session."""

import json
import os
import signal

import pytest
from support.git_command import git, write_hook
from support.job_runs import (
    NAME,
    STEP,
    commit_all,
    folder_of,
    footprint,
    hanging,
    patch_of,
    record,
    reviewed,
    spark,
    state_of,
    until,
    work,
)
from support.scripted_backend import accept_and_write
from support.session_indexes import refreshed

from spark_tui.errors import ExitCode, NoPlace
from spark_tui.jobs import handoff
from spark_tui.jobs import job as jobs
from spark_tui.session.storage import archive
from spark_tui.workspace import worktrees
from spark_tui.workspace.git import git as run_git


def test_the_hunks_are_an_ordinary_session_that_writes_undoes_and_is_listed(counter, answers):
    work(counter, answers, STEP, NAME, "--wait")
    session = reviewed(counter)
    first, second = session.decisions.offered()
    session.decisions.decide(first.id, "accepted")
    session.decisions.decide(second.id, "rejected")
    session.changes.write()
    assert (counter / "count.py").read_text().startswith("STEP = 2\n")
    assert (counter / "other.py").read_text() == "NAME = 'a'\n"
    session.changes.undo()
    session.close()
    assert (counter / "count.py").read_text().startswith("STEP = 1\n")
    with refreshed(state_of(counter)) as store:
        (row,) = store.sessions()
        assert row.name.startswith("job 1: 2 instructions: change STEP to 2")
        assert store.hunk_states(row.id) == ["undone", "rejected"]
        assert store.measured() == []  # it hands over what was written; no model read or wrote for it
    assert "2 of 2 done" in archive.as_markdown(
        "x", archive.turns_of(state_of(counter) / "sessions" / row.id)
    )


def test_a_commit_of_a_job_names_what_was_done_and_not_what_came_to_nothing(counter, answers):
    work(counter, answers, STEP, "leave everything alone", NAME, "--wait")
    session = reviewed(counter)
    accept_and_write(session)
    subject = session.changes.draft_message().split("\n")[0]
    session.close()
    assert subject == "Change STEP to 2; rename NAME in other"


def test_the_figures_count_the_hunks_of_a_job_and_not_the_time_of_handing_them_over(counter, answers, capfd):
    work(counter, answers, STEP, "--wait")
    session = reviewed(counter)
    session.decisions.decide(session.decisions.offered()[0].id, "rejected")
    session.close()
    capfd.readouterr()
    assert spark(counter, "stats", "--json") == 0
    found = json.loads(capfd.readouterr().out)
    assert (found["turns"], found["accept_rate"], found["hunks"]) == (0, 0.0, {"rejected": 1})
    assert found["tokens_per_second"] is None


def test_what_changed_meanwhile_is_merged(counter, answers):
    work(counter, answers, STEP, "--wait")
    (counter / "count.py").write_text(
        "STEP = 1\nLIMIT = 10\n\n\ndef up(n):\n    return n + STEP + 0\n\n\nEND = 1\n"
    )
    git(counter, "commit", "-qam", "Meanwhile")
    session = reviewed(counter)
    accept_and_write(session)
    session.close()
    text = (counter / "count.py").read_text()
    assert text == "STEP = 2\nLIMIT = 10\n\n\ndef up(n):\n    return n + STEP + 0\n\n\nEND = 1\n"


def test_what_changed_in_the_same_lines_before_the_job_ended_is_in_conflict(counter, answers):
    check = f"touch {counter.parent}/began; while test ! -e {counter.parent}/go; do sleep 0.05; done"
    assert work(counter, answers, STEP, "--check", check) == 0
    until((counter.parent / "began").exists)
    (counter / "count.py").write_text("STEP = 7\nLIMIT = 10\n")
    (counter.parent / "go").touch()
    until(lambda: not jobs.is_claimed(folder_of(counter)))
    session = reviewed(counter)
    (hunk,) = session.decisions.offered()
    assert (hunk.old_lines, hunk.new_lines) == (("STEP = 1",), ("STEP = 2",))
    session.decisions.decide(hunk.id, "accepted")
    with pytest.raises(Exception) as caught:
        session.changes.write()
    session.close()
    assert caught.value.exit_code == ExitCode.CHANGED
    assert (counter / "count.py").read_text() == "STEP = 7\nLIMIT = 10\n"


def test_bytes_names_and_modes_come_through_filters_and_hooks_untouched(tmp_path, answers, capfd):
    root = tmp_path / "odd"
    root.mkdir()
    ran = tmp_path / "ran"
    (root / "sp ace ü.py").write_bytes(b"\xef\xbb\xbfA = 1\r\nB = 2\r\n")
    (root / "latin.py").write_bytes(b"# caf\xe9\nC = 1\n")
    (root / "new\nline").write_bytes(b"x\n")
    (root / "tool.sh").write_bytes(b"echo\n")
    (root / "tool.sh").chmod(0o755)
    (root / "link").symlink_to("latin.py")
    (root / ".gitattributes").write_text("* text=auto filter=loud ident\n")
    commit_all(root)
    git(root, "config", "filter.loud.smudge", f"touch {ran}; cat")
    git(root, "config", "filter.loud.clean", f"touch {ran}; cat")
    git(root, "config", "core.autocrlf", "true")
    for hook in ("post-checkout", "post-commit", "reference-transaction"):
        write_hook(root, hook, f"touch {ran}")
    record(answers, 6, "make A two", "*** sp ace ü.py\n@@ 1,2\n+A = 2\n")
    record(answers, 7, "make C two", "*** latin.py\n@@ 2,3\n+C = 2\n")
    check = "test -x tool.sh && test -L link && test $(ls | wc -l) -ge 5"
    before = footprint(root)
    assert work(root, answers, "make A two", "make C two", "--check", check, "--wait") == 0
    assert not ran.exists()
    assert footprint(root) == before
    assert jobs.read(folder_of(root)).passes
    session = reviewed(root)
    accept_and_write(session)
    session.close()
    assert (root / "sp ace ü.py").read_bytes() == b"\xef\xbb\xbfA = 2\r\nB = 2\r\n"
    assert (root / "latin.py").read_bytes() == b"# caf\xe9\nC = 2\n"


def test_a_worktree_that_could_not_be_removed_is_removed_later(counter, answers, monkeypatch):
    before = footprint(counter)
    folder, job = hanging(counter, answers)
    os.kill(job.pid, signal.SIGKILL)
    until(lambda: not jobs.is_claimed(folder))

    def read_only(root, *words):
        if "remove" in words:
            raise NoPlace("Read-only file system")
        return run_git(root, *words)

    with monkeypatch.context() as patched:
        patched.setattr(worktrees, "git", read_only)
        assert spark(counter, "jobs") == 0
    assert footprint(counter) != before
    assert spark(counter, "jobs") == 0
    assert footprint(counter) == before
    assert len(list((state_of(counter) / "sessions").iterdir())) == 1


def test_a_hand_over_that_was_killed_is_done_again_and_leaves_one_session(
    counter, answers, capfd, monkeypatch
):
    folder, job = hanging(counter, answers)
    os.kill(job.pid, signal.SIGKILL)
    until(lambda: not jobs.is_claimed(folder))

    def killed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(handoff, "write_facts", killed)
        assert spark(counter, "jobs") == ExitCode.INTERRUPTED
    assert spark(counter, "jobs") == 0
    assert len(list((state_of(counter) / "sessions").iterdir())) == 1
    assert "+STEP = 2" in patch_of(counter, capfd)
