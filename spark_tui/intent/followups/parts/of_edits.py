"""The parts of an edit that can be left out alone: a name everywhere, one of several arguments, a line."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from operator import attrgetter, itemgetter
from textwrap import dedent

from spark_tui.codemods.hunks import bare_lines
from spark_tui.edits.indentation import indent_of
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.context.written_lines import LineChange, Lines, Token, functions_around, tokens_of
from spark_tui.intent.finders.blocks import is_log
from spark_tui.intent.followups.parts.rebuilt import rebuilt_spans
from spark_tui.pysource.source import Definition
from spark_tui.pysource.syntax.parsing import parse, walk_lines

_MOST = 30
"""Changes whose parts are told apart."""
_ALIKE = 0.4
"""How much of the tokens of some lines has to stay for a part of them to be one."""
_BRACKETS = ("()", "[]", "{}")
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
_LEVELS = frozenset(("debug", "info", "warning", "warn", "error", "critical", "exception", "fatal"))
_SIGNS = frozenset(("<", ">", "=", "!", "is", "not", "in", "None"))


@dataclass(frozen=True)
class Piece:
    """Characters of the new text of a change, and the text that stood there."""

    change: LineChange
    low: int
    high: int
    was: str
    old: tuple[str, ...]
    new: tuple[str, ...]


_OLD, _NEW = attrgetter("old"), attrgetter("new")


@dataclass(frozen=True)
class Part:
    """What goes together, with its words, those around it, and the kinds of what it is."""

    pieces: tuple[Piece, ...]
    own: frozenset[str]
    beside: frozenset[str]
    kinds: frozenset[str]


def split_edit(found: Sequence[LineChange], situation: Situation, apart: bool = False) -> list[Part]:
    """The parts of an edit in the order in which they begin; the same exchange of a word is one, unless all
    are taken `apart`."""
    groups: dict[tuple[object, ...], list[Piece]] = {}
    for at, change in enumerate(found if len(found) <= _MOST else ()):
        for group in _with_rebuilt(change, _with_head(list(_groups(change)))):
            texts = tuple((item.old, item.new) for item in group)
            worded = any(re.match(r"[\w\"']", text) for item in group for text in (*item.old, *item.new))
            swapped = not apart and worded and all(item.old and item.new for item in group)
            key = texts if swapped else (*texts, at, group[0].low)
            groups.setdefault(key, []).extend(group)
    return [_part(tuple(group), situation) for group in groups.values()]


def leave_parts_out(parts: Sequence[Part], found: Sequence[LineChange]) -> dict[LineChange, Lines | None]:
    """The changes without some parts, those of them that differ."""
    out: dict[LineChange, Lines | None] = {}
    for change in found:
        pieces = [piece for part in parts for piece in part.pieces if piece.change is change]
        if not pieces:
            continue
        text = change.text
        for item in sorted(pieces, key=lambda each: -each.low):
            front, gone, rest = text[: item.low], text[item.low : item.high], text[item.high :]
            inside = gone.lstrip().startswith(":") and not item.was and front.count("(") > front.count(")")
            # A default stands close to a parameter without a type.
            text = front + item.was + (re.sub(r"\A\s*=\s*", "=", rest) if inside else rest)
        lines = bare_lines(text)
        out[change] = None if lines == change.old else lines
    return out


def _groups(change: LineChange) -> Iterator[tuple[Piece, ...]]:
    """The pieces of a change, those together that need each other's brackets."""
    was, now = "".join(f"{line}\n" for line in change.old), change.text
    if not change.old or not change.new:
        yield from _rows(change, was, now)
        return
    old, new = tokens_of(was), tokens_of(now)
    matcher = SequenceMatcher(None, [item.text for item in old], [item.text for item in new], autojunk=False)
    if len(change.old) != len(change.new) and (matcher.ratio() < _ALIKE or len(change.old) > len(change.new)):
        yield (_piece(change, (0, len(now)), was, old, new),)
        return
    group: list[Piece] = []
    for tag, a0, a1, b0, b1 in matcher.get_opcodes():
        if tag == "equal":
            continue
        for first, last, low, high in _apart(old, new, (a0, a1, b0, b1)):
            start = new[low].start if low < high and first < last else new[low - 1].end if low else 0
            begin = old[first].start if low < high and first < last else old[first - 1].end if first else 0
            end = new[high - 1].end if low < high else start
            behind = old[last - 1].end if first < last else begin
            if low == high and 0 < low < len(new) and last < len(old):
                end, behind = new[low].start, old[last].start  # the gap is that of the old text too
            one = _piece(change, (start, end), was[begin:behind], old[first:last], new[low:high])
            if _complete([one]) and not _lacks_value(group):
                yield (one,)
                continue
            group.append(one)
            if _complete(group):
                yield tuple(group)
                group = []
    if group:
        yield tuple(group)


