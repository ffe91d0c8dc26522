"""What is done in the case that an edit dealt with, and to what it deleted or wrote."""

from __future__ import annotations

import pytest
from intent.following import answer_behind

GUARDED = (
    "def take(self):\n    return self.cards.pop()\n",
    "def take(self):\n    if not self.cards:\n        self.shuffle()\n    return self.cards.pop()\n",
)
DELETED = (
    'def close(door):\n    door.shut()\n    print("shut")\n',
    "def close(door):\n    door.shut()\n",
)


def test_another_function_is_not_the_case() -> None:
    text = 'and print "shuffling" in deal'
    found, _ = answer_behind(*GUARDED, text, "guard_message", message="shuffling", function="deal")
    assert not found.ways


@pytest.mark.parametrize(
    ("message", "intent", "slots", "line"),
    [
        ('no, keep it, but as "closed"', "replace_message", {"message": "closed"}, 'print("closed")'),
        ("leave it in as a debug log rather", "print_to_logging", {"level": "debug"}, '.debug("shut")'),
    ],
)
def test_what_was_deleted_comes_back_otherwise(
    message: str, intent: str, slots: dict[str, str], line: str
) -> None:
    found, text = answer_behind(*DELETED, message, intent, **slots)
    assert found.ways[0].from_before
    assert line in text


@pytest.mark.parametrize(
    ("was", "now", "message", "intent", "slots", "line"),
    [
        ("    wait(9)\n", "    wait(3)\n", "just drop it", "delete_statement", {"code": "it"}, "pass"),
        (
            '    if s == "a" or s == "b":\n        go()\n',
            '    if s in ("a", "b"):\n        go()\n',
            "pull that out as KNOWN",
            "extract_constant",
            {"value": "that", "name": "KNOWN"},
            'KNOWN = ("a", "b")',
        ),
        (
            '    raise Bad("no file")\n',
            '    raise Bad(f"no file: {path}")\n',
            "the size too",
            "amend.further",
            {"value": "size"},
            "{path}, {size}",
        ),
        (
            "    go()\n",
            "    if size < 0:\n        return\n    go()\n",
            "zero neither",
            "amend.further",
            {"value": "zero"},
            "<= 0",
        ),
        (
            '    print("saved")\n',
            '    print("all saved!")\n',
            "drop the exclamation mark",
            "replace_text",
            {"old": "exclamation mark"},
            '"all saved"',
        ),
    ],
)
def test_words_mean_what_was_written(
    was: str, now: str, message: str, intent: str, slots: dict[str, str], line: str
) -> None:
    head = "def f(s, path, size):\n"
    _, text = answer_behind(head + was, head + now, message, intent, **slots)
    assert line in text
