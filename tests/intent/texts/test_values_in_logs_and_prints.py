"""Messages, log calls and prints show the values that words name."""

from __future__ import annotations

import pytest
from intent.asking import changed

CODE = """import logging
import os

log = logging.getLogger(__name__)


def wipe(folder, tries):
    for path in os.listdir(folder):
        for attempt in range(tries):
            try:
                os.remove(path)
            except OSError:
                pass
        log.warning("try failed")
        if not path:
            raise ValueError("bad name.")


def copy(src, dst, n):
    print("copying", n, "from", src, "to", dst, "100%")
    print("done")
"""


@pytest.mark.parametrize(
    ("text", "slots", "old", "new"),
    [
        (
            '"bad name." should say which path',
            {"message": "which path"},
            '"bad name."',
            'f"bad name: {path}."',
        ),
        ('"bad name." mit dem folder', {"message": "dem folder"}, '"bad name."', 'f"bad name: {folder}."'),
        (
            '"bad name." -> `f"bad name {path!r}"`',
            {"message": 'f"bad name {path!r}"'},
            '"bad name."',
            'f"bad name {path!r}"',
        ),
        ('"bad name." -> "no name"', {"message": "no name"}, '"bad name."', '"no name"'),
    ],
)
def test_a_message_shows_what_words_name(text: str, slots: dict[str, str], old: str, new: str) -> None:
    assert changed(CODE, text, "replace_message", old="bad name.", **slots) == CODE.replace(old, new)


def test_an_empty_handler_logs_the_values_that_are_named() -> None:
    text = "in wipe log a warning with the path"
    new = changed(CODE, text, "log_exception", level="warning", message="the path", function="wipe")
    assert new == CODE.replace("pass", 'log.warning("wipe failed: %s", path)')


def test_texts_among_the_values_of_a_print_stand_in_the_format() -> None:
    new = changed(CODE, "in copy log the prints", "print_to_logging", function="copy")
    assert 'log.info("copying %s from %s to %s 100%%", n, src, dst)' in new
    assert 'log.info("done")' in new


def test_only_the_print_whose_text_is_quoted_becomes_a_log_call() -> None:
    new = changed(CODE, 'in copy the "done" print goes to the log', "print_to_logging", function="copy")
    assert new == CODE.replace('print("done")', 'log.info("done")')
