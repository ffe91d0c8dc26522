"""Follow-ups whose subject, place or kind is told by what was written."""

from __future__ import annotations

import pytest
from intent.following import answer_behind, situation_behind
from intent.support import PATH

from spark_tui.codemods.registry import Operation, from_json
from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.followups.settled_orders import settled
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = '''import warnings


class Wrapper:
    def __init__(self, inner):
        self.inner = inner


class Proxy:
    def name(self):
        return self.inner.name

    def find(self, key: str) -> int | str:
        """Find it."""
        warnings.warn("old", UserWarning)
        return self.inner.get(key, None)

    def __init__(self, inner):
        self.inner = inner


def is_plain(text):
    for sign in text:
        if ord(sign) > 255:
            return False
    return True


class Late(RuntimeError):
    pass
'''
LOOP = CODE[CODE.index("    for sign") : CODE.index("\n\nclass Late")]


@pytest.mark.parametrize(
    ("old", "new", "text", "intent", "slots", "wanted"),
    [
        (
            "class Proxy:\n",
            'class Proxy:\n    """Pass it on."""\n\n',
            "move its __init__ to the top",
            "move_to_top",
            {"symbol": "__init__"},
            '"""Pass it on."""\n\n    def __init__(self',
        ),
        (
            "UserWarning)",
            "UserWarning, stacklevel=2)",
            "and make it a DeprecationWarning",
            "add_argument",
            {"value": "DeprecationWarning"},
            '"old", DeprecationWarning, stacklevel=2)',
        ),
        (
            "get(key, None)",
            "get(key)",
            "the annotation can be int | bytes",
            "amend.type",
            {"type": "int | bytes"},
            "key: str) -> int | bytes:",
        ),
        (
            "get(key, None)",
            "get(key)",
            "the annotation of key can be int | bytes",
            "amend.type",
            {"type": "int | bytes"},
            "key: int | bytes) -> int | str:",
        ),
        (
            LOOP,
            "    return not any(ord(sign) > 255 for sign in text)\n",
            "the limit should be 127",
            "amend.value",
            {"value": "127"},
            "return not any(ord(sign) > 127 for",
        ),
        (
            "Late(RuntimeError)",
            "Late(Exception)",
            "no, TimeoutError",
            "amend.exception",
            {"exception": "TimeoutError"},
            "class Late(TimeoutError):",
        ),
    ],
)
def test_what_is_meant_is_told_by_what_was_written(
    old: str, new: str, text: str, intent: str, slots: dict[str, str], wanted: str
) -> None:
    _, after = answer_behind(CODE, CODE.replace(old, new), text, intent, **slots)
    assert wanted in after


def behind(
    files: dict[str, str], calls: list[Operation], text: str, intent: str, **slots: str
) -> dict[str, str | None]:
    """The files that change behind an edit of several orders, of which the last is the last call."""
    before = Repository(DictTree(files))
    now = before
    for one in calls:
        plan = one.plan(now)
        now = now.with_changes(plan.texts(now))
    done = Done("annotate_return", {}, tuple(calls[-1:]), others=tuple(calls[:-1]))
    told = Situation(now, PATH, earlier=done, before=before, instruction=text)
    spans = {
        slot: (Span(text.index(word), text.index(word) + len(word), word),) for slot, word in slots.items()
    }
    found = answer_orders([Order(0, len(text), (Reading(intent, 0.95, spans),))], told)
    assert found.kind == "edit", found.reason
    return dict(found.ways[0].plan.texts(before if found.ways[0].from_before else now))


def test_the_same_elsewhere_is_all_that_was_asked_for() -> None:
    files = {PATH: "def one(text):\n    return bool(text)\n\n\ndef two(text):\n    return not text\n"}
    calls = [
        from_json({"op": "annotate_parameter", "target": f"{PATH}::one", "name": "text", "hint": "str"}),
        from_json({"op": "annotate_return", "target": f"{PATH}::one", "hint": "bool"}),
    ]
    after = behind(files, calls, "same for two", "amend.also", function="two")
    assert "def two(text: str) -> bool:" in (after[PATH] or "")


def test_parameters_of_one_function_are_those_of_the_other_one() -> None:
    files = {PATH: "def one(fn, xs):\n    return fn(xs)\n\n\ndef two(fn, xs):\n    return fn(*xs)\n"}
    calls = [
        from_json({"op": "rename", "target": f"{PATH}::one.{old}", "new": new})
        for old, new in (("fn", "func"), ("xs", "items"))
    ]
    after = behind(files, calls, "same for two", "amend.also", function="two")
    assert "def two(func, items):\n    return func(*items)" in (after[PATH] or "")


