"""Several `spark patch` processes that change one file at the same time."""

import subprocess
import sys

import pytest

SPACING = 4


@pytest.mark.parametrize("store", ["git", "no git"])
@pytest.mark.parametrize("count", [6, pytest.param(20, marks=pytest.mark.slow)])
def test_processes_that_change_different_lines_of_one_file_all_succeed(tmp_path, count, store):
    root = tmp_path / "tree"
    root.mkdir()
    if store == "git":
        subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
    lines = [f"line {at}" for at in range(count * SPACING)]
    (root / "a.txt").write_text("\n".join(lines) + "\n")
    command = [sys.executable, "-m", "spark_tui", "patch", "--root", str(root)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    running = [subprocess.Popen(command, **pipes) for _ in range(count)]
    for at, one in enumerate(running):
        old = lines[at * SPACING]
        one.stdin.write(
            f"*** Begin Patch\n*** Update File: a.txt\n@@\n-{old}\n+new {at}\n*** End Patch\n".encode()
        )
        one.stdin.flush()
    # They have started and wait for the end of the text.
    for one in running:
        one.stdin.close()
    said = [item.stderr.read() for item in running]
    for one in running:
        one.stdout.close()
        one.stderr.close()
    assert [item.wait(60) for item in running] == [0] * count, said
    for at in range(count):
        lines[at * SPACING] = f"new {at}"
    assert (root / "a.txt").read_text() == "\n".join(lines) + "\n"
