"""Copies, options, settings from the environment, and errors in the place of prints."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """import argparse
import sys
from pathlib import Path

ROOT = Path("plants")
QUIET = False


def sow(rows, depth: int = 2):
    if not rows:
        print("nothing to sow:", depth, file=sys.stderr)
        sys.exit(2)
    try:
        rows.sort()
    except TypeError as e:
        return e
    return rows


def weed(beds):
    kept = beds
    for bed in beds:
        if bed.bare:
            kept.remove(bed)
    return kept


parser = argparse.ArgumentParser()
parser.add_argument("-d", "--depth", type=int, default=2, help="how deep")
parser.add_argument("--kind", required=True)
args = parser.parse_args()
sow([], args.depth)
"""


@pytest.mark.parametrize(
    ("text", "intent", "slots", "old", "new"),
    [
        (
            "ROOT from GARDEN_ROOT",
            "from_environment",
            {"variable": "ROOT", "name": "GARDEN_ROOT"},
            'Path("plants")',
            'Path(os.environ.get("GARDEN_ROOT", "plants"))',
        ),
        (
            "sow: a ValueError for the print and exit",
            "raise_for_print",
            {"function": "sow", "exception": "ValueError"},
            'print("nothing to sow:", depth, file=sys.stderr)\n        sys.exit(2)',
            'raise ValueError(f"nothing to sow: {depth}")',
        ),
        (
            "sow sorts the rows of others",
            "copy_first",
            {"function": "sow"},
            "rows.sort()",
            "rows = sorted(rows)",
        ),
        (
            "--kind is optional, root by default",
            "set_option",
            {"name": "--kind", "default": "root"},
            '"--kind", required=True',
            '"--kind", default="root"',
        ),
        (
            "--kind only allows root or herb",
            "set_option",
            {"name": "--kind", "default": "root or herb"},
            '"--kind", required=True',
            '"--kind", choices=["root", "herb"], required=True',
        ),
    ],
)
def test_what_is_said_of_a_program_is_done(
    text: str, intent: str, slots: dict[str, str], old: str, new: str
) -> None:
    wanted = CODE.replace(old, new).replace(
        "import argparse\n", "import argparse\nimport os\n" if "os." in new else "import argparse\n"
    )
    assert changed(CODE, text, intent, **slots) == wanted


def test_the_use_of_an_option_that_goes_is_told() -> None:
    found = answer_to(CODE, "remove --depth", "remove_option", name="--depth")
    assert any("args.depth still uses it" in item for item in found.ways[0].marked)


def test_a_name_of_a_caught_exception_that_is_used_stays() -> None:
    assert (
        answer_to(CODE, "drop as e in sow", "unname_exception", name="as e", function="sow").kind == "nothing"
    )


def test_what_is_named_as_it_is_spelled_is_not_read_as_something_else() -> None:
    code = "import time\n\n\ndef wait():\n    time.sleep(1)\n"
    found = answer_to(code, "sleep 2 seconds between retries", "set_value", variable="sleep", value="2")
    assert found.ways[0].marked[:1] == ("1 was assumed to be the value of sleep",)


@pytest.mark.parametrize(
    ("test", "left"),
    [("not os.path.exists(path)", ""), ("path and not os.path.isdir(path)", "path"), ("path", "path")],
)
def test_the_test_for_a_folder_goes_with_exist_ok(test: str, left: str) -> None:
    code = f"import os\n\n\ndef touch(path):\n    if {test}:\n        os.makedirs(path)\n"
    said = "in touch, exist_ok=True in makedirs instead of checking"
    words = {"argument": "exist_ok", "value": "True", "call": "makedirs", "function": "touch"}
    lines = changed(code, said, "set_argument", **words).splitlines()[4:]
    made = "os.makedirs(path, exist_ok=True)"
    assert lines == ([f"    if {left}:", f"        {made}"] if left else [f"    {made}"])
