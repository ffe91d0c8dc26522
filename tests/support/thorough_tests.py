"""Writes the list of the tests that take a second or more: `pytest tests --junitxml=REPORT` times all tests,
then `python tests/support/thorough_tests.py REPORT` writes.

Of every file the quickest test stays in the default run.
"""

import sys
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from pathlib import Path

LISTED = Path(__file__).parents[1] / "thorough.txt"
LEAST_SECONDS = 1.0


def listed(names):
    """Those that are not run by default, of names `path::function` with the mean seconds of each."""
    files = defaultdict(list)
    for name, seconds in names.items():
        files[name.partition("::")[0]].append((seconds, name))
    kept = {min(tests)[1] for tests in files.values()}
    return sorted(name for name, seconds in names.items() if seconds >= LEAST_SECONDS and name not in kept)


def measured(report):
    """The mean seconds of a test of each function in the report: its parameters are not told apart."""
    seconds = defaultdict(list)
    for case in ElementTree.parse(report).iter("testcase"):
        parts = case.get("classname").split(".")
        if parts == [""]:  # a file that was skipped as a whole
            continue
        to_file = next(number for number, part in enumerate(parts, 1) if part.startswith("test_"))
        name = "::".join([*parts[to_file:], case.get("name").partition("[")[0]])
        seconds[f"{'/'.join(parts[:to_file])}.py::{name}"].append(float(case.get("time")))
    return {name: sum(taken) / len(taken) for name, taken in seconds.items()}


if __name__ == "__main__":
    LISTED.write_text("".join(f"{name}\n" for name in listed(measured(sys.argv[1]))))
