"""Messages and values that a change replaces and a test still expects: `match="no key"` of a raised text,
`timeout is None` of a default."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator

from spark_tui.codemods.docstrings import find_default
from spark_tui.codemods.plan import Finding
from spark_tui.pysource.calls.signatures import Signature, defaults, fit
from spark_tui.pysource.modules import is_test_file
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.parsing import is_text, statements_below, targets, text_in
from spark_tui.pysource.syntax.walking import find_nodes, walk, walk_each
from spark_tui.pysource.tree_comparison import changed_members

_PATTERN = re.compile(r"\\.|[.*+?()\[\]{}^$|]+")
"""What a regular expression has beside plain text."""
_WORD = re.compile(r"[A-Za-z_]\w+")
_EXAMPLE = re.compile(r"^ *>>> (.*(?:\n *\.\.\. ?.*)*)", re.MULTILINE)
_GOES_ON = re.compile(r"\n *\.\.\. ?")
_OPERATORS = (ast.operator, ast.cmpop)
_SAME: dict[type[ast.AST], type[ast.AST]] = {ast.Is: ast.Eq, ast.IsNot: ast.NotEq}
_LEAST = 6
_Literals = dict[str, list[ast.Constant]]


def tested_literals(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says which tests expect a text or value that a change of other files takes away."""
    for path in paths:
        if is_test_file(path) or not before.has(path) or not after.has(path):
            continue
        _, gone, come = changed_members(before.index.source(path), after.index.source(path))
        lost = set(filter(_is_message, _texts(gone) - _texts(come)))
        if lost:
            there = set(filter(_is_message, _texts(after.index.source(path).body)))
            left = {text for pieces in there for text in pieces}
            for pieces in lost - there:
                yield from _expected_texts(after, pieces, left)
        yield from _shown_by_example(before.index.source(path), after.index.source(path))
        new = _values(come)
        for name, literals in _values(gone).items():
            if len(literals) == len(new.get(name, ())) == 1 and not _same(literals[0], new[name][0]):
                yield from _expected_values(after, name, literals[0])


def _shown_by_example(before: Source, after: Source) -> Iterator[Finding]:
    """The functions that have another default or another value in their code now, of which an example in a
    docstring of the file shows what they give."""
    was, has_examples = {before.qualname(one): one for one in before.functions}, ">>> " in after.text
    for one in after.functions:
        known = was.get(after.qualname(one))
        had = defaults(known) if known is not None else {}
        given = defaults(one).items() if had else ()
        changed = [name for name, value in given if name in had and ast.dump(value) != ast.dump(had[name])]
        differs = known is not None and has_examples and _gives_other(known, one)
        owner = after.class_of(one) if had or differs else None
        word = owner.name if owner is not None and one.name == "__init__" else one.name
        near = (owner, *owner.body) if owner is not None and word == one.name else after.definitions
        calls = [
            (at, call) for at in (after.tree, *near) if changed or differs for call in _examples(at, word)
        ]
        signature = Signature.of(one) if owner is None else Signature.of(one).bound()
        for name in changed:
            left = (at for at, call in calls if name not in fit(signature, call).arguments)
            for where in {"its docstring" if at is one else "another docstring" for at in left}:
                reason = f"an example in {where} calls {word} without {name}"
                yield Finding(after.path, one.lineno, "tested literals", reason, sure=False)
        for where in {"its docstring" if at is one else "another docstring" for at, _ in calls if differs}:
            reason = f"an example in {where} may show that {word} gives something else"
            yield Finding(after.path, one.lineno, "tested literals", reason, sure=False)
        lost = [name for name in had if name in changed or name not in defaults(one)]
        texts = [_docstring(at) for at in (one, owner if word != one.name else None)] if lost else []
        for name in lost:
            if any(find_default(text, name, had[name]) for text in texts):
                reason = f"the docstring says that {name} is {ast.unparse(had[name])} by default"
                yield Finding(after.path, one.lineno, "tested literals", reason, sure=False)


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


def _examples(node: ast.AST | None, word: str) -> list[ast.Call]:
    """The calls of what has that name in the examples of a docstring."""
    shown = _EXAMPLE.findall(_docstring(node))
    codes = [_GOES_ON.sub("\n", code) for code in shown if word in code]
    trees = (Source(code).tree or Source(f"{code} pass").tree for code in codes)
    nodes = (part for tree in trees for part in walk(tree))
    return [one for one in nodes if isinstance(one, ast.Call) and last_name(one.func) == word]


