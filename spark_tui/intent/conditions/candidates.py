"""The tests that a condition in words may mean at a place: operands there, under every kind of test that fits
how they are used."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from spark_tui.intent.conditions.operands import Operand
from spark_tui.pysource.walking import walk

KINDS = (
    "true", "false", "none", "not_none", "negative", "not_positive", "zero", "positive",
    "lt", "le", "gt", "ge", "eq", "ne", "in", "not_in",
    "blank", "starts", "exists", "not_exists", "is_a", "no_a",
    "few", "many", "full", "same_length", "other_length", "digits", "no_digits", "contains", "lacks",
)  # fmt: skip
KIND = {one: at for at, one in enumerate(KINDS)}
_MOST = 800
_SIGNS = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne", ast.In: "in", ast.NotIn: "not_in"}
_SHOWN = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=", "in": "in", "not_in": "not in"}
_FLIPPED = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE, ast.Eq: ast.Eq, ast.NotEq: ast.NotEq}
_OPPOSITE = {"true": "false", "none": "not_none", "lt": "ge", "gt": "le", "eq": "ne", "in": "not_in", "exists": "not_exists", "is_a": "no_a", "same_length": "other_length", "digits": "no_digits", "contains": "lacks", "negative": "", "zero": "", "blank": ""}  # fmt: skip
_OPPOSITE |= {two: one for one, two in _OPPOSITE.items() if two}
_TYPES = ("str", "int", "float", "dict", "list", "bool", "bytes", "tuple")
_OF_DIGITS = frozenset("number numbers digits letters numeric zahl numero nombre numbers".split())
_OF_FILES = frozenset("exist exists there missing".split())
_UNITS = "zero one two three four five six seven eight nine ten eleven twelve".split()


@dataclass(frozen=True)
class Test:
    """A test of one operand, perhaps against another one or a literal."""

    kind: str
    left: str
    right: str = ""

    @property
    def code(self) -> str:
        x, n = self.left, self.right
        if self.kind in _SHOWN:
            return f"{x} {_SHOWN[self.kind]} {n}"
        made = {
            "true": "{x}", "false": "not {x}", "none": "{x} is None", "not_none": "{x} is not None",
            "negative": "{x} < 0", "not_positive": "{x} <= 0", "zero": "{x} == 0", "positive": "{x} > 0",
            "blank": "not {x}.strip()", "starts": "{x}.startswith({n})", "exists": "os.path.exists({x})",
            "not_exists": "not os.path.exists({x})", "is_a": "isinstance({x}, {n})", "no_a": "not isinstance({x}, {n})",
            "full": "len({x}) >= {n}", "few": "len({x}) < {n}", "many": "len({x}) > {n}", "same_length": "len({x}) == {n}",
            "other_length": "len({x}) != {n}", "digits": "{x}.isdigit()", "no_digits": "not {x}.isdigit()",
            "contains": "{n} in {x}", "lacks": "{n} not in {x}",
        }  # fmt: skip
        return made[self.kind].format(x=x, n=n)


def classify(node: ast.expr) -> Test | None:
    """The test that an expression makes; None for one of another form."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = classify(node.operand)
        if inner is None:
            return None
        if inner.kind == "true":
            stripped = re.fullmatch(r"(.+)\.strip\(\)", inner.left)
            return Test("blank", stripped[1]) if stripped else Test("false", inner.left)
        other = _OPPOSITE.get(inner.kind, "")
        return Test(other, inner.left, inner.right) if other else None
    if isinstance(node, ast.Compare):
        return _compared(node) if len(node.ops) == 1 else None
    if isinstance(node, ast.Call):
        called, given = ast.unparse(node.func), [ast.unparse(one) for one in node.args]
        if called == "isinstance" and len(given) == 2:
            return Test("is_a", *given)
        if called in ("os.path.exists", "os.path.isfile", "os.path.isdir") and len(given) == 1:
            return Test("exists", given[0])
        if called.endswith((".exists", ".is_file", ".is_dir")) and not given:
            return Test("exists", called.rpartition(".")[0])
        if called.endswith((".isdigit", ".isdecimal", ".isnumeric")) and not given:
            return Test("digits", called.rpartition(".")[0])
        if called.endswith(".startswith") and len(given) == 1:
            return Test("starts", called.rpartition(".")[0], given[0])
    if isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
        return Test("true", ast.unparse(node))
    return None


