"""The kinds that generators write: what they make of the code here is sound and does what it says."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random

import pytest

from spark_tui.engine.text.token_layout import WindowHunk
from spark_tui.train import cases as edited
from spark_tui.train import kind_cases
from spark_tui.train.cases import Case
from spark_tui.train.kinds import KINDS
from spark_tui.train.source_windows import SourceWindow, parse
from spark_tui.train.templates.grammar import held_out_count

CASES = Path(__file__).parents[2] / "cases" / "kinds"
"""Code written for these tests: a module with something for most kinds, and smaller files for the rest."""
SAMPLE = (CASES / "basket.py").read_text(encoding="utf-8")
DAILY = [(CASES / f"{name}.py").read_text(encoding="utf-8") for name in ("plan", "told")]


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


def made_by(name: str, want: int = 12) -> list[Case]:
    out = []
    rng = Random(name)
    for _ in range(900):
        case = kind_cases.edit(KINDS[name], rng.choice(WINDOWS), rng)
        if case is not None:
            out.append(case)
        if len(out) == want:
            break
    return out


def cases(name: str, text: str, want: int = 12) -> list[Case]:
    """The first `want` cases that four times as many seeds give."""
    window = SourceWindow("shop.py", text)
    found = (kind_cases.edit(KINDS[name], window, Random(seed)) for seed in range(4 * want))
    out = [case for case in found if case is not None][:want]
    assert out
    return out


@pytest.mark.parametrize("name", sorted(KINDS))
def test_a_kind_finds_work_in_the_sample_and_makes_sound_edits(name: str) -> None:
    cases = made_by(name)
    assert cases, "the sample has something for every kind"
    for case in cases:
        assert case.before != case.after
        assert parse(case.after) is not None
        hunks = edited.hunks_between(case.before, case.after)
        assert edited.apply_hunks(case.before, hunks) == case.after
        assert case.instruction.strip()
        assert "{" not in case.instruction.replace("{}", "") or "{" in case.before + case.after
        assert "[" not in case.instruction or "[" in case.before + case.after


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
            case = kind_cases.edit(KINDS[name], SourceWindow("odd.py", text), rng)
            made += case is not None
            assert case is None or parse(case.after) is not None
    assert made > 0


@pytest.mark.parametrize("name", sorted(KINDS))
def test_a_kind_keeps_whole_templates_for_the_test(name: str) -> None:
    kind = KINDS[name]
    assert held_out_count(kind.phrases) >= 1
    assert len(kind.phrases) - held_out_count(kind.phrases) >= 4


def test_hunks_that_overlap_or_leave_the_file_are_refused() -> None:
    hunk = WindowHunk
    for hunks in ([hunk(1, 3), hunk(2, 4)], [hunk(0, 9)], [hunk(2, 2), hunk(0, 1)]):
        with pytest.raises(ValueError, match="overlap or leave"):
            edited.apply_hunks("a\nb\nc\nd\n", hunks)


TOLD = (CASES / "told.py").read_text(encoding="utf-8")


def test_code_under_a_comment_is_told_by_the_comment_and_comes_without_it() -> None:
    told = set()
    for case in cases("commented_code", TOLD, 20):
        added = [line.strip() for hunk in edited.hunks_between(case.before, case.after) for line in hunk.new]
        words = {"row = row.rstrip(',')": "strip the trailing comma", "rows = rows[1:]": "skip the header"}
        told |= {code for code in words if code.replace("'", '"') == added[0]}
        assert "#" not in "".join(added)
        assert sum(comment in case.before for comment in words.values()) == 1
    assert len(told) == 2


def test_a_function_told_by_its_docstring_comes_without_it() -> None:
    for case in cases("documented_function", TOLD):
        assert ("def widest" in case.before) + ("def load" in case.before) == 1
        assert ast.dump(ast.parse(case.after)).count("FunctionDef") == 3
    for case in cases("stubbed_body", TOLD):
        assert case.after == TOLD


def test_a_check_told_by_its_message_is_missing_before() -> None:
    for case in cases("told_check", TOLD):
        assert case.after == TOLD
        assert "limit < 1" not in case.before
        assert "must be positive" in case.instruction


def test_words_of_invented_code_tell_nothing() -> None:
    window = SourceWindow("a.py", TOLD)
    window.invented = True
    for name in ("commented_code", "documented_function", "stubbed_body", "told_check"):
        assert all(kind_cases.edit(KINDS[name], window, Random(n)) is None for n in range(5))


def test_a_missing_import_is_added_where_the_error_tells_of_it() -> None:
    for case in cases("fix_missing_import", "def here(name):\n    return os.path.join(name, 'x')\n"):
        assert case.after.startswith("import os\n")
        assert "os" in case.instruction + case.error
