"""Statements behind a header or a semicolon: what is done to one of them is done to no more."""

from __future__ import annotations

import pytest
from intent.asking import changed

CODE = """\
def parse(text, mode):
    out = []
    for pair in text.split("&"):
        if not pair: continue
        parts = pair.split("=", 1)
        if len(parts) != 2: parts.append("")
        out.append(parts)
    low = 1; high = 2
    if mode: log("default")
    return out, low, high
"""


@pytest.mark.parametrize(
    ("intent", "slots", "old", "new"),
    [
        (
            "replace_statement",
            {"old": "continue", "code": "break"},
            "        if not pair: continue\n",
            "        if not pair:\n            break\n",
        ),
        (
            "insert_before",
            {"anchor": 'log("default")', "code": "print(low)"},
            '    if mode: log("default")\n',
            '    if mode:\n        print(low)\n        log("default")\n',
        ),
        (
            "insert_after",
            {"anchor": 'parts.append("")', "code": "print(parts)"},
            '        if len(parts) != 2: parts.append("")\n',
            '        if len(parts) != 2:\n            parts.append("")\n            print(parts)\n',
        ),
        (
            "replace_statement",
            {"old": "low = 1", "code": "low = 3"},
            "    low = 1; high = 2\n",
            "    low = 3\n    high = 2\n",
        ),
        (
            "replace_statement",
            {"old": "high = 2", "code": "high = 3"},
            "    low = 1; high = 2\n",
            "    low = 1\n    high = 3\n",
        ),
        ("delete_statement", {"code": 'log("default")'}, '    if mode: log("default")\n', ""),
        (
            "skip_in_loop",
            {"condition": "len(parts) != 2"},
            '        if len(parts) != 2: parts.append("")\n',
            "        if len(parts) != 2:\n            continue\n",
        ),
    ],
)
def test_the_others_on_the_line_stay(intent: str, slots: dict[str, str], old: str, new: str) -> None:
    said = f"in parse {', '.join(slots.values())}"
    assert changed(CODE, said, intent, function="parse", **slots) == CODE.replace(old, new)