def _compared(node: ast.Compare) -> Test | None:
    left, sign, right = node.left, type(node.ops[0]), node.comparators[0]
    if isinstance(left, ast.Constant) and sign in _FLIPPED:
        left, right, sign = right, left, _FLIPPED[sign]
    one, two = ast.unparse(left), ast.unparse(right)
    if sign in (ast.Is, ast.IsNot):
        if two == "None":
            return Test("none" if sign is ast.Is else "not_none", one)
        if two in ("True", "False"):
            return Test("true" if (sign is ast.Is) == (two == "True") else "false", one)
        return None
    kind = _SIGNS[sign]
    if kind in ("in", "not_in") and isinstance(left, ast.Constant):
        return Test("contains" if kind == "in" else "lacks", two, one)
    if kind in ("eq", "ne") and two in ("''", "[]", "{}"):
        stripped = re.fullmatch(r"(.+)\.strip\(\)", one)
        if stripped:
            return Test("blank", stripped[1]) if kind == "eq" else None
        return Test("false" if kind == "eq" else "true", one)
    if isinstance(left, ast.Call) and ast.unparse(left.func) == "len" and len(left.args) == 1:
        return _counted(ast.unparse(left.args[0]), kind, two)
    if two == "0" and kind in ("lt", "le", "eq", "gt"):
        return Test({"lt": "negative", "le": "not_positive", "eq": "zero", "gt": "positive"}[kind], one)
    if two == "1" and kind == "lt":
        return Test("not_positive", one)
    if kind in ("le", "ge") and re.fullmatch(r"-?\d+", two) and two != "0":
        pass
    return Test(kind, one, two)


def _counted(code: str, kind: str, size: str) -> Test | None:
    if (kind, size) in (("eq", "0"), ("lt", "1"), ("le", "0")):
        return Test("false", code)
    if (kind, size) in (("gt", "0"), ("ge", "1"), ("ne", "0")):
        return Test("true", code)
    if kind in ("le", "ge"):
        if not size.isdigit():
            return Test("few" if kind == "le" else "full", code, size)
        size = str(int(size) + 1) if kind == "le" else str(int(size) - 1)
    kinds = {"lt": "few", "le": "few", "gt": "many", "ge": "many", "eq": "same_length", "ne": "other_length"}
    return Test(kinds[kind], code, size) if kind in kinds else None


@dataclass(frozen=True)
class Candidate:
    """A test, with the operands that it looks at."""

    test: Test
    left: Operand
    right: Operand | None = None
    literal: str = ""
    """Where a literal comes from: `said`, `file` or `plain`."""


@dataclass
class Field:
    """What is known of a file: its tests, its texts."""

    tests: dict[tuple[str, str], int] = field(default_factory=dict)
    """How often the last name of an operand is tested in a way."""
    texts: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, tree: ast.AST) -> Field:
        out = cls()
        for node in walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and 0 < len(node.value) < 24:
                out.texts.add(node.value)
            tests = [node.test] if isinstance(node, ast.If | ast.While | ast.IfExp) else []
            tests += node.ifs if isinstance(node, ast.comprehension) else []
            for test in tests:
                for part in test.values if isinstance(test, ast.BoolOp) else [test]:
                    if (known := classify(part)) is not None:
                        each = (known.left.rpartition(".")[2], known.kind)
                        out.tests[each] = out.tests.get(each, 0) + 1
        return out


def numbers_said(text: str) -> list[str]:
    found = re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w])", text)
    found += [str(_UNITS.index(one)) for one in re.findall(r"[a-z]+", text.lower()) if one in _UNITS]
    return list(dict.fromkeys(found))[:3]


