"""The command line picks one command and turns errors into words and codes."""

import errno
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.git_command import git

from spark_tui import __version__
from spark_tui.cli import main
from spark_tui.cli.commands import workbench
from spark_tui.engine.kernels import blas
from spark_tui.errors import ExitCode


def test_version(capsys):
    assert main.main(["--version"]) == 0
    assert capsys.readouterr().out == f"spark {__version__}\n"


@pytest.mark.parametrize(
    ("word", "named"), [("undo", "checkpoints restore ID"), ("resume", "--session last")]
)
def test_what_other_programs_have_a_command_for_is_named(capsys, word, named):
    assert main.main([word]) == ExitCode.MALFORMED
    assert f"Did you mean `spark {named}`?" in capsys.readouterr().err


def test_an_unknown_command_names_the_nearest(capsys):
    assert main.main(["exce", "x"]) == ExitCode.MALFORMED
    said = capsys.readouterr().err
    assert "unknown command 'exce'" in said
    assert "spark exec" in said


def test_an_option_before_the_command_says_where_it_belongs(capsys):
    assert main.main(["-C", "shop", "exec", "x"]) == ExitCode.MALFORMED
    assert "spark exec … -C shop" in capsys.readouterr().err
    assert main.main(["--connect", "http://host:8000", "exec", "x"]) == ExitCode.MALFORMED
    assert "Write `spark exec … --connect http://host:8000`." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("shop/none.py", "no such file"),
        ("none.py:3", "no such file"),
        ("--demo", "copy of its own"),
    ],
)
def test_what_cannot_be_opened_is_said(capsys, monkeypatch, tmp_path, word, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cart.py").write_text("a = 1\n")
    monkeypatch.setattr(workbench, "check_terminal", lambda: None)
    words = [word] if word != "--demo" else ["cart.py", word]
    assert main.main(words) == ExitCode.MALFORMED
    assert told in capsys.readouterr().err


def test_a_sentence_is_no_path(capsys):
    for words in ("add a docstring.", "why? " * 100):
        assert main.main([words]) == ExitCode.MALFORMED
        assert "unknown command" in capsys.readouterr().err


def test_a_link_to_what_may_be_secret_is_not_opened(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(workbench, "check_terminal", lambda: None)
    (tmp_path / ".env").write_text("KEY=1\n")
    (tmp_path / "notes.txt").symlink_to(".env")
    assert main.main(["notes.txt"]) == ExitCode.REFUSED
    assert "may hold secrets" in capsys.readouterr().err


def test_a_folder_that_is_not_there_is_said(capsys, tmp_path):
    assert main.main(["doctor", "-C", str(tmp_path / "none")]) == ExitCode.NO_PLACE
    assert "no such folder" in capsys.readouterr().err


def test_a_current_folder_that_is_gone_is_said(capsys, tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    for words in (["exec", "x"], ["sessions"], ["patch", "x"], ["refactor", "rename", "a", "b"]):
        assert main.main(words) == ExitCode.NO_PLACE
        assert capsys.readouterr().err.startswith("spark: the current folder no longer exists\n  Change")


def test_too_little_memory_is_no_defect_of_spark(capsys, monkeypatch):
    def dispatch(words):
        np.empty(1 << 50, np.uint8)

    monkeypatch.setattr(main, "_dispatch", dispatch)
    assert main.main(["exec", "x"]) == ExitCode.MISFIT
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "spark: there is too little memory: Unable to allocate 1.00 PiB"
    assert len(said) == 2 and "Raise the limit" in said[1]


@pytest.mark.parametrize("error", [FileNotFoundError, IsADirectoryError, PermissionError])
def test_a_file_that_cannot_be_used_is_said_without_a_traceback(capsys, monkeypatch, error):
    def dispatch(words):
        raise error(13, "It will not have it", "/some/where\x1b[1m")

    monkeypatch.setattr(main, "_dispatch", dispatch)
    code = main.main(["stats", "--plot", "/some/where"])
    assert code == (ExitCode.REFUSED if error is PermissionError else ExitCode.MALFORMED)
    said = capsys.readouterr().err
    assert said.startswith("spark: /some/where\\x1b[1m: cannot use this file: It will not have it\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [["models"], ["--version"], ["exec", "--help"], ["refactor", "--help"]])
def test_a_full_disk_below_the_output_is_no_defect_of_spark(words, unbuffered):
    environ = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    command = [sys.executable, "-m", "spark_tui", *words]
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            command, check=False, stdout=full, stderr=subprocess.PIPE, text=True, env=environ
        )
    assert (ended.returncode, ended.stderr) == (7, "spark: the disk is full\n  Make room on it.\n")


@pytest.mark.parametrize("words", [["models"], ["--version"], ["exec", "--schema"], ["refactor", "--help"]])
def test_an_output_that_is_closed_is_said_like_a_full_disk(words):
    command = ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-m", "spark_tui", *words]
    ended = subprocess.run(command, check=False, stderr=subprocess.PIPE, text=True)
    assert ended.returncode == 7
    assert ended.stderr.startswith("spark: the output is closed\n")


@pytest.mark.parametrize("limit", [0, 1])
@pytest.mark.parametrize(
    "words", [["exec", "rename Cart to Basket"], ["refactor", "rename", "Cart", "Basket"]]
)
def test_a_limit_on_the_size_of_files_is_no_defect_of_spark(repo, words, limit):
    (repo / "big.py").write_text("from shop.cart import Cart\n" + "Cart\n" * 1000)
    command = ["sh", "-c", f'ulimit -f {limit}; exec "$@"', "sh", sys.executable, "-m", "spark_tui", *words]
    # Bytecode of this tree would be cut off at the limit, and Python would not notice.
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    ended = subprocess.run(
        [*command, "--apply"], check=False, capture_output=True, text=True, cwd=repo, env=environ
    )
    assert (ended.returncode, "(ulimit -f)" in ended.stderr) == (7, True), ended.stderr
    assert git(repo, "diff") == ""


def test_a_reader_that_is_gone_before_the_output_comes_is_no_error():
    reader, writer = os.pipe()
    os.close(reader)
    environ = {**os.environ, "PYTHONUNBUFFERED": ""}
    command = [sys.executable, "-m", "spark_tui", "completions", "bash"]
    ended = subprocess.run(command, check=False, stdout=writer, stderr=subprocess.PIPE, env=environ)
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.parametrize("error", [OSError(5, "It broke"), KeyError("It broke")])
def test_a_defect_shows_where_and_has_a_code_of_its_own(capsys, monkeypatch, error):
    def dispatch(words):
        raise error

    monkeypatch.setattr(main, "_dispatch", dispatch)
    assert main.main(["stats"]) == ExitCode.CRASHED
    said = capsys.readouterr().err
    assert "in dispatch" in said and "It broke" in said
    assert said.rstrip().endswith("this is a bug in spark, not a mistake of yours")


@pytest.mark.parametrize(
    "command", [main.WORKBENCH, *main.COMMANDS], ids=lambda command: command.name or "spark"
)
def test_every_command_has_help(command, capsys):
    with pytest.raises(SystemExit) as caught:
        main.main([*([command.name] if command.name else []), "--help"])
    assert caught.value.code == 0
    assert "usage: spark" in capsys.readouterr().out


def test_the_doctor_speaks_json_and_names_a_bad_setting(capsys, tmp_path, monkeypatch, measured_machine):
    monkeypatch.setenv("SPARK_UI_MOUSE", "perhaps")
    code = main.main(["doctor", "--json", "-C", str(tmp_path)])
    said = json.loads(capsys.readouterr().out)
    findings = said["findings"]
    assert {rate["what"] for rate in said["roofline"]["rates"]} >= {"read", "fp32"}
    bad = [f for f in findings if f["topic"] == "settings" and f["level"] == "problem"]
    assert code == 1
    assert "SPARK_UI_MOUSE" in bad[0]["fact"]
    assert {"python", "terminal", "git", "blas", "model", "state"} <= {f["topic"] for f in findings}


@pytest.mark.parametrize(("name", "mark"), [("paper", "✓"), ("papre", "✗")])
def test_the_doctor_looks_whether_the_theme_is_there(
    capsys, tmp_path, monkeypatch, measured_machine, name, mark
):
    monkeypatch.setenv("SPARK_UI_THEME", name)
    main.main(["doctor", "-C", str(tmp_path)])
    said = next(line for line in capsys.readouterr().out.splitlines() if "ui.theme" in line)
    assert said.startswith(mark) and ("there is no theme" in said) == (mark == "✗")


def test_the_doctor_reports_folders_that_may_not_be_entered(capsys, tmp_path, monkeypatch, measured_machine):
    def state_dir():
        raise PermissionError(errno.EACCES, "Permission denied", "/home/x")

    monkeypatch.setattr("spark_tui.config.paths.state_dir", state_dir)
    assert main.main(["doctor", "-C", str(tmp_path)]) == 1
    assert "✗ state      [Errno 13] Permission denied: '/home/x'\n" in capsys.readouterr().out


def test_the_doctor_says_why_a_repository_cannot_be_used(capsys, tmp_path, measured_machine):
    git(tmp_path, "init", "--quiet", "--bare")
    assert main.main(["doctor", "-C", str(tmp_path)]) == 1
    assert f"✗ git        {tmp_path}: a bare repository has no files to edit\n" in capsys.readouterr().out


def test_the_doctor_names_a_model_and_a_state_folder_that_cannot_be_used(
    capsys, tmp_path, monkeypatch, measured_machine
):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    for name, says in (("nowhere", "no such model"), (str(tmp_path), "has no config.json")):
        monkeypatch.setenv("SPARK_MODEL_NAME", name)
        assert main.main(["doctor", "-C", str(tmp_path)]) == 1
        shown = capsys.readouterr().out
        assert says in shown and "is not writable" in shown


@pytest.mark.usefixtures("measured_machine")
@pytest.mark.parametrize(
    ("core", "fast", "told"),
    [("Haswell", "false", True), ("Haswell", "true", False), ("SkylakeX", "false", False)],
)
def test_the_doctor_names_compiled_loops_where_they_help(capsys, tmp_path, monkeypatch, core, fast, told):
    monkeypatch.setattr(blas, "facts", lambda: blas.BlasFacts(core, 1, "", "as the test says"))
    monkeypatch.setenv("SPARK_ENGINE_FAST", fast)
    main.main(["doctor", "--json", "-C", str(tmp_path)])
    facts = [f["fact"] for f in json.loads(capsys.readouterr().out)["findings"]]
    assert any("engine.fast is off" in fact for fact in facts) == told
    assert any("GFLOP/s at 1 / 4 / 16 rows" in fact for fact in facts)
    assert any("of the roofline" in fact for fact in facts)


def test_the_doctor_says_what_preset_kernels_cost(capsys, tmp_path, monkeypatch, measured_machine):
    def said():
        main.main(["doctor", "--json", "-C", str(tmp_path)])
        found = json.loads(capsys.readouterr().out)["findings"]
        return [f for f in found if "set in the environment" in f["fact"]]

    monkeypatch.delenv("OPENBLAS_CORETYPE", raising=False)
    monkeypatch.delenv("OPENBLAS_L2_SIZE", raising=False)
    assert said() == []
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    (finding,) = said()
    assert "OPENBLAS_CORETYPE=Haswell" in finding["fact"]
    assert re.search(r": \d+ GFLOP/s, without \d+$", finding["fact"])
    assert "env -u OPENBLAS_CORETYPE spark" in finding["advice"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_name_every_command_and_parse(shell, capsys, tmp_path):
    assert main.main(["completions", shell]) == 0
    script = capsys.readouterr().out
    assert all(command.name in script for command in main.COMMANDS)
    assert "--json" in script or "-l json" in script
    assert shell == "bash" or "instead: http://host:8000/v1, or a name of `spark connect` (" in script
    if shutil.which(shell):
        (tmp_path / "s").write_text(script)
        check = (
            [shell, "-n", str(tmp_path / "s")]
            if shell != "fish"
            else [shell, "--no-execute", str(tmp_path / "s")]
        )
        subprocess.run(check, check=True)


def test_bash_completion_completes_a_command_and_its_flags(capsys):
    main.main(["completions", "bash"])
    script = capsys.readouterr().out
    ask = 'COMP_WORDS=(spark {}); COMP_CWORD={}; _spark; echo "${{COMPREPLY[@]}}"'
    words = subprocess.run(
        ["bash", "-c", script + ask.format("doc", 1)], capture_output=True, text=True, check=True
    )
    assert words.stdout.split() == ["doctor"]
    words = subprocess.run(
        ["bash", "-c", script + ask.format("exec --js", 2)], capture_output=True, text=True, check=True
    )
    assert words.stdout.split() == ["--json"]
