"""What docstrings show of a function that gives something else now: in examples, or as a default."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from spark_tui.codemods.docstrings import find_default
from spark_tui.codemods.plan import Finding
from spark_tui.pysource.calls.signatures import Signature, defaults, fit
from spark_tui.pysource.modules import is_test_file
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.parsing import is_text
from spark_tui.pysource.syntax.walking import find_nodes, walk, walk_each

_EXAMPLE = re.compile(r"^ *>>> (.*(?:\n *\.\.\. ?.*)*)", re.MULTILINE)
_GOES_ON = re.compile(r"\n *\.\.\. ?")
_NAME = re.compile(r"\w+")
_OPERATORS = (ast.operator, ast.cmpop)
_SAME: dict[type[ast.AST], type[ast.AST]] = {ast.Is: ast.Eq, ast.IsNot: ast.NotEq}


def shown_examples(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says which docstrings of a changed file may not be true any more."""
    for path in paths:
        if not is_test_file(path) and before.has(path) and after.has(path):
            yield from _other_examples(before.index.source(path), after.index.source(path))


def _other_examples(before: Source, after: Source) -> Iterator[Finding]:
    """The functions that have another default or another value in their code now, of which an example in a
    docstring of the file shows what they give."""
    was = {before.qualname(one): one for one in before.functions}
    pairs = [(was[name], one) for one in after.functions if (name := after.qualname(one)) in was]
    pairs = [(old, one) for old, one in pairs if _lines(before, old) != _lines(after, one)]
    examples = _examples(after, {word for _, one in pairs for word in (one.name, _made(after, one))})
    for known, one in pairs:
        had, has, word = defaults(known), defaults(one), _made(after, one)
        lost = [name for name in had if name not in has or ast.dump(has[name]) != ast.dump(had[name])]
        owner, differs = after.class_of(one), word in examples and _gives_other(known, one)
        calls = examples.get(word, ()) if lost or differs else ()
        if owner is not None and word == one.name:
            near = (owner, after.tree)
            calls = [item for item in calls if item[0] in near or after.class_of(item[0]) is owner]
        signature = Signature.of(one) if owner is None else Signature.of(one).bound()
        reasons = [
            f"{_place(at, one)} may show that {word} gives something else" for at, _ in calls if differs
        ]
        for name in lost:
            left = (at for at, call in calls if name in has and name not in fit(signature, call).arguments)
            reasons += [f"{_place(at, one)} calls {word} without {name}" for at in left]
            places = (one, owner if word != one.name else None)
            if any(find_default(_docstring(at), name, had[name]) for at in places):
                reasons.append(f"the docstring says that {name} is {ast.unparse(had[name])} by default")
        for reason in dict.fromkeys(reasons):
            yield Finding(after.path, one.lineno, "shown examples", reason, sure=False)


def _made(source: Source, function: Function) -> str:
    """The name by which a function is called: of `__init__` that of the class."""
    owner = source.class_of(function) if function.name == "__init__" else None
    return owner.name if owner is not None else function.name


def _lines(source: Source, function: Function) -> list[str]:
    return list(source.lines[function.lineno - 1 : function.end_lineno])


def _place(at: ast.AST, function: Function) -> str:
    return f"an example in {'its' if at is function else 'another'} docstring"


def _gives_other(before: Function, after: Function) -> bool:
    """Whether the code of a function is as before but for some literals or operators."""
    old, new = map(_code_of, (before, after))
    return old != new and len(old) == len(new) and all(map(_alike, old, new))


def _code_of(function: Function) -> list[tuple[type[ast.AST], str]]:
    """The nodes of a function, and the values of its literals, without its docstring and its errors."""
    raised = {part for one in find_nodes(function, ast.Raise) for part in walk(one)}
    nodes = walk_each(one for one in function.body if not is_text(one))
    shown = ((node, repr(node.value) if isinstance(node, ast.Constant) else "") for node in nodes)
    return [(_SAME.get(type(node), type(node)), value) for node, value in shown if node not in raised]


def _alike(one: tuple[type[ast.AST], str], other: tuple[type[ast.AST], str]) -> bool:
    return one[0] is other[0] or all(issubclass(kind, _OPERATORS) for kind, _ in (one, other))


def _examples(source: Source, words: Collection[str]) -> dict[str, list[tuple[ast.AST, ast.Call]]]:
    """The calls of some names in the examples of the docstrings of a file, with what has the docstring."""
    out: dict[str, list[tuple[ast.AST, ast.Call]]] = {}
    if not words or ">>> " not in source.text or source.tree is None:
        return out
    for at in (source.tree, *source.definitions):
        shown = _EXAMPLE.findall(_docstring(at))
        codes = [_GOES_ON.sub("\n", code) for code in shown if not {*_NAME.findall(code)}.isdisjoint(words)]
        for tree in (Source(code).tree or Source(f"{code} pass").tree for code in codes):
            for call in find_nodes(tree, ast.Call):
                out.setdefault(last_name(call.func), []).append((at, call))
    return out


def _docstring(node: ast.AST | None) -> str:
    text = ast.get_docstring(node) if isinstance(node, ast.Module | ast.ClassDef | Function) else None
    return text or ""
