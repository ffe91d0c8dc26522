# ruff: noqa: E501 - tables read better unbroken
"""Decorators that an order spells without their sign."""

from __future__ import annotations

import pytest

from spark_tui.refactor.known import PLAIN, known

CODE = """\
import functools
import sys
import unittest

import pytest
from flask import Flask

app = Flask(__name__)


def rates(path):
    return open(path).read()


def index():
    return "hello"


class PathTests(unittest.TestCase):
    def test_drive(self):
        self.assertTrue(True)
"""
LINES = tuple(CODE.splitlines())


def made(say: str) -> list[tuple[int, str]] | None:
    found = known(LINES, say)
    if not found or found[0].plain != PLAIN:
        return None
    return [(hunk.first, line) for hunk in found[0].hunks for line in hunk.new]


@pytest.mark.parametrize(
    ("say", "lines"),
    [
        ('these fail on windows, skip the whole class there: unittest.skipIf(sys.platform == "win32", "drives")', [(18, '@unittest.skipIf(sys.platform == "win32", "drives")')]),
        ('add the decorator unittest.skip("flaky") to test_drive', [(19, '    @unittest.skip("flaky")')]),
        ('test_drive is flaky. unittest.skip("flaky") on it', None),
        ("decorate rates with functools.lru_cache(maxsize=8)", [(10, "@functools.lru_cache(maxsize=8)")]),
        ("rates reads the file each time. put functools.lru_cache(maxsize=None) on rates", [(10, "@functools.lru_cache(maxsize=None)")]),
        ('register index: app.route("/")', [(14, '@app.route("/")')]),
        ('index needs app.route("/")', [(14, '@app.route("/")')]),
        ('mark test_drive with pytest.mark.slow', [(19, "    @pytest.mark.slow")]),
    ],
)  # fmt: skip
def test_the_decorator_goes_where_it_is_said(say: str, lines: list[tuple[int, str]] | None) -> None:
    if lines is not None:
        assert made(say) == lines


@pytest.mark.parametrize(
    "say",
    [
        'unittest.skip("flaky")',
        'call unittest.skip("flaky") in test_drive',
        'skip test_drive if unittest.skip("x") is there',
        "import functools.lru_cache(maxsize=8) for rates",
        "put it on the whole class",
        "not pytest.mark.slow on test_drive",
        'use app.route("/") instead of index',
        "skip the class",
    ],
)
def test_what_is_no_decorator(say: str) -> None:
    assert made(say) is None