def _with_head(groups: list[tuple[Piece, ...]]) -> list[tuple[Piece, ...]]:
    """The pieces of a change, those of the head of a loop together: what it goes through gives its names."""
    text = groups[0][0].change.text if groups else ""
    head = re.match(r"\s*(?:async )?for (.+?) in ", text)
    if head is None or len(groups) < 2:
        return groups
    line = text.index("\n")
    target = [group for group in groups if group[0].low < head.end(1)]
    iterated = [group for group in groups if head.end(1) < group[0].low < line]
    if not target or not iterated:
        return groups
    whole = tuple(piece for group in (*target, *iterated) for piece in group)
    return [whole, *(group for group in groups if group not in target and group not in iterated)]


def _with_rebuilt(change: LineChange, groups: list[tuple[Piece, ...]]) -> list[tuple[Piece, ...]]:
    """The pieces of a change, those of an expression that was built in another way together."""
    for low, high in rebuilt_spans(change) if len(groups) > 1 else ():
        inside = [group for group in groups if low <= group[0].low and group[-1].high <= high]
        if len(inside) > 1:
            at = groups.index(inside[0])
            groups = [group for group in groups if group not in inside]
            groups.insert(at, tuple(piece for group in inside for piece in group))
    return groups


def _apart(
    old: Sequence[Token], new: Sequence[Token], at: tuple[int, int, int, int]
) -> Iterator[tuple[int, int, int, int]]:
    """What differs in one place, an item at a time: `, a, b` are two, `, a}` for `]` is one and a bracket."""
    first, last, low, high = at
    if first < last and low + 1 < high and old[last - 1].text in _CLOSE and new[high - 1].text in _CLOSE:
        yield from _apart(old, new, (first, last - 1, low, high - 1))
        yield last - 1, last, high - 1, high
        return
    texts = [token.text for token in new[low:high]]
    if first < last or "," not in (*texts[:1], *texts[-1:]):
        yield at
        return
    depth, start = 0, low
    leads = texts[0] == ","
    for place, text in enumerate(texts, low):
        depth += (text in _OPEN) - (text in _CLOSE)
        if text == "," and not depth and (place > start if leads else True):
            end = place if leads else place + 1
            yield first, first, start, end
            start = end
    if start < high:
        yield first, first, start, high


def _complete(group: Sequence[Piece]) -> bool:
    return _balanced(group) and not _lacks_value(group)


def _balanced(group: Sequence[Piece]) -> bool:
    def depth(tokens: Sequence[str], pair: str) -> int:
        return tokens.count(pair[0]) - tokens.count(pair[1])

    old = [text for piece in group for text in piece.old]
    new = [text for piece in group for text in piece.new]
    return all(depth(old, pair) == depth(new, pair) for pair in _BRACKETS)


def _lacks_value(group: Sequence[Piece]) -> bool:
    """Whether texts have more places for values than before, and no value came with them."""
    old, new = ("".join(text for piece in group for text in kind(piece)) for kind in (_OLD, _NEW))
    added = [piece for piece in group if not piece.old and "," in piece.new]
    return new.count("%") - new.count("%%") > old.count("%") and not added


def _rows(change: LineChange, was: str, now: str) -> Iterator[tuple[Piece, ...]]:
    """The lines that were added or removed: each alone, where all stand side by side and are complete; else
    each statement that was added."""
    lines = change.new or change.old
    plain = len({indent_of(line) for line in lines}) == 1 and not any('"""' in line for line in lines)
    whole = all(line.count(item[0]) == line.count(item[1]) for line in lines for item in _BRACKETS)
    alone = len(lines) > 1 and plain and whole and all(line.strip() for line in lines)
    starts = [*range(len(lines))] if alone else _statement_starts(change.new)
    if len(starts) < 2:
        yield (_piece(change, (0, len(now)), was, tokens_of(was), tokens_of(now)),)
        return
    at = 0
    for low, high in pairwise((0, *starts[1:], len(lines))):
        text = "".join(f"{line}\n" for line in lines[low:high])
        tokens = tokens_of(text)
        if change.new:
            yield (_piece(change, (at, at + len(text)), "", (), tokens),)
            at += len(text)
        else:
            yield (_piece(change, (0, 0), text, tokens, ()),)


def _statement_starts(lines: Lines) -> list[int]:
    """The lines on which the outermost statements begin."""
    tree = parse(dedent("\n".join(lines)))
    heads = [(node, *getattr(node, "decorator_list", ())) for node in tree.body] if tree is not None else []
    return [min(item.lineno for item in head) - 1 for head in heads]


