"""Defaults that their annotation does not allow, and code that reads a name before it is set: marked."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, answered, result

from spark_tui.codemods.plan import Edit, Plan
from spark_tui.intent.facts.unset_names import doubts_of_new, never_set
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = """class Bucket:
    pass


def load(*, bucket: Bucket, name: str, ratio: float, rows: Rows, other, maybe: str | None):
    path = str(bucket)
    with open(path) as file:
        source = file.read()
    return source
"""


@pytest.mark.parametrize(
    ("name", "default", "fits"),
    [
        ("bucket", "0", False),
        ("name", "3", False),
        ("bucket", "None", True),  # its type becomes one that allows None
        ("maybe", "None", True),
        ("ratio", "2", True),
        ("rows", "3", True),  # a type that nothing here defines
        ("other", "3", True),
    ],
)
def test_a_default_of_another_type_than_the_annotation_is_marked(name: str, default: str, fits: bool) -> None:
    text = f"default {name} to {default} in load"
    way = answer_to(CODE, text, "set_default", parameter=name, default=default, function="load").ways[0]
    doubt = f"{default} was assumed to be a default: {name} is annotated as something else"
    assert (doubt in way.marked) is not fits


HINTED = """from typing import Optional


class Cart:
    def __init__(self, rate: Optional[int] = None, size: Optional[int] = 3):
        self.tags: set[str] = set()
        self.limit: int = 3
"""


@pytest.mark.parametrize(
    ("text", "intent", "slots", "default"),
    [
        ("annotate rate as float", "annotate_parameter", {"parameter": "rate", "type": "float"}, ""),
        ("annotate size as str", "annotate_parameter", {"parameter": "size", "type": "str"}, "3"),
        ("annotate size as float", "annotate_parameter", {"parameter": "size", "type": "float"}, ""),
        ("self.tags should start as None", "set_value", {"variable": "self.tags", "value": "None"}, ""),
        ("self.limit should start as 5", "set_value", {"variable": "self.limit", "value": "5"}, ""),
    ],
)
def test_a_new_type_or_value_that_does_not_fit_the_other_is_marked(
    text: str, intent: str, slots: dict[str, str], default: str
) -> None:
    way = answer_to(HINTED, text, intent, **slots).ways[0]
    doubts = [mark for mark in way.marked if "is annotated as something else" in mark]
    assert [mark.split()[0] for mark in doubts] == ([default] if default else [])


@pytest.mark.parametrize(("new", "unset"), [("source.strip()", True), ("name.strip()", False)])
def test_an_expression_that_reads_a_name_before_it_is_set_is_marked(new: str, unset: bool) -> None:
    text = f"in load, use `{new}` instead of `str(bucket)`"
    slots = {"old": "str(bucket)", "new": new, "function": "load"}
    way = answer_to(CODE, text, "replace_expression", **slots).ways[0]
    assert any("source is not set yet there" in mark for mark in way.marked) is unset


@pytest.mark.parametrize(
    ("new", "unset"),
    [
        ("len(rows)", "rows"),
        ("seen", "seen"),
        ("error", "error"),
        ("paths[0]", ""),
        ("[seen for seen in paths]", ""),
    ],
)
def test_a_name_is_not_set_before_it_though_something_else_has_it_too(new: str, unset: str) -> None:
    code = """def load(paths):
    first = str(paths)
    try:
        rows = [len(path) for path in paths]
    except OSError as error:
        raise ValueError(first) from error
    seen = sorted(rows, key=lambda rows: -rows)
    return first, rows, [seen for seen in rows]
"""
    at = code.index("str(paths)")
    plan = Plan((Edit("a.py", at, at + len("str(paths)"), new),))
    assert never_set(plan, Repository(DictTree({"a.py": code}))) == unset


def test_what_a_branch_sets_that_leaves_is_not_set_behind_it() -> None:
    code = """def spec(extra):
    if not extra:
        rows = list(extra)
        return rows
    HERE
    rows = [1]
    return rows
