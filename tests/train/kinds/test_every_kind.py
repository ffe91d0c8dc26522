"""Every kind of edit, on a sample of code written for this test: what it makes is sound and does what it
says."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from random import Random

import pytest
from support.edit_kinds import value_of

from spark_tui.train import worded_edits
from spark_tui.train.kinds import KINDS, Draw
from spark_tui.train.source_windows import SourceWindow, parse
from spark_tui.train.template_grammar import held_out_count

CASES = Path(__file__).parents[2] / "cases" / "kinds"
"""Code written for these tests: a module with something for most kinds, and smaller files for the rest."""
SAMPLE = (CASES / "basket.py").read_text(encoding="utf-8")
DAILY = [
    (CASES / f"{name}.py").read_text(encoding="utf-8")
    for name in ("plan", "run", "refuse", "tidy", "summed", "page")
]


def windows() -> list[SourceWindow]:
    """The sample whole, and each of its parts alone with the imports, as generators want things to be
    unique."""
    whole = SourceWindow("shop/basket.py", SAMPLE)
    out = [whole]
    for node in whole.tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first, last = whole.first_line(node), whole.last_line(node)
            body = "\n".join(whole.lines[first - 1 : last]) + "\n"
            out += [
                SourceWindow("shop/basket.py", body),
                SourceWindow("shop/basket.py", "import os\nimport sys\nimport json\n\n\n" + body),
            ]
            out.append(SourceWindow("shop/basket.py", "import sys\nimport json\nimport abc\n\n\n" + body))
    out.append(
        SourceWindow(
            "shop/plain.py",
            "def work(self_test):\n    value = compute(self_test)\n    result = value\n    return result\n",
        )
    )
    out.append(
        SourceWindow(
            "shop/log.py",
            "def work(job):\n    logger.info('started the job')\n    os.remove(job)\n    return old(job)\n",
        )
    )
    out += [SourceWindow("shop/daily.py", text) for text in DAILY]
    return out


WINDOWS = windows()


def made_by(name: str, want: int = 12) -> list[worded_edits.Case]:
    out = []
    rng = Random(name)
    for _ in range(900):
        case = worded_edits.edit(KINDS[name], rng.choice(WINDOWS), Draw(rng))
        if case is not None:
            out.append(case)
        if len(out) == want:
            break
    return out


@pytest.mark.parametrize("name", sorted(KINDS))
def test_a_kind_finds_work_in_the_sample_and_makes_sound_edits(name: str) -> None:
    cases = made_by(name)
    assert cases, "the sample has something for every kind"
    for case in cases:
        assert case.before != case.after
        assert parse(case.after) is not None
        hunks = worded_edits.hunks_between(case.before, case.after)
        assert worded_edits.apply_hunks(case.before, hunks) == case.after
        assert case.instruction.strip()
        assert "{" not in case.instruction.replace("{}", "") or "{" in str(case.slots) or "{" in case.before
        assert "[" not in case.instruction or "[" in str(case.slots) or "[" in case.before


ODD = (
    "# a = 3, b = 'x y'; self.x = [1]\n# def f(a): return 1\n",
    '"""A doc: a = 3, \'a b\', True, self.x, def f(a): return, for x in y: if a > 3: import os."""\n',
    "import os\n",
    "x = {}\n",
    "f(a, 1, 'b c'); g(x=3)\n",
    "class A: x = 1\n",
    "class A:\n    def f(self): ...\n",
    "def f(*, a, **k): return {**k, 'a': 1}\n",
    "@d(1, 'a b')\ndef f(a, /, b=2, *c, d=3): return a + 'x'\n",
    "async def f():\n    async with a as b:\n        return [x async for x in y if x > 3]\n",
    "if True:\n    x = 3\nelse:\n    y = 'a b'\n",
    "try:\n    pass\nexcept* ValueError:\n    x = 'a b'\n",
    "match x:\n    case {'a': 3}:\n        y = 1\n    case _:\n        pass\n",
)
"""Files that hardly have anything: no statement at all, all on one line, rare syntax."""


