# ruff: noqa: E501 - tables of instructions read better unbroken
"""Log lines stand where they are asked for, with the logger that the file has."""

from __future__ import annotations

import pytest

from spark_tui.refactor import checks
from spark_tui.refactor import known as knowing
from spark_tui.refactor.known import PLAIN, known


@pytest.fixture(autouse=True)
def only_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other families make of these instructions is their concern."""
    monkeypatch.setattr(knowing, "RULES", checks.RULES)


CODE = """\
import logging

log = logging.getLogger(__name__)


def load(path):
    \"\"\"Read it.\"\"\"
    try:
        text = path.read_text()
    except OSError:
        return None
    print("read", path)
    return text


def count(rows):
    return len(rows)
"""


def edited(code: str, instruction: str) -> str | None:
    lines = code.split("\n")[:-1]
    found = known(lines, instruction)
    if not found or found[0].plain != PLAIN:
        return None
    for hunk in reversed(found[0].hunks):
        lines[hunk.first : hunk.last] = hunk.new
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("instruction", "old", "new"),
    [
        ('add `log.info("loading")` at the top of load', "    try:\n", '    log.info("loading")\n    try:\n'),
        ('log "loading" at debug level when load is entered', "    try:\n", '    log.debug("loading")\n    try:\n'),
        ('log.info("counted") before the return of count', "    return len(rows)", '    log.info("counted")\n    return len(rows)'),
        ('put log.warning("unreadable") in the except of load', "    except OSError:\n", '    except OSError:\n        log.warning("unreadable")\n'),
        ("log the exception in the except of load", "    except OSError:\n", '    except OSError:\n        log.exception("load failed")\n'),
        ("when `load` is entered, log `entering load` using log.info", "    try:\n", '    log.info("entering load")\n    try:\n'),
        ("use logging instead of print", 'print("read", path)', 'log.info("read %s", path)'),
        ("replace the print in load by log.debug", 'print("read", path)', 'log.debug("read %s", path)'),
        ("the prints should be debug log messages", 'print("read", path)', 'log.debug("read %s", path)'),
    ],
)  # fmt: skip
def test_a_log_line_stands_where_it_is_asked_for(instruction: str, old: str, new: str) -> None:
    assert CODE.count(old) == 1
    assert edited(CODE, instruction) == CODE.replace(old, new)


def test_a_file_without_a_logger_gets_one() -> None:
    code = 'import os\n\n\ndef load(path):\n    print("loading")\n    return os.stat(path)\n'
    text = edited(code, "use logging instead of print")
    assert text == (
        "import logging\nimport os\n\nlogger = logging.getLogger(__name__)\n\n\n"
        'def load(path):\n    logger.info("loading")\n    return os.stat(path)\n'
    )


@pytest.mark.parametrize(
    "instruction",
    [
        "remove the log line in load",
        "log the exception in the except of save_all",
        'add log.info("x") to save_all',
        "print the log",
        "log every removed path at info level",
    ],
)
def test_what_is_not_understood_makes_no_plain_edit(instruction: str) -> None:
    assert edited(CODE, instruction) is None


def test_a_line_that_is_there_is_not_put_in_again() -> None:
    code = CODE.replace("    try:\n", '    log.info("loading")\n    try:\n')
    assert edited(code, 'add `log.info("loading")` at the top of load') is None
