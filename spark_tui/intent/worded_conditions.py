"""Conditions whose words name no expression: found by what can fail there, and by the names they share."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from spark_tui.codemods.negation import opposite
from spark_tui.intent import conditions, phrases
from spark_tui.intent.anchors import Anchor, parsed
from spark_tui.intent.contained_texts import of_text
from spark_tui.intent.context import Context
from spark_tui.intent.failing_expressions import Failure, failures, own_nodes
from spark_tui.intent.names import key
from spark_tui.intent.optional_values import is_match, optional
from spark_tui.intent.phrases import without_articles
from spark_tui.intent.readings import Span
from spark_tui.intent.said_words import (
    errors_said,
    kinds_said,
    lines_said,
    plain,
    shared,
    table,
)
from spark_tui.intent.situation import Option
from spark_tui.intent.text_comparisons import texts_stand
from spark_tui.intent.visible import pattern_of
from spark_tui.intent.walking import walk
from spark_tui.pysource.source import Function, Source

_ABSENT = ("KeyError", "AttributeError", "FileNotFoundError")
_EMPTY = ("IndexError", "ZeroDivisionError", "StatisticsError")
_PUT = ("append", "add", "insert", "appendleft", "setdefault")
_SIGN = re.compile(r"[^\w\s\"'\\]{1,3}_?|_[^\w\s\"'\\]{1,2}")
_FEW, _SAID, _MOST = 0.3, 0.9, 3
_ON_LINE = 4.0


@dataclass(frozen=True, eq=False)
class CodeAt:
    context: Context
    source: Source
    root: ast.AST

    @property
    def failures(self) -> list[Failure]:
        return failures(self.source, self.root)


def place_of(context: Context, anchor: Anchor) -> CodeAt | None:
    node = anchor.node
    if node is None or anchor.path not in context.repo.index.paths:
        return None
    return CodeAt(context, context.source(anchor.path), node)


def worded(context: Context, span: Span, anchor: Anchor) -> list[Option]:
    """What a condition means whose words are not those of the code."""
    at = place_of(context, anchor)
    if at is None:
        return []
    return in_names(context, span, anchor) or _unmatched(at, span.text) or _of_failures(at, span.text)


def in_names(context: Context, span: Span, anchor: Anchor) -> list[Option]:
    """What a condition means that names things by calls, pieces, members and signs."""
    at = place_of(context, anchor)
    if at is None:
        return []
    visible = context.visible(anchor.path, anchor.node)
    found = conditions.parse(span.text, naming(at, visible.expression))
    codes = [of_text(one.code, at.root) for one in found if texts_stand(one.code, span.text, at.source)]
    return [Option(codes[0], _SAID)] if codes and codes[0] else []


def rather_there(context: Context, span: Span, anchor: Anchor, known: list[Option]) -> list[Option]:
    """In front of tests for None: that a key or file is not there, or that something is there already, where
    the words say so and the value is none that may be None."""
    at = place_of(context, anchor)
    subject = re.fullmatch(r"(\w+) is (not )?None", known[0].text) if known else None
    if at is None or subject is None or re.search(r"(?<!\w)(?:None|null)(?!\w)", span.text):
        return known
    kinds, wanted = kinds_said(span.text), subject[1]
    fits: Iterable[Failure]
    if subject[2]:
        fits = _put_there(at) if "present" in kinds else ()
    else:
        fits = at.failures if "absent" in kinds and wanted not in optional(at.source, at.root) else ()
    there = [one for one in fits if _is_about(one, wanted, span.text)]
    return (
        [*(Option(one.condition) for one in there[:1]), *(Option(known[0].text, _FEW),)] if there else known
    )


def _is_about(one: Failure, name: str, text: str) -> bool:
    """Whether a key of that name is looked for or put there, or the words say that a file is."""
    if "FileNotFoundError" in one.errors:
        return phrases.mentions("paths", text)
    return (not one.errors or "KeyError" in one.errors) and ast.unparse(one.about[0]) == name


def of_object(context: Context, anchor: Anchor, known: list[Option]) -> list[Option]:
    """What is said of the class around a method is said of its object: `the account is frozen`."""
    owner = context.source(anchor.path).class_of(anchor.node) if isinstance(anchor.node, Function) else None
    out = []
    for one in known:
        found = re.fullmatch(r"(\w+) (==|!=) (.+)", one.text)
        if found is None or owner is None or found[1] != owner.name:
            out.append(one)
        elif code := _state(owner, found[3]) or (found[3] if found[3].startswith("self.") else ""):
            negated = opposite(code) if found[2] == "!=" else code
            out.append(Option(negated, one.weight, one.doubts))
    return out


def _state(owner: ast.ClassDef, said: str) -> str:
    """The comparison of an attribute with a member or text of that name, as the class makes it elsewhere."""
    wanted = key(said.rpartition(".")[2].strip("'\""))
    for one in walk(owner):
        if not isinstance(one, ast.Compare) or not isinstance(
            one.ops[0], ast.Eq | ast.NotEq | ast.Is | ast.IsNot
        ):
            continue
        right = one.comparators[0]
        name = right.value if isinstance(right, ast.Constant) else getattr(right, "attr", "")
        if isinstance(name, str) and key(name) == wanted and ast.unparse(one.left).startswith("self."):
            return f"{ast.unparse(one.left)} == {ast.unparse(right)}"
    return ""


# -- what words name -----------------------------------------------------------------------------------


def naming(at: CodeAt, inner: Callable[[str], str | None]) -> Callable[[str], str | None]:
    """What words name in the code, also by the call that gave a value, or as the pieces of a text."""

    def expression(text: str) -> str | None:
        bare = without_articles(plain(text).strip(" .,:;"))
        known = inner(text) or _given_by(at, bare) or _pieces(at, bare) or _character(bare) or _size(bare)
        return known or _entry(at, bare) or _member(at, text.strip(" `")) or _sign(text)

    def _size(text: str) -> str | None:
        forms = (pattern_of(one).fullmatch(text) for one in phrases.table()["subjects"]["len({x})"])
        counted = next((expression(one["x"]) for one in forms if one is not None), None)
        return f"len({counted})" if counted is not None else None

    return expression


def _given_by(at: CodeAt, text: str) -> str | None:
    """The one variable that is set from a call of that name: `recv`, `the result of load`."""
    wanted = key(text.rpartition(" of ")[2].removesuffix("()"))
    found = set()
    for node, target in _assigned(at.root):
        called = node.func if isinstance(node, ast.Call) else None
        last = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if last and key(last) == wanted:
            found.add(ast.unparse(target))
    return found.pop() if len(found) == 1 else None


def _assigned(root: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The values that names are set to, with the names."""
    for one in own_nodes(root):
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name):
            yield one.value, one.targets[0]


