"""An error in the command line is reported in two lines: what is wrong, and what to do."""

import pytest

from spark_tui.cli.main import main


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["exec", "x", "--aply"], "unknown option --aply\n  Did you mean --apply? `spark exec --help`"),
        (["exec", "x", "--qqq"], "unknown option --qqq\n  `spark exec --help` lists its arguments."),
        (["exec", "x", "--choose", "0"], "--choose: must be at least 1\n  `spark exec --help`"),
        (
            ["sessions", "delete", "x", "--json"],
            "unknown option --json\n  `spark sessions delete --help` lists",
        ),
        (["wafer", "predict", "X"], "unexpected argument X\n  `spark wafer predict --help` lists"),
        (
            ["wafer", "predict", "--gird", "9"],
            "unknown option --gird\n  Did you mean --grid? `spark wafer predict",
        ),
        (["checkpoints", "show", "1"], "no checkpoint 1\n  `spark checkpoints list` lists them."),
        (["work", "x", "--check", " "], "the check is empty\n  Name a command, or leave out --check."),
        (["doctor", "now"], "unexpected argument now\n  `spark doctor --help`"),
        (["completions"], "`spark completions` needs one of bash, zsh, fish\n  `spark completions --help`"),
        (["wafer"], "`spark wafer` needs one of predict, validate, compare, sweep, run\n"),
        (["bench"], "`spark bench` needs one of decode, passes, edit, "),
        (["models", "info"], "`spark models info` needs NAME|DIR|FILE.gguf\n"),
        (["bench", "dcode"], "dcode is not one of decode, passes"),
        (["sessions", "nosuch"], "nosuch is not one of list, search"),
    ],
)
def test_a_wrong_command_line_is_said_in_two_lines(words, said, capsys):
    assert main(words) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"spark: {said}") and err.count("\n") == 2


def test_models_and_checkpoints_are_listed_without_a_verb(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["models"]) == 0
    assert "spark-6m" in capsys.readouterr().out
    assert main(["checkpoints"]) == 0