def test_a_kind_does_not_fail_where_a_file_hardly_has_anything() -> None:
    rng = Random(7)
    made = 0
    for text in ODD:
        for name in sorted(KINDS):
            case = worded_edits.edit(KINDS[name], SourceWindow("odd.py", text), Draw(rng))
            made += case is not None
            assert case is None or parse(case.after) is not None
    assert made > 10
    assert worded_edits.edit(KINDS["add_import"], SourceWindow("odd.py", ODD[0]), Draw(rng)) is None


@pytest.mark.parametrize("name", sorted(KINDS))
def test_a_kind_keeps_whole_templates_for_the_test(name: str) -> None:
    kind = KINDS[name]
    assert held_out_count(kind.phrases) >= 1
    assert len(kind.phrases) - held_out_count(kind.phrases) >= 4


def names_of(text: str) -> set[str]:
    tree = ast.parse(text)
    out = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    out |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    out |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return out | {
        n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }


@pytest.mark.parametrize("name", [name for name in sorted(KINDS) if name.startswith("rename_")])
def test_a_rename_is_the_old_tree_with_one_name_exchanged(name: str) -> None:
    for case in made_by(name, 30):
        old, new = case.slots["old"].text, case.slots["new"].text  # type: ignore[union-attr]
        assert new not in names_of(case.before)
        assert new in names_of(case.after)
        restored = ast.dump(ast.parse(case.after)).replace(f"'{new}'", f"'{old}'")
        assert (
            restored == ast.dump(ast.parse(case.before))
            or "docstring" in case.instruction
            or ":param" in case.before
        )


@pytest.mark.parametrize(
    "name",
    [
        "loop_comprehension",
        "use_enumerate",
        "zip_loop",
        "any_all",
        "ternary",
        "invert_if",
        "remove_else",
        "merge_ifs",
        "inline_variable",
        "extract_variable",
        "to_fstring",
    ],
)
def test_a_refactoring_keeps_what_the_code_computes(name: str) -> None:
    calls = {
        "total(": "total([1, 4, 9, 16], 3)",
        "describe(": "describe('box', 120)",
        "visible(": "visible([])",
        "shape(": "shape('x', 4)",
        "matched(": "matched(['a', 'b'], [3, 4])",
    }
    checked = 0
    for case in made_by(name, 40):
        for head, call in calls.items():
            if f"def {head}" in case.before and f"def {head}" in case.after:
                assert value_of(case.before, call) == value_of(case.after, call)
                checked += 1
    assert checked


def test_a_branch_for_another_value_is_taken_for_that_value_alone() -> None:
    seen = 0
    for case in made_by("add_elif", 40):
        value = case.slots["v"].text  # type: ignore[union-attr]
        if "def shape(" not in case.before or "raise" in case.after or "print" in case.after:
            continue
        for size in {3, 4} - {int(value)}:
            assert value_of(case.before, f"shape('x', {size})") == value_of(case.after, f"shape('x', {size})")
        assert value_of(case.after, f"shape('x', {value})") != value_of(case.before, f"shape('x', {value})")
        seen += 1
    assert seen


def test_a_skipped_entry_is_not_counted_and_a_counter_counts_the_rest() -> None:
    text = (
        "def walk(lines):\n    out = []\n    for line in lines:\n        out.append(line)\n    return out\n"
    )
    rng = Random(4)
    skipped = [
        worded_edits.edit(KINDS["skip_in_loop"], SourceWindow("a.py", text), Draw(rng)) for _ in range(60)
    ]
    counted = [
        worded_edits.edit(KINDS["count_in_loop"], SourceWindow("a.py", text), Draw(rng)) for _ in range(5)
    ]
    blank = [case for case in skipped if case and "if not line.strip():" in case.after]
    assert blank
    assert all(value_of(case.after, "walk(['a', '  ', ''])") == ["a"] for case in blank)
    for case in counted:
        assert case
        name = case.slots["n"].text  # type: ignore[union-attr]
        assert value_of(case.after.replace("return out", f"return {name}"), "walk([1, 2, 3])") == 3