def _pieces(at: CodeAt, text: str) -> str | None:
    """The one sequence whose items are taken by number, where a text says `fields` or `columns`."""
    if text not in table()["pieces"]["plain"]:
        return None
    taken = {
        ast.unparse(one.about[0])
        for one in at.failures
        if "IndexError" in one.errors and len(one.about) == 1 and isinstance(one.node, ast.Subscript)
    }
    return taken.pop() if len(taken) == 1 else None


def _entry(at: CodeAt, word: str) -> str | None:
    """The one entry of a dictionary that is asked for there by that key: `data["action"]`."""
    found: dict[str, str] = {}
    for node in own_nodes(at.root):
        asked: ast.AST | None = None
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            asked = node.slice
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            asked = node.args[0] if node.args else None
        if isinstance(asked, ast.Constant) and isinstance(asked.value, str) and key(asked.value) == key(word):
            found[ast.unparse(node)] = at.source.segment(node)
    return next(iter(found.values())) if len(found) == 1 else None


def _member(at: CodeAt, name: str) -> str | None:
    """The member of the one class of the file that has a constant of that name."""
    if not name.isidentifier() or not name.isupper() or at.source.tree is None:
        return None
    owners = {
        owner.name
        for owner in walk(at.source.tree)
        if isinstance(owner, ast.ClassDef)
        for one in owner.body
        if isinstance(one, ast.Assign) and any(ast.unparse(each) == name for each in one.targets)
    }
    return f"{owners.pop()}.{name}" if len(owners) == 1 else None


def _sign(text: str) -> str | None:
    """The string of some punctuation that stands by itself: `//`, `._`."""
    found = _SIGN.fullmatch(text.strip(" `"))
    return f'"{found[0]}"' if found is not None else None


def _character(text: str) -> str | None:
    """The string of a character that is said in words."""
    found = (sign for sign, said in table()["characters"].items() if text in said)
    sign = next(found, None)
    return repr(sign).replace("'", '"') if sign is not None else None


# -- what can fail -------------------------------------------------------------------------------------


def _unmatched(at: CodeAt, text: str) -> list[Option]:
    """That a regular expression found nothing."""
    if "unmatched" not in kinds_said(text):
        return []
    found = {ast.unparse(target) for value, target in _assigned(at.root) if is_match(value)}
    return [Option(f"{found.pop()} is None")] if len(found) == 1 else []


