"""How long the same edit takes while one waits for it, and as a job with a check: `python
docs/jobs_measured.py`.

A B A B on a scratch copy of the shop, with the built-in model and `pytest -q` as the check. The first figure
is a turn in a process that has its model open, as the workbench has; the others are those of `spark work
--wait`.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from spark_tui.config import paths
from spark_tui.config.settings import Settings
from spark_tui.jobs import job as jobs
from spark_tui.jobs.job_diff import JobDiffBackend
from spark_tui.session.session import Session
from spark_tui.session.session_opener import open_backend
from spark_tui.workspace.repository import create_repository

ASKED, FILE, CHECK = (
    "raise ValueError in add when qty is below 1",
    "shop/cart.py",
    f"{sys.executable} -m pytest -q",
)
TIMES = 9


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = f"{folder}/state"
        root = Path(folder) / "shop"
        shutil.copytree(paths.examples_dir() / "shop", root, ignore=shutil.ignore_patterns("__pycache__"))
        (root / ".gitignore").write_text("__pycache__/\n.pytest_cache/\n")
        create_repository(root, message="Start")
        backend = open_backend(Settings())
        edits, held, whole = [], [], []
        for number in range(1, TIMES + 2):
            session = Session(root, backend, Settings(), Path(folder) / "own")
            begun = time.monotonic()
            list(session.turn(ASKED, files=[FILE], stop=threading.Event()))
            took = time.monotonic() - begun
            assert session.offered()
            session.use(JobDiffBackend())
            session.close()
            begun = time.monotonic()
            words = [sys.executable, "-m", "spark_tui", "work", "-C", str(root), "-f", str(root / FILE)]
            subprocess.run([*words, ASKED, "--check", CHECK, "--wait"], check=True, capture_output=True)
            if number > 1:  # the first pair warms up
                edits.append(took)
                whole.append(time.monotonic() - begun)
                job = jobs.read(jobs.jobs_dir(paths.repository_state_dir(root)) / str(number))
                held.append(job.tasks[0].seconds)
        backend.close()
    for name, took in (
        ("a turn", edits),
        ("the same, held against the check", held),
        ("the whole job", whole),
    ):
        middle = statistics.median(took)
        spread = f"{min(took):.3f} to {max(took):.3f}"
        print(f"{name:34} {middle:8.3f} s  ({spread})  {middle / statistics.median(edits):6.0f} ×")


if __name__ == "__main__":
    main()