def test_a_special_method_compares_what_the_instruction_names() -> None:
    seen = 0
    for case in made_by("add_dunder", 80):
        if "class Point" not in case.before or "class Basket" in case.before or "__eq__" not in case.after:
            continue
        fields = case.slots["fields"].text  # type: ignore[union-attr]
        assert value_of(case.after, "Point(1, 2) == Point(1, 2)") is True
        assert value_of(case.after, "Point(1, 2) == Point(1, 3)") is ("y" not in fields)
        assert value_of(case.after, "Point(1, 2) == Point(5, 2)") is ("x" not in fields)
        seen += 1
    assert seen


def test_a_missing_key_gives_the_default_that_was_asked_for() -> None:
    seen = 0
    for case in made_by("default_for_missing", 40):
        if 'settings["home"]' not in case.before or 'settings["home"]' in case.after:
            continue
        default = case.slots["v"].text  # type: ignore[union-attr]
        home = re.search(r"home = (.*)", case.after)
        assert home
        assert eval(home[1], {"settings": {}}) == ast.literal_eval(default)
        seen += 1
    assert seen


def test_a_call_with_a_wrong_number_of_arguments_fails_as_its_instruction_says() -> None:
    seen = 0
    for case in made_by("fix_argument_count", 60):
        if "def gathered(" in case.before and "def total(" in case.before and "print" not in case.instruction:
            with pytest.raises(TypeError) as caught:
                value_of(case.before, "gathered([4, 5], 2)")
            assert str(caught.value) in case.instruction + case.error
            seen += 1
    assert seen


def test_a_test_and_its_parametrized_form_assert_the_same() -> None:
    asserted = 0
    for case in made_by("parametrize_test", 40):
        tree = ast.parse(case.after)
        test = tree.body[-1]
        assert isinstance(test, ast.FunctionDef)
        table = ast.literal_eval(test.decorator_list[0].args[1])  # type: ignore[attr-defined]
        told = case.instruction + case.before
        for given, expected in table:
            assert repr(given).replace("'", '"') in told
            assert repr(expected).replace("'", '"') in told
            asserted += 1
    assert asserted


def test_a_converted_docstring_says_the_same_of_every_parameter() -> None:
    for case in made_by("convert_docstring", 40):
        (hunk, *more) = worded_edits.hunks_between(case.before, case.after)
        old, new = case.before, case.after
        for text in (old, new):
            assert parse(text) is not None
        assert hunk or more
        words = [
            sorted(word for word in text.replace(":", " ").split() if word.isalpha()) for text in (old, new)
        ]
        heads = {"Args", "Returns", "Parameters", "param", "return"}
        assert [w for w in words[0] if w not in heads] == [w for w in words[1] if w not in heads]


def test_a_guard_raises_when_its_condition_holds() -> None:
    seen = 0
    for case in made_by("add_guard", 700):
        if (
            "def visible(items)" in case.before
            and "if items is None:" in case.after
            and "raise" in case.after
            and "class" not in case.before
        ):
            with pytest.raises(Exception, match=r".") as caught:
                value_of(case.after, "visible(None)")
            assert "NoneType" not in str(caught.value)
            seen += 1
    assert seen


def test_hunks_that_overlap_or_leave_the_file_are_refused() -> None:
    hunk = worded_edits.WindowHunk
    for hunks in ([hunk(1, 3), hunk(2, 4)], [hunk(0, 9)], [hunk(2, 2), hunk(0, 1)]):
        with pytest.raises(ValueError, match="overlap or leave"):
            worded_edits.apply_hunks("a\nb\nc\nd\n", hunks)