def test_a_warning_names_the_function_that_it_is_in() -> None:
    files = {PATH: "def load(n):\n    return n\n\n\ndef save(n):\n    return n\n"}
    before = Repository(DictTree(files))
    made = from_json({"op": "deprecate", "target": f"{PATH}::load", "message": "load goes, use open"})
    now = before.with_changes(made.plan(before).texts(before))
    told = Situation(now, PATH, earlier=Done("add_item", {}, (made,)), before=before, instruction="save also")
    reading = Reading("amend.also", 0.95, {"function": (Span(0, 4, "save"),)})
    found = answer_orders([Order(0, 9, (reading,))], told)
    text = found.ways[0].plan.texts(before if found.ways[0].from_before else now)[PATH] or ""
    assert '"load goes, use open"' in text and '"save goes, use open"' in text


def test_a_constant_that_was_made_moves_to_a_file() -> None:
    files = {PATH: 'def one():\n    return "a long text"\n', "constants.py": "LIMIT = 3\n"}
    made = from_json(
        {"op": "extract_constant", "place": f"in {PATH}", "value": '"a long text"', "name": "TEXT"}
    )
    after = behind(files, [made], "move it to constants.py", "amend.place", file="constants.py")
    assert 'TEXT = "a long text"' in (after["constants.py"] or "")
    assert "import TEXT" in (after[PATH] or "")


TRY = """def load(path):
    try:
        return open(path)
    except OSError:
        return None
"""
BOTH = TRY.replace("OSError", "(OSError, ValueError)")


@pytest.mark.parametrize(
    ("was", "now", "text", "kind"),
    [
        (TRY, BOTH, "drop ValueError again", "undo"),
        (TRY, TRY.replace("OSError", "ValueError"), "drop ValueError again", "other"),
        (TRY, BOTH, "drop OSError", "other"),
    ],
)
def test_what_alone_was_added_is_taken_back(was: str, now: str, text: str, kind: str) -> None:
    told = situation_behind(was, now, text)
    at = text.index("OSError" if "OSError" in text else "ValueError")
    word = text.split()[1]
    reading = Reading("amend.exception", 0.6, {"exception": (Span(at, at + len(word), word),)})
    first = settled(Order(0, len(text), (reading,)), told).readings[0]
    assert (first.intent == "amend.undo") == (kind == "undo")


@pytest.mark.parametrize(
    ("old", "new", "other", "name"),
    [
        ("_ows_re", "_OWS_RE", "_token_re", "_TOKEN_RE"),
        ("load", "load_file", "save", "save_file"),
        ("load_all", "load_each", "save_all", "save_each"),
        ("get_rate", "rate", "get_size", "size"),
        ("load", "_load", "save", "_save"),
    ],
)
def test_another_name_changes_as_the_first_one_did(old: str, new: str, other: str, name: str) -> None:
    code = f"{old} = 1\n{other} = 2\n"
    before = Repository(DictTree({PATH: code}))
    made = from_json({"op": "rename", "target": f"{PATH}::{old}", "new": new})
    done = Done("rename", {"symbol": (Span(-1, -1, old),), "new": (Span(-1, -1, new),)}, (made,))
    now = before.with_changes({PATH: code.replace(f"{old} =", f"{new} =")})
    text = f"{other} too"
    told = Situation(now, PATH, earlier=done, before=before, instruction=text)
    reading = Reading("amend.also", 0.95, {"variable": (Span(0, len(other), other),)})
    found = answer_orders([Order(0, len(text), (reading,))], told)
    assert found.ways[0].plan.texts(now)[PATH] == f"{new} = 1\n{name} = 2\n"
    assert any(name in mark for mark in found.ways[0].marked)


def test_it_is_what_the_edit_set() -> None:
    was = "def f(rate, table):\n    found = table.get(rate // 100)\n    return found\n"
    now = was.replace("    found", "    family = rate // 100\n    found").replace("(rate // 100)", "(family)")
    text = "inline it again"
    told = situation_behind(was, now, text)
    found = answer_orders([Order(0, len(text), (Reading("inline_variable", 0.9, {}),))], told)
    assert [way.plan.texts(told.repo)[PATH] for way in found.ways] == [was]
