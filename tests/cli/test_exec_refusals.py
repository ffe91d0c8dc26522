"""The exit codes of `spark exec` for what is done in part, refused, not understood, or so already."""

import pytest
from support.git_command import git

from spark_tui.errors import ExitCode

HALF = "rename by_day to per_day and rename nowhere_at to here_at"


@pytest.fixture
def exec_(run):
    return lambda *words: run("exec", *words)


def test_an_instruction_that_is_done_in_part_is_no_success(exec_, repo):
    code, out, err = exec_(HALF)
    assert code == ExitCode.MISFIT and "+def per_day" in out
    assert "? not done: rename nowhere_at to here_at" in err
    assert err.endswith("spark: only a part of the instruction is done\n")
    code, out, err = exec_("--resume", "last")
    assert code == ExitCode.MISFIT and "+def per_day" in out
    code, out, err = exec_(HALF, "--apply")
    assert code == ExitCode.MISFIT and "written to shop/report.py" in err
    assert "+def per_day" in git(repo, "diff")


def test_an_order_that_is_so_already_is_no_part_that_is_missing(exec_):
    code, out, _ = exec_("rename by_day to per_day and rename revenue to revenue")
    assert code == ExitCode.DONE and "+def per_day" in out


@pytest.mark.parametrize(
    ("instruction", "code"),
    [
        ("rename by_day to while", ExitCode.MISFIT),
        ("rename by_day to 4ever", ExitCode.MISFIT),
        ("shop/cart.py:20", ExitCode.MISFIT),
        ("rename by_day to per_day " * 400, ExitCode.MISFIT),
        ("rename by_day to by_day", ExitCode.NOTHING),
    ],
)
def test_what_is_refused_is_told_from_what_is_so_already(exec_, instruction, code):
    assert exec_(instruction)[:2] == (code, "")


def test_a_folder_is_called_a_folder(exec_):
    code, _, err = exec_("rename by_day to per_day", "-f", "shop")
    assert code == ExitCode.MALFORMED and "shop: this is a folder" in err and "no such file" not in err


def test_a_model_folder_that_is_not_there_is_said_to_be_missing(exec_):
    code, _, err = exec_("rename by_day to per_day", "--model", "/nowhere/model")
    assert code == ExitCode.NO_BACKEND and "/nowhere/model: no such model folder\n" in err


def test_where_lines_changed_before_the_write_it_names_where_the_hunk_can_be_rejected(exec_, repo):
    exec_("rename by_day to per_day")
    report = repo / "shop" / "report.py"
    report.write_text(report.read_text().replace("def by_day(", "def for_day("))
    code, _, err = exec_("--resume", "last", "--apply")
    assert code == ExitCode.CHANGED and "To review the hunks: spark --session " in err
