"""Edits of expressions and statements that provably mean what they should.

An expression is replaced together with a comparison of trees: the file must parse to the old tree with
exactly that node exchanged. Statements are fitted to the indentation and the line endings of their file.
"""

from __future__ import annotations

import ast
import re
import textwrap
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from spark_tui.codemods.checks.harm import check
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed, Why, edited
from spark_tui.pysource.names.type_hints import names_within
from spark_tui.pysource.names.undefined import undefined
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source, Span
from spark_tui.pysource.syntax.parsing import parse, parse_expression
from spark_tui.pysource.syntax.tokens import comments_and_strings
from spark_tui.pysource.tree_comparison import changed_statements

SILENT = frozenset(("ctx", "type_comment", "kind", "type_params"))
DIRECTIVE = re.compile(
    r"#\s*(?:type:|noqa|pragma|pylint|fmt:|isort|mypy|pyright|ruff|!|-\*-|.*?coding[:=]|nosec|nopep8|yapf:"
    r"|flake8|doctest:|cython:|distutils:|cspell|codespell|NOSONAR|autopep8|pyre-|pytype:|lint:|///)"
)
"""Comments that tools read."""
OF_LINTER = re.compile(
    r"#\s*(?:noqa(?::\s*[A-Z]+\d+(?:[,\s]+[A-Z]+\d+)*)?|pylint:\s*disable=[\w-]+(?:\s*,\s*[\w-]+)*)\s*",
    re.IGNORECASE,
)
_F_START = getattr(tokenize, "FSTRING_START", -1)
_F_END = getattr(tokenize, "FSTRING_END", -1)
_BREAK = re.compile(r"[\r\n]")


