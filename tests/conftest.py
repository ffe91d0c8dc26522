"""Fixtures that every room shares: an empty home, a repository to edit, and the property-test profiles."""

import gc
import os
import shutil
import signal
import sys
from functools import cache
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from support.git_command import git

# Whoever imports numpy after this gets one BLAS thread, so that two test processes do not stall each other.
import spark_tui  # noqa: F401

CHECKOUT = Path(__file__).resolve().parent.parent

# Tests start hundreds of Python processes; without bytecode each of them would compile the package anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Deadlines measure the machine, not the law; a shared two-core machine misses them at random.
_QUIET = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
# The default run draws the same examples every time and so speaks of the change alone; the slow one draws
# anew.
settings.register_profile("default", max_examples=60, derandomize=True, **_QUIET)
settings.register_profile("slow", max_examples=1000, **_QUIET)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


MAX_WORKERS = 4
MOST_SECONDS = 600
MAY_BE_LONG = ("slow", "interop", "parity", "train")
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))


def pytest_xdist_auto_num_workers():
    """One process more than there are cores: two fifths of the time is spent waiting for terminals, servers
    and other processes. Many more would time out those that wait."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(MAX_WORKERS, cores + 1)


def pytest_sessionstart():
    """What is collected stays, so nobody looks for garbage meanwhile."""
    gc.disable()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Each process begins with another part of each folder: what one of them compiles the others then find
    compiled."""
    report = yield
    if isinstance(collector, pytest.Directory) and report.passed:
        found, begin = report.result, len(report.result) * WORKER // WORKERS
        report.result = found[begin:] + found[:begin]
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """The processes agree on one order. Listed tests are left out, except of files that were asked for; with
    another marker of a long test they are run by that one."""
    items.sort(key=lambda item: item.path)
    if config.option.file_or_dir and "not thorough" in config.option.markexpr:
        return
    thorough = set((CHECKOUT / "tests" / "thorough.txt").read_text(encoding="utf-8").split())
    for item in items:
        if item.nodeid.partition("[")[0] in thorough and not any(map(item.get_closest_marker, MAY_BE_LONG)):
            item.add_marker(pytest.mark.thorough)


def pytest_collection_finish():
    """Full collections are rare, and leave out what stays to the end: ten thousand tests, and all imports.

    They took a third of the processor's time.
    """
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(50_000, 20, 50)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """A test that waits for what never comes fails alone: the others are not kept."""
    limited = hasattr(signal, "SIGALRM") and not any(map(item.get_closest_marker, MAY_BE_LONG))
    if not limited:
        return (yield)

    def end(_number, _frame):
        pytest.fail(f"not ended after {MOST_SECONDS} s")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(MOST_SECONDS)
    try:
        return (yield)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item, nextitem):
    """What a file leaves open in a cycle is reported in that file, and not in whichever runs later."""
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()


@pytest.fixture(scope="session")
def folders(tmp_path_factory):
    """Folders counted here: pytest looks at all that stand already for each that it makes."""
    folder = tmp_path_factory.mktemp("tests")
    return (folder / str(number) for number in count())


@pytest.fixture
def tmp_path(folders):
    """An empty folder of the test's own."""
    folder = next(folders)
    folder.mkdir()
    return folder


@pytest.fixture(autouse=True)
def nothing_waits_for_the_disk(monkeypatch):
    """Tests kill processes and never the machine: what was written is there without waiting for the disk."""
    monkeypatch.setattr(os, "fsync", lambda file: os.fstat(file) and None)


@pytest.fixture(autouse=True)
def empty_home(folders, monkeypatch):
    """Nobody's own settings, git identity or sessions reach a test, and none are left behind."""
    home = next(folders)
    home.mkdir()
    for name in list(os.environ):
        if name.startswith(("SPARK_", "XDG_", "GIT_")):
            monkeypatch.delenv(name)
    # What crashes while an instruction is read costs a reading; a test, and what it starts, shall see it.
    monkeypatch.setenv("SPARK_STRICT", "1")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "A Person")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "person@example.com")
    return home


@pytest.fixture(scope="session")
def known_roofline(tmp_path_factory):
    """How fast this machine is, measured once in a test process."""
    from spark_tui.engine.performance import roofline_store

    return roofline_store.known_roofline(tmp_path_factory.mktemp("machine"))


@pytest.fixture
def measured_machine(known_roofline, monkeypatch):
    """Commands find the machine measured, whatever is in their cache folder."""
    monkeypatch.setattr(
        "spark_tui.engine.performance.roofline_store.known_roofline", lambda folder: known_roofline
    )


@pytest.fixture(scope="session")
def first_shop(folders):
    """Makes the repository of the example application, once in a test process."""

    @cache
    def made():
        root = next(folders)
        shutil.copytree(CHECKOUT / "examples" / "shop", root, ignore=shutil.ignore_patterns("__pycache__"))
        git(root, "init", "-q", "-b", "main")
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "Start")
        for unused in (root / ".git" / "hooks").glob("*.sample"):
            unused.unlink()
        return root

    return made


@pytest.fixture
def repo(tmp_path, first_shop):
    """A committed repository with the example application in it."""
    return Path(shutil.copytree(first_shop(), tmp_path / "shop"))
