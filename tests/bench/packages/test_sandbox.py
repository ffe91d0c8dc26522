"""The sandbox of strangers' code writes to its scratch folder alone; without one, the report says so."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from spark_tui.bench.packages.sandbox import Sandbox, sandbox


def output(within: Sandbox, code: str) -> str:
    command = within.command([sys.executable, "-c", code])
    done = subprocess.run(
        command, env=within.environment(), capture_output=True, text=True, timeout=60, check=False
    )
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


def test_code_in_the_sandbox_writes_to_its_scratch_folder_alone(tmp_path: Path) -> None:
    with sandbox() as within:
        if not within.prefix:
            pytest.skip("this system has no namespaces")
        (tmp_path / "kept").write_text("here")
        assert output(within, "import os; open(os.environ['TMPDIR'] + '/a', 'w'); print('wrote')") == "wrote"
        assert "Read-only" in output(within, f"open({str(tmp_path / 'kept')!r}, 'w')")
        assert "Read-only" in output(within, "import os; os.remove('/dev/null')")
        assert "unreachable" in output(within, "import socket; socket.socket().connect(('192.0.2.1', 80))")
        assert (
            output(within, "import os; print(len([p for p in os.listdir('/proc') if p.isdigit()]) < 9)")
            == "True"
        )
        assert "scratch folder only" in within.note
    assert (tmp_path / "kept").read_text() == "here"
    assert not within.scratch.exists()


def test_no_setting_or_secret_of_ours_reaches_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_TOKEN", "secret")
    with sandbox() as within:
        assert output(within, "import os; print(os.environ.get('SOME_TOKEN'))") == "None"
        home = output(within, "import os; print(os.path.expanduser('~'))")
        assert Path(home) == within.scratch


def test_a_system_without_the_tools_runs_it_plainly_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with sandbox() as within:
        assert within.prefix == ()
        assert "with the rights of this user" in within.note
        assert output(within, "print(1)") == "1"


def test_a_sandbox_that_does_not_hold_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spark_tui.bench.packages.sandbox._prefix", lambda _: ("env",))
    with sandbox() as within:
        assert within.prefix == ()


def test_byte_code_of_a_changed_file_is_forgotten(tmp_path: Path) -> None:
    with sandbox() as within:
        module = tmp_path / "some.py"
        module.write_text("X = 1\n")
        code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import some; print(some.X)"
        assert output(within, code) == "1"
        module.write_text("X = 2\n")
        within.forget_byte_code(module)
        assert output(within, code) == "2"
        assert not (tmp_path / "__pycache__").exists()