def is_none(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def read_expression(text: str) -> ast.expr:
    """The tree of an expression; raises where it is none."""
    tree = parse_expression(text)
    made_by_brackets = isinstance(tree, ast.Tuple) and not text.strip().startswith("(") and "," not in text
    if tree is None or made_by_brackets:
        raise Refusal(f"{text!r} is not a valid expression")
    return tree


def read_statements(text: str) -> Source:
    """The source of some statements, indented or not; raises where they do not parse."""
    source = Source(text.replace("\r\n", "\n").strip("\n") + "\n")
    if source.tree is None and text[:1].isspace():
        source = Source(textwrap.dedent(text.replace("\r\n", "\n")).strip("\n") + "\n")
    if source.tree is None:
        # `return` and `continue` parse outside of functions; only broken code ends here.
        raise Refusal(f"{text!r} is not code: {source.error}")
    return source


def is_same_tree(old: object, new: object, swaps: Mapping[ast.AST, ast.AST] | None = None) -> bool:
    """Whether two trees are equal, where nodes of the old one may stand for others."""
    if isinstance(old, ast.AST):
        if swaps and old in swaps:
            return is_same_tree(swaps[old], new)
        if type(old) is not type(new):
            return False
        return all(
            is_same_tree(getattr(old, field, None), getattr(new, field, None), swaps)
            for field in old._fields
            if field not in SILENT
        )
    if isinstance(old, list):
        if not isinstance(new, list) or len(old) != len(new):
            return False
        return all(is_same_tree(one, two, swaps) for one, two in zip(old, new, strict=True))
    return type(old) is type(new) and old == new


def why_there(statements: str, there: list[ast.stmt]) -> Why:
    """Why statements cannot be added where there are some: they may be the same."""
    return "nothing" if is_same_tree(read_statements(statements).body, there) else "unfit"


def parses_to(source: Source, edits: Iterable[Edit], swaps: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether the edited text parses to the old tree with these nodes exchanged. What stays as it is written
    is the same outside of them."""
    after = Source(edited(source.text, edits))
    if after.tree is None or source.tree is None:
        return False
    old, new = changed_statements(source, after)
    kept = set(map(id, source.body)) - set(map(id, old))
    if any(id(one) in kept for node in swaps for one in (node, *source.ancestors(node))):
        return is_same_tree(source.tree, after.tree, swaps)
    return is_same_tree(old, new, swaps)


def swap_expression(source: Source, node: ast.expr, text: str) -> Edit:
    """Put another expression in the place of one, in brackets where it needs them."""
    new = read_expression(text)
    for edit in _swaps(source, node, new, text):
        if (later := _LATER.get()) is not None:
            later.swaps.setdefault(source, []).append((edit, node, new))
            return edit
        if parses_to(source, [edit], {node: new}):
            return edit
    raise Refusal(f"line {node.lineno}: {text} does not fit there")


def swap_expressions(source: Source, nodes: Sequence[ast.expr], text: str) -> list[Edit]:
    """The same for several, checked together: each alone is a look at all of its statement."""
    new = read_expression(text)
    edits = [next(_swaps(source, node, new, text)) for node in nodes]
    if len(nodes) > 1 and parses_to(source, edits, dict.fromkeys(nodes, new)):
        return edits
    return [swap_expression(source, node, text) for node in nodes]


def _swaps(source: Source, node: ast.expr, new: ast.expr, text: str) -> Iterator[Edit]:
    """The edits that may put an expression in the place of another, the smallest first."""
    low, high = source.span(node)
    if low < 0:
        raise Refusal(f"line {node.lineno}: the place inside a string cannot be edited exactly")
    if is_same_tree(node, new):
        raise Refusal(f"{text} is already there", why="nothing")
    if (smaller := _other_attribute(source, node, new)) is not None:
        yield smaller
    shown = convert_line_endings(source, text.strip())
    if any(item not in shown for item in comments_in(source, low, high)):
        raise Refusal(f"line {node.lineno}: there is a comment inside {source.segment(node).splitlines()[0]}")
    yield Edit(source.path, low, high, shown)
    yield Edit(source.path, low, high, f"({shown})")


def _other_attribute(source: Source, node: ast.expr, new: ast.expr) -> Edit | None:
    """The same where only the name of an attribute differs: the rest stays as it is written. None where more
    does."""
    old_part, new_part = node, new
    while True:
        match old_part, new_part:
            case ast.Attribute(), ast.Attribute() if is_same_tree(old_part.value, new_part.value):
                end = source.span(old_part)[1]
                return Edit(source.path, end - len(old_part.attr), end, new_part.attr)
            case ast.Attribute(), ast.Attribute() if old_part.attr == new_part.attr:
                old_part, new_part = old_part.value, new_part.value
            case ast.Call(), ast.Call() if _same_arguments(old_part, new_part):
                old_part, new_part = old_part.func, new_part.func
            case _:
                return None


def _same_arguments(old: ast.Call, new: ast.Call) -> bool:
    return is_same_tree(old.args, new.args) and is_same_tree(old.keywords, new.keywords)


def replace_lines(source: Source, first: int, last: int, text: str) -> Edit:
    """Put whole lines in the place of others. A file that ends without a line ending still does."""
    low, high = source.line_span(first, last)
    if not source.text[low:high].endswith(("\n", "\r")):
        text = text.removesuffix(source.newline)
    return Edit(source.path, low, high, text)


def one_line(source: Source, node: ast.expr | None) -> str:
    """The text of an expression on one line, as it is written if that is one; empty for None."""
    text = source.segment(node) if node is not None else ""
    return ast.unparse(node) if node is not None and "\n" in text else text


def comments_in(source: Source, low: int, high: int) -> list[str]:
    return [comment.text for comment in source.comments if low <= comment.span[0] < high]


def convert_line_endings(source: Source, text: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", source.newline)


def indent_statements(source: Source, code: str, indent: str) -> str:
    """Statements as lines of a file, at an indentation; the insides of strings stay as they are."""
    return reindent(read_statements(code), source, indent)


def reindent(part: Source, into: Source, indent: str, base: str = "") -> str:
    """All lines of a source, moved from the indentation `base` to `indent` of another file."""
    inside = string_lines(part)
    unit, wanted = part.indent_unit, into.indent_unit
    out = []
    for at, line in enumerate(part.lines):
        body = line.rstrip("\r\n")
        if at in inside:
            out.append(body + into.newline)
            continue
        text = body.lstrip(" \t")
        lead = body[: len(body) - len(text)].removeprefix(base)
        depth = 0
        while unit != wanted and lead.startswith(unit):
            lead, depth = lead[len(unit) :], depth + 1
        out.append((indent + wanted * depth + lead + text if text else "") + into.newline)
    return "".join(out)


def string_spans(source: Source) -> Iterator[Span]:
    """The places of the string tokens, of f-strings as a whole."""
    opened: list[int] = []
    for token in source.tokens:
        if token.kind == _F_START:
            opened.append(token.span[0])
        elif token.kind == _F_END and opened:
            start = opened.pop()
            if not opened:
                yield start, token.span[1]
        elif token.kind == tokenize.STRING and not opened:
            yield token.span


def string_lines(source: Source) -> set[int]:
    """The lines that begin inside of a string."""
    found = comments_and_strings(source.text) if source.tree is not None else None
    spans = string_spans(source) if found is None else (one.span() for one in found if _BREAK.search(one[0]))
    lines = ([source.position(at)[0] + 1 for at in span] for span in spans)
    return {line for first, last in lines for line in range(first, last)}


@dataclass
class LaterChecks:
    """What is left to check of plans that are made for one repository and checked together."""

    given: set[str] = field(default_factory=set)
    harm: bool = False
    swaps: dict[Source, list[tuple[Edit, ast.expr, ast.expr]]] = field(default_factory=dict)

    def fit(self) -> bool:
        """Whether the files parse to the old trees with all nodes exchanged."""
        return all(
            parses_to(source, [edit for edit, _, _ in swaps], {old: new for _, old, new in swaps})
            for source, swaps in self.swaps.items()
        )


_LATER: ContextVar[LaterChecks | None] = ContextVar("_LATER", default=None)


@contextmanager
def checked_later() -> Iterator[LaterChecks]:
    """Make plans without the checks of the files that they give, which take as long as the file is."""
    later = LaterChecks()
    token = _LATER.set(later)
    try:
        yield later
    finally:
        _LATER.reset(token)


def plan_edits(
    repo: Repository,
    edits: Sequence[Edit],
    unfollowed: Iterable[Unfollowed] = (),
    *,
    given: Iterable[str] = (),
) -> Plan:
    """The plan of some edits. Refuses what changes nothing, would not compile, or leaves a name undefined.

    Names of `given`, which stand in what a person wrote, may be undefined: the checks name them.
    """
    plan = Plan(tuple(sorted(set(merge_insertions(edits)))), tuple(sorted(set(unfollowed))))
    try:
        texts = plan.texts(repo)
    except ValueError:
        raise Refusal("the edits touch each other") from None
    if all(repo.index.text(path) == text for path, text in texts.items()):
        raise Refusal("nothing would change", why="nothing")
    if (later := _LATER.get()) is not None:
        later.given.update(given)
        return plan
    after = repo.with_changes(texts)
    for path in texts:
        if path not in after.index.modules.paths:
            continue
        source = after.index.source(path)
        if source.tree is None:
            raise Refusal(f"{path} would not parse: {_syntax_error(source.error)}")
        for harm in check(repo, after, [path], ("parses",)):
            raise Refusal(f"{path}:{harm.line} {harm.reason}")
        known = {occurrence.name for occurrence in undefined(repo.index.scopes(path))} | set(given)
        if path in repo.index.paths and repo.index.source(path).tree is None:
            known |= set(re.findall(r"\w+", repo.index.text(path) or ""))
        for item in undefined(after.index.scopes(path)):
            if item.name not in known:
                raise Refusal(f"{item.name} would be undefined in {path}")
    return plan


def _syntax_error(error: Exception | None) -> str:
    """What Python says of a text, with its line; the error's own words would name a file that is none."""
    return f"{error.msg}, line {error.lineno}" if isinstance(error, SyntaxError) else str(error)


def merge_insertions(edits: Sequence[Edit]) -> list[Edit]:
    """The edits with insertions at one place made one, in their order."""
    out: dict[tuple[str, int, object], Edit] = {}
    for at, one in enumerate(dict.fromkeys(edits)):
        key = (one.path, one.start, None if one.start == one.end else at)
        known = out.get(key)
        out[key] = one if known is None else Edit(one.path, one.start, one.end, known.new + one.new)
    return list(out.values())


_KINDS_OF_HARM = ("parses", "importers", "members", "duplicates", "calls")


def refuse_harm(repo: Repository, plan: Plan) -> Plan:
    """The plan, where its files compile and nothing else in the repository needs what it takes away."""
    if (later := _LATER.get()) is not None:
        later.harm = True
        return plan
    found = check(repo, repo.with_changes(plan.texts(repo)), plan.paths, _KINDS_OF_HARM)
    harm = [item for item in found if item.sure]
    if harm:
        raise Refusal(f"{harm[0].path}:{harm[0].line} {harm[0].reason}")
    return plan


def names_in(*texts: str) -> set[str]:
    """The names that stand in expressions or statements."""
    return names_within(*(tree for tree in map(parse, texts) if tree is not None))


def refuse_taken_builtin(repo: Repository, source: Source, node: ast.AST, name: str) -> None:
    """Refuse where the name of a builtin means something of the file."""
    scopes = repo.index.scopes(source.path)
    if scopes.lookup(name, scopes.of_function(node)) is not None:
        raise Refusal(f"{name} means something else there")


def refuse_lost_comments(source: Source, edits: Iterable[Edit]) -> None:
    """Refuse where a comment of the replaced text does not stand in the new one as often; what tells a linter
    about the line that goes may go with it."""
    for edit in edits:
        if lost := lost_comments(source, edit):
            line = source.line_number(edit.start)
            raise Refusal(f"{source.path}:{line}: the comment {lost[0]!r} would be lost")


def lost_comments(source: Source, edit: Edit) -> list[str]:
    """The comments of the replaced text that the new one lacks, each as often as it does."""
    comments = Counter(comments_in(source, edit.start, edit.end)).items()
    kept = [(one, n - edit.new.count(one)) for one, n in comments if not OF_LINTER.fullmatch(one)]
    return [one for one, lacking in kept for _ in range(lacking)]
