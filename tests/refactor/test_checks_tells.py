# ruff: noqa: E501 - tables of instructions read better unbroken
"""More is told of what happens: the error, every one, how many, what was done."""

from __future__ import annotations

import pytest
from checks_texts import CLEAN, GRADES, SCRAPE, changed


@pytest.mark.parametrize(
    ("said", "gone", "come"),
    [
        ('print the error too when a try fails', '            print("try", attempt, "failed")', '            print("try", attempt, "failed", e)'),
        ('show the exception as well in the except of download', '            print("try", attempt, "failed")', '            print("try", attempt, "failed", e)'),
        ('print how many rows were saved in save', '', '    print("saved", len(rows))'),
    ],
)  # fmt: skip
def test_scrape(said: str, gone: str, come: str) -> None:
    assert changed(SCRAPE, said) == (gone, come)


@pytest.mark.parametrize(
    ("said", "gone", "come"),
    [
        ('log every removed path', '', '        logger.info("removed %s", path)'),
        ('log each removed file at info level', '', '        logger.info("removed %s", path)'),
        ('print each deleted path', '', '        print("deleted", path)'),
        ('say how many were deleted', '', '    deleted = 0\n        deleted += 1\n    print("deleted", deleted)'),
        ('print the number of deleted files', '', '    deleted = 0\n        deleted += 1\n    print("deleted", deleted)'),
        ('include the error in the message in main', '    except PermissionError:\n        print("no access")', '    except PermissionError as error:\n        print("no access", error)'),
    ],
)  # fmt: skip
def test_clean(said: str, gone: str, come: str) -> None:
    assert changed(CLEAN, said) == (gone, come)


@pytest.mark.parametrize(
    ("said", "gone", "come"),
    [
        ('print what was added in add', '', '        print("added", grade, student)'),
        ('log at info level what was added in add', '', 'import logging\n\nlogger = logging.getLogger(__name__)\n        logger.info("added %s %s", grade, student)'),
    ],
)  # fmt: skip
def test_grades(said: str, gone: str, come: str) -> None:
    assert changed(GRADES, said) == (gone, come)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (SCRAPE, "print the error too in save"),
        (SCRAPE, "print how many pages were removed in save"),
        (CLEAN, "log every painted path"),
        (CLEAN, "print what was added in clean"),
        (GRADES, "print what was removed in add"),
        (GRADES, "log what load returns"),
    ],
)
def test_what_does_not_happen_is_not_told(code: str, said: str) -> None:
    assert changed(code, said) is None
