"""Runs a job's check: the user's command, in the worktree, with a time limit.

The command has no input, and every process that it started ends with it.
"""

from __future__ import annotations

import subprocess
import threading
from pathlib import Path

from spark_tui.problems.runner import CommandResult, kill_process_group, run_command
from spark_tui.workspace.processes import environment

_MARKED = """
began=
if read -r words < /proc/$$/stat; then
    words=${words##*)}  # not below: old shells take a bracket there for the end
    began=$(set -f; set -- $words; echo ${20})
else
    began=$(ps -o lstart= -p $$)
fi 2>/dev/null
echo "$$ $began" > "$1"
exec /bin/sh -c "$2"
"""
"""Writes down which process it is, and becomes the check: the worker may be killed at any time."""


def run_check(
    command: str, tree: Path, directory: Path, seconds: float, stop: threading.Event, pid_file: Path
) -> CommandResult:
    """Run the command in `directory`, a folder of `tree`. While it runs, `pid_file` names its process group,
    so that it can be ended after the worker was killed."""
    words = ["/bin/sh", "-c", _MARKED, "sh", str(pid_file), command]
    try:
        return run_command(words, directory, stop=stop, seconds=seconds, environment=environment(tree))
    finally:
        pid_file.unlink(missing_ok=True)


def kill_leftover_check(pid_file: Path) -> None:
    """Kill the check of a worker that was killed, if it still runs. A reused process id is told by its start
    time."""
    try:
        pid, _, began = pid_file.read_text().partition(" ")
    except OSError:
        return
    if began.strip() and began_at(int(pid)) == began.strip():
        kill_process_group(int(pid))
    pid_file.unlink(missing_ok=True)


def began_at(pid: int) -> str:
    """The start time of a process, as the system gives it; empty where there is none."""
    try:
        # The 20th field after the name, which may hold anything.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        pass
    if Path("/proc/self/stat").exists():
        return ""
    done = subprocess.run(
        ["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return done.stdout.strip()
