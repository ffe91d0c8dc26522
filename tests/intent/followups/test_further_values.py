"""A further value beside one that was written: a text to compare with, an option, a flag, a method."""

from __future__ import annotations

import pytest
from intent.following import answer_behind

HEAD = "def read(name, parser):\n"
END = "    return name\n"


@pytest.mark.parametrize(
    ("line", "message", "value", "wanted"),
    [
        ('if name == "a":', "b too", "b", 'if name in ("a", "b"):'),
        ("if name != 1:", "and 2", "2", "if name not in (1, 2):"),
        ('if name.startswith("#"):', "; as well", ";", 'if name.startswith(("#", ";")):'),
        ('if "*" in name:', '"?" as well', "?", 'if "*" in name or "?" in name:'),
        ('if name and "*" in name:', '"?" as well', "?", 'if name and ("*" in name or "?" in name):'),
        ('if "*" not in name:', '"?" as well', "?", 'if "*" not in name and "?" not in name:'),
        ('if name.startswith("#"):', "the dash too", "the dash", 'if name.startswith(("#", "-")):'),
        (
            'if name.startswith("."):',
            "and .tmp files",
            ".tmp files",
            'if name.startswith(".") or name.endswith(".tmp"):',
        ),
    ],
)
def test_a_test_gets_one_more_value(line: str, message: str, value: str, wanted: str) -> None:
    written = HEAD + f"    {line}\n        return None\n" + END
    _, text = answer_behind(HEAD + END, written, message, "amend.further", value=value)
    assert text == written.replace(line, wanted)


@pytest.mark.parametrize(
    ("line", "message", "value", "wanted"),
    [
        ('name = name.strip("\'")', 'the "." as well', ".", 'name = name.strip("\'.")'),
        ("name = name.strip()", "and lower", "lower", "name = name.strip().lower()"),
        ("name = name.strip()", "lower it first too", "lower", "name = name.lower().strip()"),
        ("name.mkdir(parents=True)", "exist_ok too", "exist_ok", "name.mkdir(parents=True, exist_ok=True)"),
        ('parser.add_argument("--all")', "-a too", "-a", 'parser.add_argument("-a", "--all")'),
    ],
)
def test_a_call_gets_one_more_value(line: str, message: str, value: str, wanted: str) -> None:
    written = HEAD + f"    {line}\n" + END
    _, text = answer_behind(HEAD + END, written, message, "amend.further", value=value)
    assert text == written.replace(line, wanted)


def test_words_about_a_text_are_none() -> None:
    written = HEAD + '    if name.startswith("."):\n        return None\n' + END
    _, text = answer_behind(
        HEAD + END, written, "hidden folders too", "amend.further", value="hidden folders"
    )
    assert "hidden folders" not in text