def texts_said(text: str, known: set[str]) -> list[str]:
    quoted = [one[1] or one[2] for one in re.finditer(r"\"([^\"]{1,20})\"|'([^'\s]{1,20})'", text)]
    words = set(re.findall(r"\w+", text.lower()))
    signs = re.findall(r"(?<!\S)([^\w\s\"'.,!?()]{1,3})(?!\S)", text)
    signs += ["#"] if words & {"comment", "comments", "hash", "kommentare", "kommentarzeilen"} else []
    names = re.findall(r"(?<!\w)(?!\A)([A-Z]\w{0,9})(?!\w)", text)
    names += re.findall(r"\w+", text) if len(text.split()) < 3 else []
    members = [*names] + [one for one in sorted(known) if one.lower() in words and len(one) > 1]
    return list(dict.fromkeys([*quoted, *signs, *members]))[:8]


def candidates(text: str, every: list[Operand], known: Field) -> list[Candidate]:
    """All tests that fit, the plain ones first."""
    out = list(_all(text, every, known))
    seen: set[Test] = set()
    return [one for one in out if not (one.test in seen or seen.add(one.test))][:_MOST]  # type: ignore[func-returns-value]


def _all(text: str, every: list[Operand], known: Field) -> Iterator[Candidate]:
    said = numbers_said(text)
    texts = texts_said(text, known.texts)
    said_words = set(re.findall(r"[^\W\d_]+", text.lower()))
    looked = [one for one in every if one.origin != "module" or one.uses - {"many"} or said_words & set(one.words)]
    for one in looked:
        if one.code.isupper():
            continue
        yield Candidate(Test("false", one.code), one)
        yield Candidate(Test("true", one.code), one)
        yield Candidate(Test("none", one.code), one)
        yield Candidate(Test("not_none", one.code), one)
    of_digits = bool(said_words & _OF_DIGITS) or "数字" in text
    for one in looked:
        if one.code.isupper():
            if "path" in one.uses or "path" in one.annotation:
                yield Candidate(Test("not_exists", one.code), one)
                yield Candidate(Test("exists", one.code), one)
            continue
        textual = bool(one.uses & {"text", "converted"}) or "str" in one.annotation
        sized = bool(one.uses & {"iterated", "items", "measured", "subscripted", "many"}) or textual or "container" in one.uses or one.origin == "arguments"
        numeric = not (one.uses & {"items", "iterated", "text"}) and "str" not in one.annotation and one.origin != "arguments"
        if numeric and one.code not in ("self",):
            for kind in ("negative", "not_positive", "zero", "positive"):
                yield Candidate(Test(kind, one.code), one)
            for size in said:
                for kind in ("lt", "le", "gt", "ge", "eq", "ne"):
                    if size != "0" or kind in ("ne", "ge"):
                        yield Candidate(Test(kind, one.code, size), one, None, "said")
        for each in texts:
            quoted = f"'{each}'" if "'" not in each else f'"{each}"'
            if not one.uses & {"iterated", "items"}:
                yield Candidate(Test("eq", one.code, quoted), one, None, "said")
                yield Candidate(Test("ne", one.code, quoted), one, None, "said")
            if textual or one.origin == "round":
                yield Candidate(Test("starts", one.code, quoted), one, None, "said")
            if sized or textual:
                yield Candidate(Test("contains", one.code, quoted), one, None, "said")
                yield Candidate(Test("lacks", one.code, quoted), one, None, "said")
        for each in sorted(one.texts - set(texts))[:4]:
            yield Candidate(Test("eq", one.code, repr(each)), one, None, "file")
            yield Candidate(Test("ne", one.code, repr(each)), one, None, "file")
        if sized:
            for size in (*said, *(each for each in ("1", "2") if each not in said)):
                origin = "said" if size in said else "plain"
                for kind in ("few", "many", "full", "same_length", "other_length"):
                    if size not in ("0",) and not (size == "1" and kind == "few"):
                        yield Candidate(Test(kind, one.code, size), one, None, origin)
        if textual or one.origin == "round":
            yield Candidate(Test("blank", one.code), one)
        if textual or (of_digits and one.origin in ("parameter", "round", "item", "local")):
            yield Candidate(Test("no_digits", one.code), one)
            yield Candidate(Test("digits", one.code), one)
        if "path" in one.uses or (one.origin == "round" and said_words & _OF_FILES) or "Path" in one.annotation or {"path", "file", "folder", "filename", "directory"} & set(one.words):
            yield Candidate(Test("not_exists", one.code), one)
            yield Candidate(Test("exists", one.code), one)
        if one.origin in ("parameter", "round", "item"):
            for name in _TYPES[:6]:
                yield Candidate(Test("is_a", one.code, name), one, None, "plain")
                yield Candidate(Test("no_a", one.code, name), one, None, "plain")
    yield from _pairs(every, said_words)


