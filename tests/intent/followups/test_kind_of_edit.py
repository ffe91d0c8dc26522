"""The kind of an edit that somebody else wrote, by its syntax."""

from __future__ import annotations

import pytest

from spark_tui.intent.followups.written.kind_of_edit import kind_of_edit
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = '''RATE = 2


def load(path, limit=5):
    """Rows."""
    rows = []
    for line in open(path):
        rows.append(line)
    if len(rows) > limit:
        raise KeyError(path)
    print("loaded", rows)
    return rows
'''
SAID = "    if not path:\n        print(0)\n        return\n"


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("    rows = []", "    if not path:\n        raise ValueError(path)\n    rows = []", "guard_raise"),
        ("    rows = []", "    if not path:\n        return []\n    rows = []", "guard_return"),
        ("        rows.app", "        if not line:\n            continue\n        rows.app", "skip_in_loop"),
        ("    rows = []", f"{SAID}    rows = []", "guard_message"),
        ("    rows = []", '    log.info("loading %s", path)\n    rows = []', "add_log"),
        (
            "        rows.append(line)",
            "        try:\n            rows.append(line)\n        except OSError:\n            pass",
            "try_pass",
        ),
        ("        rows.append(line)", "        if line:\n            rows.append(line)", "run_only_if"),
        ("RATE = 2", "RATE = 3", "set_value"),
        ("limit=5", "limit=6", "set_default"),
        ("limit=5", "limit=5, mode=None", "add_parameter"),
        ("open(path)", 'open(path, encoding="utf-8")', "set_argument"),
        ("rows.append(line)", "rows.append(line.strip())", "strip_value"),
        ("return rows", "return sorted(rows, key=len)", "sort_by"),
        ("return rows", "return rows[0]", "set_return"),
        (">", ">=", "include_boundary"),
        ("len(rows) > limit", "limit and len(rows) > limit", "also_require"),
        ("KeyError(path)", "ValueError(path)", "replace_call"),
        ('"loaded"', '"read"', "replace_text"),
        ("rows", "lines", "rename"),
        ('    print("loaded", rows)\n', "", "delete_statement"),
        ("RATE", "RATE", ""),
        ("def load(", "def load", ""),
    ],
)
def test_an_edit_is_of_the_kind_that_would_ask_for_it(old: str, new: str, kind: str) -> None:
    before = Repository(DictTree({"rows.py": CODE}))
    assert kind_of_edit(before, {"rows.py": CODE.replace(old, new)}) == kind


def test_a_new_constant_that_is_used_is_extracted() -> None:
    before = Repository(DictTree({"rows.py": CODE}))
    now = CODE.replace("RATE = 2\n", "RATE = 2\nLIMIT = 5\n").replace("limit=5", "limit=LIMIT")
    assert kind_of_edit(before, {"rows.py": now}) == "extract_constant"
