"""Finding what an instruction is about in the code: the handler, the call, the loop that it names. Code
that is quoted besides what fills the slots tells which of several places is meant."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from spark_tui.codemods.rewriting.edits import is_same_tree
from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.intent.context.areas import find_implied_areas
from spark_tui.intent.context.branches_said import places_in_branches
from spark_tui.intent.context.lookup import key, plain_name, split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Unresolved
from spark_tui.intent.words.doubts import Doubt, DoubtKind, is_of, places_fit
from spark_tui.intent.words.tokens import tokenize
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.parsing import parse_value
from spark_tui.pysource.syntax.walking import NodeT, walk

_LEAST_QUOTED = 6
"""How long a piece has to be to be told from others."""


@dataclass(frozen=True, eq=False)
class Anchor:
    """A node that an instruction may be about. `area` is where it was looked for."""

    area: Area
    node: ast.AST | None = None
    weight: float = 1.0
    doubts: tuple[str, ...] = ()
    words: dict[str, str] = field(default_factory=dict)
    """Further texts for the fields of a call."""
    last: ast.AST | None = None
    """The last of several statements."""
    extra: dict[str, ast.AST] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return self.area.path


@dataclass(frozen=True, eq=False)
class Search:
    """Where a finder looks: in `root`, a definition or a whole file. `slot` says what is looked for."""

    context: Context
    source: Source
    root: ast.AST
    slot: str


Finder = Callable[[Search], Iterator[Anchor]]
FINDERS: dict[str, Finder] = {}


def finder(function: Finder) -> Finder:
    FINDERS[function.__name__.removesuffix("_")] = function
    return function


def nodes(root: ast.AST | None, *kinds: type[NodeT]) -> list[NodeT]:
    """The nodes of some kinds in a definition or file, in the order of the text."""
    found = [node for node in walk(root) if isinstance(node, kinds)]
    return sorted(found, key=position)


def position(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def anchors(context: Context, name: str) -> list[Anchor]:
    """All that a finder finds: in what is named, else in the open file, the nearest first. Weights add up to
    at most 1."""
    found: list[Anchor] = []
    for area in context.areas:
        found += _in_area(context, name, area)
    slot = name.partition(":")[2]
    removes = context.reading.intent.startswith(("remove_", "delete_"))
    if not found and context.named and context.has(slot) and not context.has("file") and not removes:
        _refuse_done(context, name)
        # What is named may be where it is seen, and not where it stands.
        for area in find_implied_areas(context.situation):
            found += [
                replace(anchor, weight=anchor.weight * 0.3, doubts=(*anchor.doubts, elsewhere(context)))
                for anchor in _in_area(context, name, area)
            ]
    if not found and name in _TEXTS and not context.named:
        found = _in_other_file(context, name)
    if slot == "parameter" and context.has(slot) and not context.areas:
        found = _with_parameter(context, name)
    if slot == "parameter" and "default" in context.reading.intent:
        found = [anchor for anchor in found if _has_default(anchor)] or found
    found = _on_line(context, found)
    for chosen in (places_in_branches, places_shown):
        found = [found[at] for at in chosen(context, [(anchor.path, anchor.node) for anchor in found])]
    return weighted(context, found)


def _refuse_done(context: Context, name: str) -> None:
    """Where what is named has the new value in the place of the old one, it was replaced before; the old one
    may stand once, where it gets the name."""
    kind, _, slot = name.partition(":")
    new = next((one for one in _NEW if slot == "old" and context.has(one)), "")
    shown = "\n".join(ast.unparse(area.node) for area in context.named if area.node is not None)
    left = shown.count(context.text(slot)) > 1
    if new and not left and any(_in_area(context, f"{kind}:{new}", area) for area in context.named):
        raise Unresolved(f"{context.text(new)} is there already, and no {context.text(slot)}", nothing=True)


_NEW = ("new", "level", "value")


def functions_meant(context: Context) -> list[Anchor]:
    """The functions that are named; where none is, all of the file, of which what they do tells the one."""
    if context.named:
        return anchors(context, "function")
    return [
        Anchor(area, node)
        for area, source, root in context.trees()
        for node in source.functions
        if root is source.tree
    ]


_TEXTS, _LEAST_TEXT = frozenset(("string:old", "message:old")), 6
"""Finders of texts, and how long one has to be to be told from others in the whole repository."""


def _in_other_file(context: Context, name: str) -> list[Anchor]:
    """Where a text stands that the open file does not have, if that is one file alone."""
    text, index = context.text(name.partition(":")[2]).strip("'\""), context.repo.index
    if len(text) < _LEAST_TEXT or context.has("file"):
        return []
    paths = [path for path in index.paths if path.endswith(".py") and text in (index.text(path) or "")]
    doubt = Doubt(f"it was found in {paths[0] if paths else ''}, which is not open", DoubtKind.MEANT)
    if len(paths) != 1:
        return []
    return [
        replace(anchor, weight=0.5 * anchor.weight, doubts=(*anchor.doubts, doubt))
        for anchor in _in_area(context, name, Area(paths[0], said=False))
    ]


def elsewhere(context: Context) -> Doubt:
    """That what an instruction is about stands elsewhere than in what it names."""
    where = context.text("function") or context.text("class")
    return Doubt(f"it was found outside of {where}", DoubtKind.MEANT)


def _on_line(context: Context, found: list[Anchor]) -> list[Anchor]:
    """The anchors that begin on the line that is named, if there are any; else all."""
    situation = context.situation
    here = [
        anchor
        for anchor in found
        if anchor.path == situation.path and getattr(anchor.node, "lineno", 0) == situation.line
    ]
    return here or found


def _with_parameter(context: Context, name: str) -> list[Anchor]:
    """The functions of the repository with the parameter that is named, where no file is open or named."""
    wanted, index = plain_name(context.text("parameter")), context.repo.index
    spelled = {wanted, "_".join(split_name(wanted))}
    found: list[Anchor] = []
    preset: list[Anchor] = []
    for path in index.files_with(*spelled):
        if path.endswith(".pyi") and index.modules.twin(path):
            continue  # it says again what its module has
        made = _in_area(context, name, Area(path, said=False))
        found += [anchor for anchor in made if key(anchor.words["parameter"]) == key(wanted)]
        preset = (
            [anchor for anchor in found if _has_default(anchor)]
            if "default" in context.reading.intent
            else []
        )
        if len(preset) > _MOST_CHOSEN or len(found) > _MOST_LOOKED_AT:
            break
    found = preset or found
    if len(found) > _MOST_CHOSEN:
        known = [
            context.source(anchor.path).qualname(anchor.node) for anchor in found if anchor.node is not None
        ]
        shown = f"{', '.join(known[:_MOST_CHOSEN])} and others"
        raise Unresolved(f"several functions have {wanted}: {shown}; say which one is meant")
    return found


def _has_default(anchor: Anchor) -> bool:
    """Whether the parameter of a function has a default: of several such a one is meant by *its default*."""
    return (
        isinstance(anchor.node, Function) and default_of(anchor.node, anchor.words["parameter"]) is not None
    )


def _in_area(context: Context, name: str, area: Area) -> list[Anchor]:
    if area.path not in context.repo.index.paths:
        return []
    source = context.source(area.path)
    root = area.node or source.tree
    if root is None:
        return []
    out = []
    kind, _, slot = name.partition(":")
    for made in FINDERS[kind](Search(context, source, root, slot)):
        out.append(
            replace(made, area=area, weight=made.weight * area.weight, doubts=(*area.doubts, *made.doubts))
        )
    return out


def weighted(context: Context, found: list[Anchor]) -> list[Anchor]:
    """The anchors with weights by how near they are; several that fit make a doubt."""
    if not found:
        return []
    scored = []
    for one in found:
        score = one.weight
        if one.node is not None and hasattr(one.node, "lineno"):
            source = context.source(one.path)
            first, last = one.node.lineno, source.last_line(one.node)
            score *= context.nearness(one.path, first, last, context.enclosing(one.path, one.node))
            score *= 1.0 + context.overlap(one.path, one.node) if len(found) > 1 else 1.0
        scored.append((score, one))
    best = max(one.weight for _, one in scored)
    whole = sum(score for score, _ in scored)
    out = []
    for score, one in sorted(scored, key=lambda item: -item[0]):
        doubts = one.doubts
        told = any(is_of(doubt, DoubtKind.SYMBOLS) and doubt.number == len(scored) for doubt in doubts)
        if len(scored) > 1 and score < 0.8 * whole and not told:
            doubts = (*doubts, places_fit(len(scored)))
        out.append(replace(one, weight=min(best, 1.0) * score / whole, doubts=doubts))
    return out


def need(found: list[Anchor], what: str, context: Context) -> list[Anchor]:
    if not found:
        where = context.text("function") or context.text("class") or context.text("file")
        raise Unresolved(f"no {what}" + (f" in {where}" if where else " was found"))
    return found


_MOST_CHOSEN, _MOST_LOOKED_AT = 3, 40
"""The functions of which one can be chosen, and those that are looked at for some with a default."""
_LEAST_SHOWN = 4
"""The characters of code that are shown at least around what is left out."""
# -- helpers of finders ------------------------------------------------------------------------------


_LEFT_OUT = re.compile(r"…|\.\.\.")


def is_same_code(one: str, two: str) -> bool:
    """Whether code is what a text shows, but for blanks and quotes; `...` in the text is any code."""
    text = _squeezed(two)
    parts = _LEFT_OUT.split(text)
    begins = one[:1]
    if len(parts) == 1 and (len(one) < len(text) or (begins.isalnum() and begins != text[:1])):
        return False
    code = _without_blanks(one)
    if code == text or len(parts) == 1 or len("".join(parts)) < _LEAST_SHOWN:
        return code == text
    return re.fullmatch(".*".join(map(re.escape, parts)), code) is not None


def _without_blanks(text: str) -> str:
    """A text without blanks, with one kind of quotes."""
    return re.sub(r"[\s`]+", "", text).replace("'", '"')


_squeezed = lru_cache(maxsize=64)(_without_blanks)
"""The same of what is compared with many."""


def parsed(text: str) -> ast.expr | None:
    return parse_value(text.strip().strip("`"))


def in_one_form(code: str) -> str:
    """Code as Python would write it, whatever quotes and blanks it has."""
    tree = parsed(code)
    return ast.unparse(tree) if tree is not None else code


def is_same_expression(one: ast.AST | None, two: ast.AST | None) -> bool:
    """Whether two expressions are equal, whether they are read or set."""
    return one is not None and type(one) is type(two) and is_same_tree(one, two)


def head_text(source: Source, node: ast.AST) -> str:
    """The text of a simple statement, or the head of a compound one."""
    text = source.segment(node)
    body = getattr(node, "body", None)
    if isinstance(body, list) and body and isinstance(node, ast.stmt):
        low = source.span(node)[0]
        high = source.span(body[0])[0]
        text = source.text[low:high].rstrip()
    return text


def places_shown(context: Context, spots: Sequence[tuple[str, ast.AST | None]]) -> list[int]:
    """Which of some places, given with their paths, have a quoted piece of the message in their statement; if
    none has, all of them."""
    nodes = [(path, node) for path, node in spots if node is not None]
    pieces = _pieces_beside(context) if 1 < len(nodes) == len(spots) else []
    for piece in pieces:
        kept = [at for at, (path, node) in enumerate(nodes) if piece in _shown(context.source(path), node)]
        if 0 < len(kept) < len(spots):
            return kept
    return list(range(len(spots)))


def _pieces_beside(context: Context) -> list[str]:
    """The quoted pieces of the message, also of its other orders, that no slot has any part of."""
    text = context.situation.whole or context.situation.instruction
    spans = context.reading.held
    pieces = []
    for quoted in tokenize(text).quoted:
        piece = text[quoted.inner_start : quoted.inner_end].strip()
        held = any(
            span.start < quoted.end and quoted.start < span.end if span.start >= 0 else span.text in piece
            for span in spans
        )
        if len(piece) >= _LEAST_QUOTED and not held and not piece.isidentifier():
            pieces.append(piece)
    return pieces


def _shown(source: Source, node: ast.AST) -> str:
    """The statement of a node; of one with a suite its first line."""
    statement = source.statement(node)
    if statement is None:
        return ""
    text = source.segment(statement)
    return text.partition("\n")[0] if hasattr(statement, "body") else text
