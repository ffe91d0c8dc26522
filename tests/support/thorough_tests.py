"""Writes the list of the tests that take long: `pytest tests --junitxml=REPORT` times all tests,
then `python tests/support/thorough_tests.py REPORT` writes.

Of every file the quickest test stays in the default run.
"""

import sys
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from pathlib import Path

LISTED = Path(__file__).parents[1] / "thorough.txt"
LONG, LONG_TOGETHER = 0.5, 8.0
"""Seconds of a test, and of all tests of a function that differ in their parameters."""


def listed(seconds):
    """Those of the functions, with the seconds of each of their tests, that are not run by default."""
    mean = {name: sum(taken) / len(taken) for name, taken in seconds.items()}
    files = defaultdict(list)
    for name in seconds:
        files[name.partition("::")[0]].append(name)
    kept = {min(names, key=mean.__getitem__) for names in files.values()}
    long = (name for name in seconds if mean[name] >= LONG or sum(seconds[name]) >= LONG_TOGETHER)
    return sorted(name for name in long if name not in kept)


def measured(report):
    """The seconds of all tests in the report, by function (`path::function`)."""
    seconds = defaultdict(list)
    for case in ElementTree.parse(report).iter("testcase"):
        parts = case.get("classname").split(".")
        if parts == [""]:  # a file that was skipped as a whole
            continue
        to_file = next(number for number, part in enumerate(parts, 1) if part.startswith("test_"))
        name = "::".join([*parts[to_file:], case.get("name").partition("[")[0]])
        seconds[f"{'/'.join(parts[:to_file])}.py::{name}"].append(float(case.get("time")))
    return seconds


if __name__ == "__main__":
    LISTED.write_text("".join(f"{name}\n" for name in listed(measured(sys.argv[1]))))
