"""Commands run in a copy with the pending hunks, by policy, bounded, and end with all that they started."""

import os
import threading
import time
from pathlib import Path

import pytest
from support.git_command import git
from support.tool_streams import drained

from spark_tui.edits.hunk import Hunk
from spark_tui.tools.all_tools import make_registry
from spark_tui.tools.overlay import Overlay, PendingHunk
from spark_tui.tools.permission import Permissions
from spark_tui.tools.registry import Stopped, ToolContext
from spark_tui.tools.run_command import CommandRunner, RunPolicy
from spark_tui.workspace.files import Tree

TOOLS = make_registry()
HUNKS = [
    PendingHunk(Hunk(1, "a.py", 1, ("x = 1",), ("x = 2",)), "open"),
    PendingHunk(Hunk(2, "new.py", 1, (), ("y = 3",), "add"), "open"),
    PendingHunk(Hunk(3, "gone.py", 1, ("z",), (), "delete"), "accepted"),
]


@pytest.fixture(params=["git", "plain"])
def root(request, tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "a.py").write_text("x = 1\n")
    (folder / "gone.py").write_text("z\n")
    if request.param == "git":
        git(folder, "init", "-q")
        git(folder, "add", "-A")
        git(folder, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "Start")
    return folder


@pytest.fixture
def runner(root, tmp_path):
    made = CommandRunner(root, tmp_path / "runs")
    made.policy = RunPolicy("always", (), 20)
    yield made
    made.close()


def run(runner, command, hunks=HUNKS, ask=None, stop=None):
    overlay = Overlay(Tree(runner.root), hunks)
    context = ToolContext(overlay, stop or threading.Event(), {"run": runner}, Permissions(ask))
    stream = TOOLS.call("run", {"command": command}, context)
    pieces, outcome = drained(stream)
    return "".join(pieces), outcome


def test_a_command_sees_the_pending_hunks_and_the_tree_stays(runner, root):
    text, outcome = run(runner, "cat a.py new.py; ls; echo more >> a.py; rm -rf .git; pwd")
    assert text.startswith("x = 2\ny = 3\n")
    assert "gone.py" not in text
    assert outcome.summary.endswith("exit code 0")
    assert (root / "a.py").read_text() == "x = 1\n"
    assert (root / "gone.py").exists()
    assert not (root / "new.py").exists()
    text, _ = run(runner, "cat a.py new.py gone.py", hunks=[])
    assert text.startswith("x = 1\n")
    assert "new.py" in text
    assert "z\n" in text


def test_the_persons_later_changes_are_seen(runner, root):
    run(runner, "true")
    (root / "a.py").write_text("x = 10\n")
    (root / "gone.py").unlink()
    text, _ = run(runner, "cat a.py gone.py", hunks=[])
    assert text.startswith("x = 10\n")
    assert "z\n" not in text


def test_the_worktree_goes_with_the_session_and_that_of_a_killed_one_with_the_next(runner, root, tmp_path):
    run(runner, "true")
    folder = tmp_path / "runs"
    left = [path for path in folder.iterdir() if path.is_dir()]
    assert len(left) == 1
    os.close(runner._lock)  # as the system does for a killed process
    runner._lock, runner._tree = -1, None
    run(runner, "true")
    assert not left[0].exists()
    runner.close()
    assert not list(folder.iterdir())
    if (root / ".git").exists():
        assert len(git(root, "worktree", "list").splitlines()) == 1


def test_nobody_is_asked_about_an_empty_command(runner):
    runner.policy = RunPolicy("ask", (), 20)
    text, outcome = run(runner, " \n", ask=lambda *_: pytest.fail("asked"))
    assert (text, outcome.summary, outcome.failed) == ("`command` is empty", "wrong arguments", True)


def test_a_failure_is_told(runner):
    text, outcome = run(runner, "echo broken >&2; exit 3")
    assert text.startswith("broken\n[exit code 3, ")
    assert outcome.failed


def test_long_output_is_cut_in_the_middle(runner):
    text, _ = run(runner, "seq 1 200000")
    assert text.startswith("1\n2\n3\n")
    assert "characters are not shown …\n" in text
    assert "\n199999\n200000\n[exit code 0" in text
    assert len(text) < 40_000


def test_control_characters_and_broken_text_are_harmless(runner):
    text, _ = run(runner, r"printf '\033[31mred\033[0m \033]0;title\007\377 \233x a\rb\n'; printf 'no end'")
    assert "red" in text
    assert "no end\n[exit" in text
    assert text.replace("\n", "").isprintable()


def test_a_line_of_five_megabytes_is_cut(runner):
    text, _ = run(runner, "head -c 5000000 /dev/zero | tr '\\0' x; echo; echo end")
    assert len(text) < 40_000
    assert "end\n[exit code 0" in text


@pytest.mark.parametrize(
    ("rule", "allowed", "command", "verdict"),
    [
        ("never", ("ls",), "ls", "no"),
        ("always", (), "rm x; ls", "yes"),
        ("ask", (), "ls", "ask"),
        ("ask", ("pytest -q",), "pytest -q tests", "yes"),
        ("ask", ("pytest -q",), "pytest tests", "ask"),
        ("allow", ("pytest",), "pytest -x", "yes"),
        ("allow", ("pytest",), "pytest; rm -rf ~", "no"),
        ("allow", ("pytest",), "pytest `id`", "no"),
        ("allow", ("pytest",), "pytest $(id)", "no"),
        ("allow", ("pytest",), "pytest\nid", "no"),
        ("allow", ("pytest",), "pytester", "no"),
        ("allow", ("",), "ls", "no"),
        ("allow", ("ls",), "ls 'unclosed", "no"),
    ],
)
def test_the_policy_decides(rule, allowed, command, verdict):
    assert RunPolicy(rule, allowed).verdict(command) == verdict


def test_a_command_that_is_not_allowed_does_not_run(runner, tmp_path):
    runner.policy = RunPolicy("ask")
    asked = []
    text, outcome = run(runner, f"touch {tmp_path}/ran", ask=lambda item, _s: asked.append(item.text) or "no")
    assert "it was not allowed" in text
    assert outcome.failed
    assert asked == [f"touch {tmp_path}/ran"]
    assert not (tmp_path / "ran").exists()
    run(runner, f"touch {tmp_path}/ran", ask=lambda _c, _s: "once")
    assert (tmp_path / "ran").exists()


def test_the_time_limit_ends_a_command(runner):
    runner.policy = RunPolicy("always", (), 0.2)
    text, outcome = run(runner, "echo begun; sleep 30")
    assert text.startswith("begun\n[the time limit ended it")
    assert outcome.failed


def test_a_stop_ends_the_whole_group_long_before_the_command_does(runner, tmp_path):
    run(runner, "true")
    stop = threading.Event()
    mark = tmp_path / "pid"

    def stop_it():
        while not mark.exists() or not mark.read_text().strip():
            time.sleep(0.005)
        stop.set()

    threading.Thread(target=stop_it).start()
    with pytest.raises(Stopped):
        run(runner, f"sleep 3600 & echo $! > {mark}; wait", stop=stop)
    pid = int(mark.read_text())
    for _ in range(3000):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return
        if state == "Z":
            return
        time.sleep(0.01)
    pytest.fail("the child lives on")


def test_keys_of_model_servers_are_not_given(runner, monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "sesame")
    text, _ = run(runner, "env")
    assert "sesame" not in text
