"""Runs of a check, compared; and which saves ask for another run."""

import threading

import pytest

from spark_tui import events
from spark_tui.session.storage.journal import Journal
from spark_tui.session.storage.write_watcher import WriteWatcher
from spark_tui.session.tree.check_loop import CheckLoop


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n")
    return tmp_path


def run(loop, look=True):
    return loop.run(threading.Event(), look=look)


def test_a_second_run_says_what_is_fixed_and_what_is_new(tree):
    (tree / "log").write_text("a.py:1:1: E501 long\na.py:2:1: F401 unused\n")
    loop = CheckLoop("cat log; exit 1", tree, tree)
    assert run(loop).comparison is None
    (tree / "log").write_text("a.py:5:1: F401 unused\na.py:2:1: F821 undefined\n")
    again = run(loop)
    assert again.comparison.words == "1 of 2 problems fixed, 1 new problem"
    assert not again.passes and "2 problems (1 of 2" in again.words


def test_a_run_that_did_not_end_is_compared_with_nothing(tree):
    loop = CheckLoop("cat log; test -e quick || sleep 60", tree, tree, seconds=0.5)
    (tree / "log").write_text("a.py:1:1: E501 long\n")
    (tree / "quick").touch()
    run(loop)
    (tree / "quick").unlink()
    assert run(loop).comparison is None
    (tree / "quick").touch()
    assert run(loop).comparison.words == ""


def test_a_saved_file_asks_for_a_run(tree):
    loop = CheckLoop("true", tree, tree)
    run(loop)
    assert loop.saved() == []
    (tree / "a.py").write_text("x = 22\n")
    assert loop.saved() == ["a.py"]
    run(loop)
    assert loop.saved() == []


def test_a_command_that_changes_the_tree_runs_once_more_and_not_for_ever(tree):
    loop = CheckLoop("echo x >> out.txt; date +%N > $(date +%N).txt", tree, tree)
    assert "out.txt" in run(loop).changed
    assert loop.saved() != []  # it may have been the person
    run(loop)
    assert loop.saved() == []
    (tree / "a.py").write_text("x = 22\n")
    assert loop.saved() == ["a.py"]


def test_problems_in_files_that_are_gone_or_elsewhere_are_kept_and_said_so(tree):
    (tree / "log").write_text("gone.py:1:1: E501 a\n/usr/x.py:1:1: E501 b\na.py:1:1: E501 c\n")
    loop = CheckLoop("cat log", tree, tree)
    assert [problem.where for problem in run(loop).problems] == ["gone", "outside", "here"]
    assert not loop.last.passes and loop.last.result.passes


def test_a_write_of_another_process_is_seen_once(tmp_path):
    (tmp_path / "sessions" / "one").mkdir(parents=True)
    journal = Journal(tmp_path / "sessions" / "one" / "journal.jsonl")
    journal.append(events.Applied(("a.py",), "c1"), 0.0)
    watcher = WriteWatcher(tmp_path)
    assert not watcher.wrote()
    journal.append(events.Prose("text"), 0.0)
    assert not watcher.wrote()
    journal.append(events.Applied(("a.py",), "c2"), 0.0)
    assert watcher.wrote() and not watcher.wrote()
