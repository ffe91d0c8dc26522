"""Values that are passed without saying by which keyword go to the parameter that has their name."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, answered

CODE = """import threading
from urllib.request import urlopen

HTTP_TIMEOUT = 5


def show(value, digits=2, unit=""):
    return f"{value:.{digits}f}{unit}"


def main(args):
    print("late:", args.value)
    urlopen(args.url)
    threading.Thread(target=show).start()
    return show(args.value)
"""


def test_a_value_that_is_not_said_is_marked() -> None:
    code = "from urllib.request import urlopen\n\n\ndef get(url, timeout):\n    return urlopen(url)\n"
    found = answered({PATH: code}, ("set_argument", {"argument": "timeout", "call": "urlopen"}))
    assert any("timeout was assumed" in mark for mark in found.ways[0].marked)


@pytest.mark.parametrize(
    ("intent", "text", "slots", "old", "new"),
    [
        (
            "set_argument",
            "urlopen needs HTTP_TIMEOUT",
            {"call": "urlopen", "value": "HTTP_TIMEOUT"},
            "urlopen(args.url)",
            "urlopen(args.url, timeout=HTTP_TIMEOUT)",
        ),
        (
            "add_argument",
            "urlopen needs HTTP_TIMEOUT",
            {"call": "urlopen", "value": "HTTP_TIMEOUT"},
            "urlopen(args.url)",
            "urlopen(args.url, timeout=HTTP_TIMEOUT)",
        ),
        (
            "add_argument",
            "main hands args.unit to show",
            {"call": "show", "value": "args.unit", "function": "main"},
            "return show(args.value)",
            "return show(args.value, unit=args.unit)",
        ),
        (
            "add_argument",
            "main hands args.digits to show",
            {"call": "show", "value": "args.digits", "function": "main"},
            "return show(args.value)",
            "return show(args.value, args.digits)",
        ),
        (
            "flip_flag",
            "the threads should be daemons",
            {"variable": "daemons"},
            "Thread(target=show)",
            "Thread(target=show, daemon=True)",
        ),
    ],
)
def test_a_value_is_passed_as_the_parameter_of_its_name(
    intent: str, text: str, slots: dict[str, str], old: str, new: str
) -> None:
    assert changed(CODE, text, intent, **slots) == CODE.replace(old, new)


def test_a_line_that_goes_to_stderr_gets_the_stream_and_its_import() -> None:
    new = changed(CODE, "the late: line to stderr", "set_argument", call="late:", value="stderr")
    assert 'print("late:", args.value, file=sys.stderr)' in new
    assert "import sys" in new


def test_a_value_that_no_parameter_is_named_like_is_not_guessed() -> None:
    assert not answer_to(CODE, "urlopen needs 3", "set_argument", call="urlopen", value="3").ways


def test_a_default_of_another_file_is_not_looked_for_in_the_file_of_the_call() -> None:
    far = "\n" * 60 + "def joined(items, sep='-'):\n    return sep.join(items)\n"
    files = {PATH: "from other import joined\n\n\ndef show(xs):\n    return joined(xs)\n", "other.py": far}
    found = answered(files, ("set_argument", {"argument": "sep", "value": "loose"}))
    assert any("sep=" in str(way.calls) or getattr(way.calls[0], "name", "") == "sep" for way in found.ways)