def _pairs(every: list[Operand], said: set[str]) -> Iterator[Candidate]:
    """Comparisons of two operands: an element with what may hold it, like with like, amounts with bounds."""
    holders = [one for one in every if one.uses & _HELD or one.code.isupper()]
    single = [one for one in every if not one.code.isupper() and not one.uses & {"items"} and one.origin not in ("call", "arguments")]
    bounds = [one for one in every if one.code.isupper() and (set(one.words) & said or set(one.words) & _BOUNDS)]
    numeric = [one for one in every if not one.uses & {"items", "iterated", "text"} and one.origin != "arguments"]
    plain = [one for one in numeric if not one.code.isupper()]
    sized = [one for one in every if one.uses & _COUNTED and not one.code.isupper()]
    for one in single[:16]:
        for two in holders[:14]:
            if one is not two and not one.code.startswith(two.code) and not two.code.startswith(one.code + "."):
                yield Candidate(Test("not_in", one.code, two.code), one, two)
                yield Candidate(Test("in", one.code, two.code), one, two)
    for two in bounds[:4]:
        for one in plain[:12]:
            for kind in ("lt", "le", "gt", "ge"):
                yield Candidate(Test(kind, one.code, two.code), one, two)
        for one in sized[:8]:
            for kind in ("few", "many", "full", "same_length", "other_length"):
                yield Candidate(Test(kind, one.code, two.code), one, two)
    count = 0
    for one in plain:
        for two in numeric:
            near = bool(set(one.words) & said) + bool(set(two.words) & said)
            alike = one.words[-1:] == two.words[-1:]
            both = one.origin in ("parameter", "round") and two.origin in ("parameter", "own", "module", "attribute", "round")
            if one is two or not (near == 2 or (near and (alike or both)) or (alike and both)):
                continue
            count += 1
            for kind in ("lt", "le", "gt", "ge", "eq", "ne"):
                yield Candidate(Test(kind, one.code, two.code), one, two)
            if count > 16:
                break
        if count > 16:
            break
    for one, two in [(a, b) for a in single[:10] for b in single[:10] if a.origin in ("round", "parameter") and b.origin in ("round", "parameter")]:
        if single.index(one) < single.index(two):
            yield Candidate(Test("eq", one.code, two.code), one, two)
            yield Candidate(Test("ne", one.code, two.code), one, two)
    for one in sized[:8]:
        for two in numeric[:10]:
            if one is not two and (set(two.words) & said or two.origin in ("parameter", "own")):
                for kind in ("few", "many", "full", "same_length", "other_length"):
                    yield Candidate(Test(kind, one.code, two.code), one, two)
        for two in sized[:8]:
            if one is not two and "len" not in two.code:
                yield Candidate(Test("other_length", one.code, f"len({two.code})"), one, two)
                yield Candidate(Test("few", one.code, f"len({two.code})"), one, two)


_HELD = frozenset(("container", "subscripted", "items", "iterated", "many"))
_COUNTED = frozenset(("items", "measured", "many", "iterated", "text", "subscripted"))
_BOUNDS = frozenset(("max", "min", "limit", "most", "least"))
