"""Members of classes whose bases are of the standard library, or builtins: their code tells what they use."""

from __future__ import annotations

import pytest
from codemods.repositories import plan, refusal

CODE = """\
import cmd
import enum
import http.server
import threading
import unittest
from elsewhere import Base


class Worker(threading.Thread):
    def __init__(self):
        super().__init__()
        self.jobs = []

    def work(self):
        return self.jobs

    def run(self):
        return self.work()


class Busy(Worker):
    def pause(self):
        return 1


class Failed(Exception):
    def __init__(self, code):
        self.code = code


class Shell(cmd.Cmd):
    def do_it(self, line):
        return line


class Case(unittest.TestCase):
    def test_it(self):
        return 1

    def made(self):
        return 1


class Handler(http.server.BaseHTTPRequestHandler):
    def answered(self):
        return 1


class Color(enum.Enum):
    ZONK = 1


class Own(Base):
    def work(self):
        return 1
"""


@pytest.mark.parametrize(
    ("target", "new", "reason"),
    [
        ("Worker.jobs", "tasks", ""),
        ("Worker.jobs", "_started", "that may have _started"),
        ("Worker.run", "go", "that may need run"),
        ("Busy.pause", "rest", ""),
        ("Busy.pause", "_bootstrap", "that may have _bootstrap"),
        ("Failed.code", "status", ""),
        ("Shell.do_it", "do_that", "that may need do_it"),
        ("Shell.do_it", "that", "that may need do_it"),
        ("Case.test_it", "test_that", "that may need test_it"),
        ("Case.made", "built", ""),
        ("Case.made", "test_built", "that may have test_built"),
        ("Handler.answered", "replied", ""),
        ("Handler.answered", "finish", "that may have finish"),
        ("Color.ZONK", "ZINK", "that may need ZONK"),
        ("Own.work", "labour", "that may need work"),
    ],
)
def test_a_rename_is_doubted_where_a_base_may_use_the_name(target: str, new: str, reason: str) -> None:
    found = [one.reason for one in plan(f"rename {target} {new}", {"m.py": CODE}).unfollowed]
    outside = {one.partition("repository ")[2] for one in found if "base outside of the repository" in one}
    assert outside == ({reason} if reason else set())


def test_a_name_of_a_builtin_base_is_refused() -> None:
    assert "belongs to a base" in str(refusal("rename Failed.code args", {"m.py": CODE}))


@pytest.mark.parametrize(
    ("target", "doubted"), [("Worker.work", False), ("Worker.run", True), ("Own.work", True)]
)
def test_another_signature_is_doubted_where_a_base_may_call_it(target: str, doubted: bool) -> None:
    found = plan(f"add_parameter {target} extra value=1", {"m.py": CODE}).unfollowed
    assert any("that may call" in one.reason for one in found) is doubted


@pytest.mark.parametrize(
    ("head", "base", "member"),
    [
        ("import urllib.request", "urllib.request.BaseHandler", "s3_open"),
        ("from argparse import Namespace", "Namespace", "source_file"),
        ("import logging", "logging.LogRecord", "request_number"),
        ("from importlib.abc import MetaPathFinder", "MetaPathFinder", "find_distributions"),
        (
            "try:\n    from threading import Thread\nexcept ImportError:\n    from own import Thread",
            "Thread",
            "x",
        ),
        ("from unittest import TestCase\nCHECK = 'check_it'", "TestCase", "check_it"),
    ],
)
def test_a_member_is_doubted_where_a_name_is_built_or_asked_elsewhere(
    head: str, base: str, member: str
) -> None:
    code = f"{head}\n\n\nclass Own({base}):\n    {member} = 1\n"
    found = [one.reason for one in plan(f"rename Own.{member} zonk", {"m.py": code}).unfollowed]
    assert found == [f"class Own has a base outside of the repository that may need {member}"]
