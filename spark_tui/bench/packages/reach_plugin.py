"""A pytest plugin: runs some of the tests only, and records which functions each of them reaches.

It runs inside a package that is tested, from a copy in the scratch folder, and imports nothing of spark.
Three variables of the environment steer it: `SPARK_REACH_ROOT` (functions of this folder count),
`SPARK_REACH_FILE` (the record is written there, as JSON) and `SPARK_REACH_ONLY` (a file with the names of the
tests to run).
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

_ROOT = os.environ.get("SPARK_REACH_ROOT", "")
_RECORD = os.environ.get("SPARK_REACH_FILE", "")
_ONLY = os.environ.get("SPARK_REACH_ONLY", "")
_MOST_OF_A_TEST = 6
"""So many parameters of a test function are run in the recording."""
_FILE_SECONDS, _TEST_SECONDS = 2.0, 1.0
"""Of processor time: tests of a file after its first seconds, and slower ones, are left out."""


class Reach:
    """What each test reaches: functions by file and first line, and other processes."""

    def __init__(self) -> None:
        self.reached: dict[str, list[str]] = {}
        self.imported: list[str] = []
        """What is reached while the tests are collected."""
        self.files: Counter[str] = Counter()
        self._now: set[Any] = set()
        self._names: dict[Any, str] = {}

    def _called(self, frame: FrameType, _event: str, _argument: object) -> None:
        self._now.add(frame.f_code)

    def start(self) -> None:
        self._now = set()
        threading.settrace(self._called)
        sys.settrace(self._called)

    def stop(self) -> list[str]:
        sys.settrace(None)
        threading.settrace(None)
        return sorted({name for item in self._now if (name := self._name(item))})

    def audit(self, event: str, _arguments: tuple[object, ...]) -> None:
        if event in ("subprocess.Popen", "os.fork", "os.posix_spawn"):
            self._now.add(event)

    def _name(self, code: Any) -> str:
        """`path:line` from the root; empty for what is elsewhere. A process may reach anything: `*`."""
        if code not in self._names:
            if isinstance(code, str):
                self._names[code] = "*"
            else:
                path = os.path.relpath(os.path.realpath(code.co_filename), _ROOT)
                inside = not path.startswith("..") and path.endswith(".py")
                self._names[code] = f"{path}:{code.co_firstlineno}" if inside else ""
        return self._names[code]

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        self.start()

    def pytest_collection_finish(self) -> None:
        self.imported = self.stop()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        name = item.nodeid.partition("::")[0]
        if self.files[name] > 1000 * _FILE_SECONDS:
            item.add_marker(pytest.mark.skip(reason="the file takes long"))
        begun = time.process_time()
        self.start()
        try:
            return (yield)
        finally:
            reached, took = self.stop(), time.process_time() - begun
            self.files[name] += int(1000 * took)
            if took <= _TEST_SECONDS:
                self.reached[item.nodeid] = reached

    def pytest_sessionfinish(self) -> None:
        record = {"tests": self.reached, "imported": self.imported}
        Path(_RECORD).write_text(json.dumps(record), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    if _RECORD:
        reach = Reach()
        sys.addaudithook(reach.audit)
        config.pluginmanager.register(reach)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if _ONLY:
        wanted = set(json.loads(Path(_ONLY).read_text(encoding="utf-8")))
        kept = [item for item in items if item.nodeid in wanted]
    else:
        many: Counter[str] = Counter()
        kept = []
        for one in items:
            function = one.nodeid.partition("[")[0]
            many[function] += 1
            if many[function] <= _MOST_OF_A_TEST:
                kept.append(one)
    gone = set(items) - set(kept)
    if gone:
        config.hook.pytest_deselected(items=list(gone))
        items[:] = kept