def _piece(
    change: LineChange, span: tuple[int, int], was: str, old: Sequence[Token], new: Sequence[Token]
) -> Piece:
    return Piece(change, *span, was, tuple(token.text for token in old), tuple(token.text for token in new))


def _part(pieces: tuple[Piece, ...], situation: Situation) -> Part:
    tokens = [text for piece in pieces for text in (*piece.old, *piece.new)]
    own = {word for text in tokens for word in (text, *re.findall(r"\w+", text), *split_name(text))}
    beside: set[str] = set()
    kinds: set[str] = set()
    for item in pieces:
        change = item.change
        holder = _holder(item, situation) if change.new else "\n".join(change.old)
        names = [*functions_around(change, situation.behind), *_targets(item, situation)]
        beside |= {
            word for text in (holder, *names) for word in (*re.findall(r"\w+", text), *split_name(text))
        }
        kinds |= _kinds(item, situation)
    return Part(pieces, frozenset(own), frozenset(beside - own), frozenset(kinds))


def _nodes_around(piece: Piece, situation: Situation) -> Iterator[tuple[ast.AST, str]]:
    """The nodes that hold more than a piece, the narrowest first, with their code."""
    source = situation.behind.index.source(piece.change.path)
    base = source.starts[min(piece.change.at, len(source.starts) - 1)]
    low, high = base + piece.low, base + piece.high
    on_line = walk_lines(source.tree, [source.line_number(low)]) if source.tree is not None else ()
    nodes = (node for node in on_line if isinstance(node, ast.expr | ast.stmt | ast.keyword | ast.arg))
    held = [
        (end - start, node)
        for node in nodes
        for start, end in [source.span(node)]
        if start <= low and high <= end and end - start > high - low
    ]
    for _, node in sorted(held, key=itemgetter(0)):
        yield node, source.segment(node)


def _holder(piece: Piece, situation: Situation) -> str:
    """The code around a piece: that of the narrowest node with a word, of a statement its first line."""
    for node, code in _nodes_around(piece, situation):
        if re.search(r"\w", code) and not isinstance(node, ast.Name | ast.Constant):
            if isinstance(node, Definition):
                return node.name
            return code.partition("\n")[0] if isinstance(node, ast.stmt) else code
    return ""


def _targets(piece: Piece, situation: Situation) -> list[str]:
    """What the statement around a piece sets."""
    nodes = (node for node, _ in _nodes_around(piece, situation))
    return [ast.unparse(target) for node in nodes if isinstance(node, ast.Assign) for target in node.targets]


def _kinds(piece: Piece, situation: Situation) -> set[str]:
    """What a piece is, by words that a message may have for it."""
    out = set()
    tokens = (*piece.old, *piece.new)
    both = (piece.old, piece.new)
    if all(len(item) == 1 and set(item) <= _LEVELS for item in both):
        out.add("level")
    if (
        tokens
        and set(tokens) <= _SIGNS
        and any(isinstance(node, ast.Compare) for node, _ in _nodes_around(piece, situation))
    ):
        out.add("comparison")
    text = "".join(piece.new)
    if not piece.old and text.startswith(("->", ":")):
        out |= {"hint", "return"} if text.startswith("->") else {"hint"}
    if text.lstrip("rbuRBU").startswith(('"""', "'''")) and not piece.old:
        out.add("docstring")
    if tokens[:1] == ("#",):
        out.add("comment")
    if "".join(tokens[:1]) in ("import", "from"):
        out.add("import")
    if {"{", "}"} & set(piece.new) and ":" not in piece.new:
        out.add("set")
    if any(token[:1].isdigit() for token in tokens):
        out.add("number")
    if any(token[-1:] in "'\"" for token in tokens):
        out.add("text")
    out |= {
        kind for kind in ("if", "for", "while", "with", "try", "print", "return", "raise") if kind in tokens
    }
    tree = parse(dedent(piece.change.text[piece.low : piece.high]))
    if tree is not None and any(is_log(node) for node in ast.walk(tree)):
        out.add("log")
    if not piece.new:
        out.add("removal")
    source = situation.behind.index.source(piece.change.path)
    handlers = {one.name for statement in source.statements for one in getattr(statement, "handlers", ())}
    if handlers & set(piece.new) - set(piece.old):
        out.add("error")
    defined = {definition.name: definition for definition in source.definitions}
    for name in piece.new if len(piece.new) == len(piece.old) == 1 else ():
        if name in defined:
            out.add("class" if isinstance(defined[name], ast.ClassDef) else "function")
    return out