def _of_failures(at: CodeAt, text: str) -> list[Option]:
    """The conditions under which something there fails, or is there already, that a text may be about."""
    kinds, errors, lines = kinds_said(text), errors_said(at.context), lines_said(at.context)
    of_file = phrases.mentions("paths", text)
    scored: list[tuple[float, int, Failure]] = []
    for one in (*at.failures, *_put_there(at), *_asked_of_none(at)):
        told = bool(errors & set(one.errors))
        fits = _fits(one, kinds)
        if not (told if errors else fits) or (not told and "present" in kinds and one.errors):
            continue
        common = shared(text, *one.about) + ("FileNotFoundError" in one.errors and of_file)
        if common or errors or at.context.named:
            here = _ON_LINE if getattr(one.node, "lineno", 0) in lines else 1.0
            scored.append((one.weight * here * (1 + 2 * common + fits), common, one))
    if "empty" not in kinds:
        scored = [each for each in scored if not _is_less(each[2], [one for _, _, one in scored])]
    scored.sort(key=lambda each: -each[0])
    scored = [
        each
        for at_, each in enumerate(scored)
        if each[2].condition not in {one.condition for _, _, one in scored[:at_]}
    ]
    if not errors and len(scored) > 1:
        scored = [each for each in scored if each[1]]  # nothing else tells which one is meant
    out = []
    alone = len(scored) == 1
    for score, common, one in scored[:_MOST]:
        clear = common and (alone or score > 1.3 * scored[1][0])
        doubts = () if clear else (f"{one.condition} was taken from what can fail there",)
        out.append(
            Option(one.condition, 0.9 * score / scored[0][0] if score < scored[0][0] else 0.95, doubts)
        )
    return out


def _is_less(one: Failure, every: list[Failure]) -> bool:
    """Whether another failure asks for more items of the same sequence."""
    if "IndexError" not in one.errors or len(one.about) > 1:
        return False
    size = re.search(r"< (\d+)\Z", one.condition)
    same = (each for each in every if ast.unparse(each.about[0]) == ast.unparse(one.about[0]))
    found = [re.search(r"< (\d+)\Z", each.condition) for each in same]
    return any(each is not None and int(each[1]) > (int(size[1]) if size else 1) for each in found)


def _fits(one: Failure, kinds: frozenset[str]) -> bool:
    """Whether a failure is of the kind that a condition says."""
    if not one.errors:
        return "present" in kinds
    absent = any(error in _ABSENT for error in one.errors) or " not in " in one.condition
    empty = any(error in _EMPTY for error in one.errors) and ">=" not in one.condition
    return ("absent" in kinds and absent) or ("empty" in kinds and empty)


def _asked_of_none(at: CodeAt) -> Iterator[Failure]:
    """What is compared or reckoned with is None, where the message of an error tells of one that is."""
    if "nonetype" not in at.context.situation.instruction.lower():
        return
    for node in own_nodes(at.root):
        sides = [node.left, node.right] if isinstance(node, ast.BinOp) else []
        if isinstance(node, ast.Compare) and not isinstance(node.ops[0], ast.Is | ast.IsNot):
            sides = [node.left, *node.comparators]
        for one in sides:
            if isinstance(one, ast.Name | ast.Attribute) and not ast.unparse(one).isupper():
                yield Failure(("TypeError",), f"{ast.unparse(one)} is None", node, (one,), 0.9)


def _put_there(at: CodeAt) -> Iterator[Failure]:
    """What is put into something is in it already."""
    for node in own_nodes(at.root):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _PUT:
            given, owner = node.args[-1:], node.func.value
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            given, owner = [node.slice], node.value
        else:
            continue
        if given and isinstance(given[0], ast.Name | ast.Attribute):
            code = f"{ast.unparse(given[0])} in {ast.unparse(owner)}"
            yield Failure((), code, node, (given[0], owner))


def tests_of(condition: str) -> list[str]:
    """The parts of a condition that are joined by `or`, as they are written out."""
    tree = parsed(condition)
    parts = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.Or) else [tree]
    return [ast.unparse(one) for one in parts if one is not None]


def needing(context: Context, anchor: Anchor, condition: str) -> ast.AST | None:
    """The first expression that fails where a condition holds."""
    at = place_of(context, anchor)
    if at is None:
        return None
    wanted = {ast.unparse(one) for text in tests_of(condition) if (one := parsed(text)) is not None}
    found = (one.node for one in (*at.failures, *_put_there(at)) if one.condition in wanted)
    return next(found, None)


def names_of(node: ast.AST) -> set[str]:
    return {one.id for one in walk(node) if isinstance(one, ast.Name)}