def _docstring(node: ast.AST | None) -> str:
    text = ast.get_docstring(node) if isinstance(node, ast.Module | ast.ClassDef | Function) else None
    return text or ""


def _texts(statements: Iterable[ast.stmt]) -> set[tuple[str, ...]]:
    """The texts in some code, each by what stands between its fields."""
    out: set[tuple[str, ...]] = set()
    for node in walk_each(statements):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            out.add((node.value,))
        elif isinstance(node, ast.JoinedStr):
            out.add(tuple(text_in(part) for part in node.values))
    return out


def _is_message(pieces: Iterable[str]) -> bool:
    """Whether a text has several words."""
    return len(_WORD.findall(" ".join(pieces))) > 1


def _expected_texts(after: Repository, pieces: tuple[str, ...], left: Collection[str]) -> Iterator[Finding]:
    words = _WORD.findall(" ".join(pieces))
    made = re.compile(".*".join(map(re.escape, pieces)), re.DOTALL)
    for where in after.index.files_with(max(words, key=len)):
        for node in walk(after.index.source(where).tree) if is_test_file(where) else ():
            expected = text_in(node)
            plain = [part for part in _PATTERN.split(expected) if len(part) >= _LEAST and " " in part.strip()]
            whole = len(expected) >= _LEAST and made.search(expected)
            if not whole and not any(part in piece for part in plain for piece in pieces):
                continue
            if not any(part in text for part in [expected, *plain] for text in left):
                reason = f"expects the text {expected!r}"
                yield Finding(where, getattr(node, "lineno", 0), "tested literals", reason, sure=False)


def _values(statements: list[ast.stmt]) -> _Literals:
    """The literals that are defaults, or the values of names, by name."""
    out: _Literals = {}
    for node in statements_below(ast.Module(statements, [])):
        given: dict[str, ast.expr | None] = {}
        if isinstance(node, Function):
            given = dict(defaults(node))
        elif isinstance(node, ast.Assign | ast.AnnAssign) and len(targets(node)) == 1:
            given = {last_name(targets(node)[0]): node.value}
        for name, value in given.items():
            if name and isinstance(value, ast.Constant):
                out.setdefault(name, []).append(value)
    return out


def _expected_values(after: Repository, name: str, literal: ast.Constant) -> Iterator[Finding]:
    for where in after.index.files_with(name):
        if not is_test_file(where):
            continue
        source = after.index.source(where)
        for test in source.functions:
            if not _gives(source, test, name, literal):
                for node in ast.walk(test):
                    if _expects(node, name, literal):
                        reason = f"expects {name} to be {literal.value!r}"
                        line = getattr(node, "lineno", test.lineno)
                        yield Finding(where, line, "tested literals", reason, sure=False)


def _expects(node: ast.AST, name: str, literal: ast.Constant) -> bool:
    """Whether a test compares the name with the literal."""
    match node:
        case ast.Compare(left, [ast.Eq() | ast.Is()], [right]):
            sides = [left, right]
        case ast.Call(func, [left, right, *_]) if last_name(func) in ("assertEqual", "assertIs"):
            sides = [left, right]
        case ast.Call(func, [left, *_]) if last_name(func) == "assertIsNone":
            return last_name(left) == name and literal.value is None
        case _:
            return False
    return any(
        last_name(one) == name and isinstance(other, ast.Constant) and _same(other, literal)
        for one, other in (sides, sides[::-1])
    )


def _gives(source: Source, test: Function, name: str, literal: ast.Constant) -> bool:
    """Whether a test may set the name to the literal itself: it has it outside of what it compares."""
    for node in ast.walk(test):
        if isinstance(node, ast.keyword) and node.arg == name:
            return True
        if isinstance(node, ast.Constant) and _same(node, literal):
            around = [node, *source.ancestors(node)]
            if not any(_expects(one, name, literal) for one in around):
                return True
    return False


def _same(one: ast.Constant, two: ast.Constant) -> bool:
    return type(one.value) is type(two.value) and one.value == two.value