"""
    text = "raise ValueError if rows is empty in spec"
    slots = {"function": "spec", "condition": "rows is empty", "exception": "ValueError"}
    way = answer_to(code.replace("    HERE\n", ""), text, "guard_raise", **slots).ways[0]
    assert any("not set yet" in mark for mark in way.marked)


def test_names_that_an_edit_leaves_as_they_were_are_not_looked_at() -> None:
    code = "def show(rows):\n    print(rows, cl)\n    cl = 1\n    return cl\n"
    text = "in show, use `len(rows)` instead of `rows`"
    slots = {"old": "`rows`", "new": "len(rows)", "function": "show"}
    way = answer_to(code, text, "replace_expression", **slots).ways[0]
    assert "cl is not set yet there" not in way.marked


@pytest.mark.parametrize(
    ("used", "default"),
    [
        ("minutes + cost <= limit", "120"),
        ("limit - elapsed_ms > 0", "7200000"),
        ("cost <= limit", "7200"),
        ("limit + minutes", "120"),
    ],
)
def test_a_time_counts_in_the_unit_of_what_it_is_compared_with(used: str, default: str) -> None:
    code = f"def fits(minutes, cost, elapsed_ms, limit=5):\n    return {used}\n"
    new = changed(code, "limit 2 hours by default", "set_default", parameter="limit", default="2 hours")
    assert f"limit={default})" in new


@pytest.mark.parametrize(
    ("body", "asked"),
    [
        ("return set(given)", False),
        ("return grown(given, 2)", False),
        ("return grown(2, given)", True),
        ("return f'{other:<{given}}'", False),
        ("return [[given] * 3]", False),
        ("return [given] if given in other else other[given]", True),
        ("known = 1 in given\n    if given:\n        return known", False),
        ("return other.x if other else given.x if given else 0", True),
        ("return timedelta(days=given)", False),
        ("return asyncio.PriorityQueue(given)", False),
        ("return math.log(other, given)", False),
        ("return deque(other, given)", True),
        ("return given()", False),
        ("return loop.call_later(other or given, print)", False),
        ("return list(given or ())", True),
        ("return other[:given]", True),
        ("if other and given:\n        return sorted(given)", True),
        ("return other.ljust(given)", False),
        ("return isinstance(given, str)", True),
        ("if isinstance(given, str):\n        given = [given]\n    return sorted(given)", False),
        ("return len(given) if given is not None else 0", True),
        ("return len(given) if other is not None else 0", False),
        ("size = given\n    return size + 1", False),
        ("return lambda row, most=given: row[0] + most", False),
        ("return lambda row, most=given: row[:most]", True),
        ("return max(other, key=given)", True),
        ("return other.grown(given, 2)", False),
    ],
)
def test_none_as_a_default_that_the_code_does_not_take_is_marked(body: str, asked: bool) -> None:
    code = f"def f(other, given=1):\n    {body}\n\n\ndef grown(size, name):\n    return size + 1, name\n"
    text = "given should default to None in f"
    way = answer_to(code, text, "set_default", parameter="given", default="None", function="f").ways[0]
    assert any("never compared with None" in mark for mark in way.marked) is not asked


@pytest.mark.parametrize(
    ("use", "asked"),
    [
        ("[int(one) for one in args.only_kind]", False),
        ("show(args.only_kind)", True),
        ("[int(one) for one in args.only_kind or ()]", True),
    ],
)
def test_none_as_the_default_of_an_option_that_the_code_goes_through_is_marked(use: str, asked: bool) -> None:
    option = 'parser.add_argument("--only-kind", default=[])'
    code = f"def main(parser):\n    {option}\n    args = parser.x()\n    {use}\n"
    slots = {"parameter": "--only-kind", "default": "None"}
    way = answer_to(code, "default of --only-kind None", "set_default", **slots).ways[0]
    assert any("never compared with None" in mark for mark in way.marked) is not asked


@pytest.mark.parametrize(
    ("body", "asked"),
    [
        ("return size >= MOST", False),
        ("return size if MOST is None else min(size + MOST, 9)", True),
        ("return show(MOST)", True),
    ],
)
def test_none_as_a_value_that_the_code_does_not_take_is_marked(body: str, asked: bool) -> None:
    code = f"MOST = 2\n\n\ndef f(size):\n    {body}\n"
    way = answer_to(code, "MOST = None", "set_value", variable="MOST", value="None").ways[0]
    assert any("never compared with None" in mark for mark in way.marked) is not asked


def test_an_error_for_none_as_a_default_is_marked() -> None:
    code = "def lend(isbn, today=None):\n    today = today or now()\n    return isbn, today\n"
    text = "raise ValueError in lend if today is None"
    slots = {"exception": "ValueError", "function": "lend", "condition": "today is None"}
    way = answer_to(code, text, "guard_raise", **slots).ways[0]
    assert any("today is None by default" in mark for mark in way.marked)


def test_a_plan_with_very_many_edits_is_looked_at_once() -> None:
    """With one look at the whole file for each edit it does not end."""
    code = "x = 1\n" * 40_000
    edits = tuple(Edit("a.py", at, at + 1, "y") for at in range(0, len(code), 6))
    assert doubts_of_new(Plan(edits), Repository(DictTree({"a.py": code}))) == ()


@pytest.mark.parametrize(
    ("value", "fails"), [('el.get("href")', True), ('el["href"]', False), ('el.get("href", "")', False)]
)
def test_what_is_taken_from_a_value_that_may_be_none_is_marked(value: str, fails: bool) -> None:
    code = f"def link(el):\n    href = {value}\n    return href and f'<{{href}}>'\n"
    way = answer_to(code, "link: strip the href", "strip_value", variable="href", function="link").ways[0]
    assert any("may be None, which has no strip" in mark for mark in way.marked) is fails


def test_a_local_that_is_only_set_behind_a_test_is_an_attribute_where_the_class_has_one() -> None:
    code = "class Pack:\n    def __init__(self, size):\n        self.size = size\n\n"
    code += "    def fill(self, items):\n        if (size := self.size) and items:\n            return size\n"
    words = {"function": "fill", "condition": "size is None", "exception": "TypeError"}
    new = result(answered({PATH: code}, ("guard_raise", words)), {PATH: code})
    assert "        if self.size is None:\n" in new
    found = answered({PATH: code.replace("self.size", "self.most")}, ("guard_raise", words))
    assert not found.ways and "size is not set yet there" in found.reason


def test_the_attribute_in_place_of_a_local_is_marked_and_leaves_texts_alone() -> None:
    code = "class Pack:\n    def __init__(self, size):\n        self.size = size\n\n"
    code += "    def fill(self, items):\n        if (size := self.size) and items:\n            return size\n"
    words = {"function": "fill", "condition": "`size == 'size'`", "exception": "TypeError"}
    found = answered({PATH: code}, ("guard_raise", words))
    assert "        if self.size == 'size':\n" in result(found, {PATH: code})
    assert "size was taken for self.size" in found.ways[0].marked


def test_a_default_that_may_be_empty_itself_marks_the_test_for_that() -> None:
    code = "NONE = object()\n\n\ndef last(items, other=NONE):\n    return items[-1] if items else other\n"
    words = {"function": "last", "condition": "other is empty", "exception": "ValueError"}
    marks = " ".join(answered({PATH: code}, ("guard_raise", words)).ways[0].marked)
    assert "other is NONE by default" in marks
    found = answered({PATH: code}, ("guard_raise", {**words, "condition": "items is empty"}))
    assert "by default" not in " ".join(found.ways[0].marked)


def test_none_given_to_a_function_that_does_not_take_it_is_marked() -> None:
    code = "class Box:\n    def __init__(self, size):\n        self.size = size\n\n"
    use = "    def area(self):\n        return self.size * 2\n\n\ndef run():\n    return Box(size=3).area()\n"
    slots = {"call": "Box", "argument": "size", "value": "None", "function": "run"}
    for body, asked in ((use, False), (use.replace(" * 2", " or 2"), True)):
        way = answer_to(code + body, "pass size=None to Box in run", "set_argument", **slots).ways[0]
        assert any("never compared with None" in mark for mark in way.marked) is not asked


def test_none_for_a_key_that_is_missing_is_given_to_no_function_of_that_name() -> None:
    code = "def get(key, made):\n    return made()\n\n\ndef run(row):\n    return row['x']\n"
    slots = {"old": "row['x']", "new": "row.get('x', None)", "function": "run"}
    text = "replace row['x'] by row.get('x', None) in run"
    assert not answer_to(code, text, "replace_expression", **slots).ways[0].marked


@pytest.mark.parametrize(
    ("was", "default", "body", "said"),
    [
        ("None", "0", "return self.most is None or size < self.most", "asks whether most is None"),
        ("None", "0", "return size < self.most", ""),
        ("2", "None", "most = self.most\n        return size < most", "most is never compared with None"),
        ("2", "None", "most = self.most or 3\n        return size < most", ""),
    ],
)
def test_a_default_that_is_kept_is_followed(was: str, default: str, body: str, said: str) -> None:
    code = f"class Box:\n    def __init__(self, most={was}):\n        self.most = most\n\n"
    code += f"    def fits(self, size):\n        {body}\n"
    slots = {"parameter": "most", "default": default, "class": "Box"}
    text = f"most should be {default} by default in Box"
    marks = answer_to(code, text, "set_default", **slots).ways[0].marked
    assert any(said in mark for mark in marks) if said else not marks


@pytest.mark.parametrize(("made", "asked"), [("mode_of(path)", True), ("0o666", False), ("int(mode)", False)])
def test_a_default_in_the_place_of_what_is_found_out_is_marked(made: str, asked: bool) -> None:
    code = (
        f"def write(path, mode=None):\n    if mode is None:\n        mode = {made}\n    return path, mode\n"
    )
    slots = {"parameter": "mode", "default": "0o644", "function": "write"}
    way = answer_to(code, "mode should be 0o644 by default in write", "set_default", **slots).ways[0]
    assert any("asks whether mode is None" in mark for mark in way.marked) is asked


@pytest.mark.parametrize("value", ["order.pop()", "(yield name)"])
def test_what_does_something_is_asked_once(value: str) -> None:
    code = f"def total(order, name):\n    price = {value}\n"
    answer = answer_to(code, "use 5 where price is None", "value_if_empty", variable="price", default="5")
    assert [getattr(one, "new", "") for one in answer.ways[0].calls] == [f"{value} or 5"]
    assert answer.ways[0].marked == ("0 becomes 5, like None",)
