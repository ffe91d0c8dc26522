"""The default run leaves out what takes long, by a list that names tests which there are."""

import re
import subprocess
import sys
from pathlib import Path

from support.thorough_tests import LISTED, listed, measured

CHECKOUT = Path(__file__).resolve().parent.parent


NAMES = LISTED.read_text(encoding="utf-8").split()


def test_every_listed_test_is_there():
    for name in NAMES:
        file, written = name.removesuffix("::runTest").split("::", 1)
        text = (CHECKOUT / file).read_text(encoding="utf-8")
        for part in written.split("::"):
            assert re.search(rf"(def|class) {part}\b|^{part} =", text, re.MULTILINE), name


def test_what_takes_long_is_listed_and_no_file_as_a_whole():
    seconds = {
        "tests/test_a.py::test_x": [9.0],
        "tests/test_a.py::test_y": [3.0],
        "tests/test_b.py::test_z": [4.0],
        "tests/test_b.py::test_w": [0.1, 0.2],
        "tests/test_b.py::test_v": [0.4] * 30,
        "tests/test_b.py::test_u": [0.4] * 3,
    }
    assert listed(seconds) == [
        "tests/test_a.py::test_x",
        "tests/test_b.py::test_v",
        "tests/test_b.py::test_z",
    ]


def test_a_report_is_read_by_functions(tmp_path):
    report = tmp_path / "report.xml"
    report.write_text(
        '<testsuites><testsuite><testcase classname="" name="tests.test_skipped" time="0"/>'
        '<testcase classname="tests.room.test_a.TestB" name="test_x[1]" time="1"/>'
        '<testcase classname="tests.room.test_a.TestB" name="test_x[2]" time="2"/></testsuite></testsuites>'
    )
    assert measured(report) == {"tests/room/test_a.py::TestB::test_x": [1.0, 2.0]}


def collected(*arguments):
    """The names that pytest finds with these arguments."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-n0",
        "-q",
        "--collect-only",
        "-p",
        "no:cacheprovider",
        *arguments,
    ]
    found = subprocess.run(command, check=True, cwd=CHECKOUT, capture_output=True, text=True).stdout
    return {line for line in found.splitlines() if "::" in line}


def functions(tests):
    return {name.partition("[")[0] for name in tests}


def test_a_file_that_is_asked_for_is_run_as_a_whole_and_else_without_what_is_listed():
    file = next(name for name in NAMES if name.startswith("tests/trials/")).partition("::")[0]
    of_file = {name for name in NAMES if name.startswith(f"{file}::")}
    assert of_file <= functions(collected(file))
    assert functions(collected(file, "-m", "thorough")) == of_file
    by_default = functions(collected("-o", f"testpaths={Path(file).parent}"))
    assert any(name.startswith(f"{file}::") for name in by_default)
    assert not by_default & set(NAMES)


def test_a_listed_test_with_another_marker_is_left_to_that_one():
    file = "tests/engine/test_speculative_edits.py"
    thorough, slow = collected(file, "-m", "thorough"), collected(file, "-m", "slow")
    assert functions(thorough) & functions(slow)
    assert not thorough & slow
