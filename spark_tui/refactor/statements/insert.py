"""Orders to put something in: a given line, a print, a call, at a place that is said.

Comes in: an order. Goes out: edits that add lines. Must not know: models.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator

from spark_tui.refactor.imports_of import with_import
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Change, Source
from spark_tui.refactor.statements.new import PUT, New, new_statements
from spark_tui.refactor.statements.places import ON_LINE, Place, blocks, places
from spark_tui.refactor.statements.talk import MARK, Talk, talk_of
from spark_tui.refactor.statements.where import Clause, clauses, find, scopes

_AT = re.compile(
    r"(?<!\S)(?=(?:(?:right|just|directly|straight|immediately|shortly|only|somewhere)\s+)?(?:before|above|ahead of|in front of|prior to|after|below|under|underneath|beneath|behind|following|between|inside|into|within|in|at|on|to|as|here|first thing|the (?:very )?(?:first|last)|first|last)\b)",
    re.I,
)
_SHOULD = r"(?:should|must|has to|have to|needs to|ought to|shall|is supposed to|could|can)"
_TURNED = (
    re.compile(rf"(?P<p>(?:the |a |as )?(?:very )?(?:first|last) (?:thing|line|statement)(?: of code)?(?: [^,]+?)?) (?:{_SHOULD} be|is to be|is):? (?P<c>.+)$", re.I),
    re.compile(r"make (?P<c>.+?) (?P<p>(?:the )?(?:very )?(?:first|last) (?:thing|line|statement)(?: .+)?)$", re.I),
    re.compile(rf"(?P<p>.+?) comes too (?P<early>early|late)[,;:] (?P<c>.+?) {_SHOULD} be there first$", re.I),
)  # fmt: skip
_LED = re.compile(rf"(?P<t>.+?) (?:{_SHOULD} be|is to be|is) (?:directly |immediately )?(?P<how>preceded|followed) by (?P<c>.+)$", re.I)  # fmt: skip
_THEN = re.compile(r"(?P<t>.+?),? and (?:then )?(?:right |directly |just |immediately )?(?P<how>after|before|below|above|under) (?:it|that|this)[,:]? (?P<c>.+)$", re.I)  # fmt: skip
_BEGIN = re.compile(
    rf"(?:let |have |make |shouldn't |should )?(?P<t>.+?) (?:{_SHOULD} )?(?P<how>begin|start|end|finish)s? (?:with|by) (?P<c>.+)$|(?P<how2>begin|start|end|finish) (?P<t2>.+?) (?:with|by) (?P<c2>.+)$",
    re.I,
)


_IF = re.compile(r"\b(?:if|unless|otherwise|when|not|instead|else|except|don't)\b", re.I)
"""What stands outside a clause and changes what the clause means."""

_CALLABLE = frozenset(dir(builtins))


def put(src: Source, place: Place, new: New) -> list[Change]:
    """New lines at a place, as deep as it is."""
    lines = [(place.indent + line.replace("\t", src.step)) if line else "" for line in new.lines]
    at = src.starts[place.line]
    if place.top and lines and lines[0]:
        above = place.line > 0 and src.lines[place.line - 1].strip()
        rest = place.line < len(src.lines) and src.lines[place.line].strip()
        lines = [*([""] if above else []), *lines, *([""] if rest else [])]
    changes = [(at, at, "".join(f"{line}\n" for line in lines))]
    imported = with_import(src, new.needs) if new.needs else None
    if imported is not None:
        changes.append(imported)
    return changes


def _edits(order: Order, clause: Clause, where: Iterable[Place], what: Iterable[New]) -> Iterator[Edit]:
    news = [new for new in what if new.lines]
    where = list(where)
    unsure = not all(place.sure for place in where)
    for place in _best(order.src, where, news):
        for new in news:
            if _is_there(order.src, place, new) or _is_head(order, new):
                return
            if not _is_known_there(order.src, place, new) or (unsure and _is_set(order.src, place, new)):
                continue
            if (place.top or re.search(r"\bat the (?:very )?top$", clause.text)) and not _fits_top(order.src, new):
                continue
            extra = () if place.sure else ("",)
            yield order.edit(put(order.src, place, new), *clause.used, *extra)


def _is_head(order: Order, new: New) -> bool:
    """*add remove(book) to Shelf*: a method that it should have, no call."""
    call = re.fullmatch(r"([a-z_]\w*)\([\w, =]*\)", "\n".join(new.lines).strip())
    names = {getattr(one, "id", getattr(one, "name", "")) for one in order.src.nodes}
    return call is not None and call[1] not in names | _CALLABLE and bool(order.classes())


def _is_set(src: Source, place: Place, new: New) -> bool:
    """*set x to 3 in f*, where f sets it already: its value is meant."""
    name = re.match(r"([\w.]+)(?:\s*:[^=]+)? = ", new.lines[0])
    around = [node for node in src.functions if src.first_line(node) < place.line <= src.last_line(node)]
    low, high = (src.first_line(around[-1]), src.last_line(around[-1])) if around else (0, len(src.lines))
    return name is not None and any(
        re.match(rf"\s*{re.escape(name[1])}\s*(?::[^=]+)?=(?!=)", line) for line in src.lines[low:high]
    )


def _best(src: Source, where: list[Place], news: list[New]) -> list[Place]:
    """Attributes are set at the end; and names are used where they are known, if they are somewhere."""
    if any(re.match(r"self\.\w+(?:\s*:[^=]+)? = ", new.lines[0]) for new in news) and not all(
        one.sure for one in where
    ):
        where = where[-1:] if len(where) == 2 else where
    used = {name for new in news for name in re.findall(r"(?<![\w.\"'])[a-z_]\w*(?!\w*[(\"'=])", "\n".join(new.lines))}
    used &= {n.arg for n in src.nodes if isinstance(n, ast.arg)} | {n.id for n in src.nodes if isinstance(n, ast.Name)}
    known = [one for one in where if used <= _known(src, one)]
    return known or where


def _known(src: Source, place: Place) -> set[str]:
    around = [node for node in src.functions if src.first_line(node) < place.line <= src.last_line(node)]
    held = around[-1] if around else src.tree
    names = {n.id for n in ast.walk(held) if isinstance(n, ast.Name)} if held is not None else set()
    names |= {n.arg for n in ast.walk(held) if isinstance(n, ast.arg)} if held is not None else set()
    return names | {node.name for node in (*src.functions, *src.classes)}


def _is_known_there(src: Source, place: Place, new: New) -> bool:
    """`self` is a name in methods, an exception where it is caught."""
    text = "\n".join(new.lines)
    around = [node for node in src.functions if src.first_line(node) < place.line <= src.last_line(node)]
    if (
        re.search(r"(?<![\w.])self\.", text)
        and around
        and not any(one.arg == "self" for node in around for one in node.args.args)
    ):
        return False
    for node in src.nodes:
        if isinstance(node, ast.ExceptHandler) and node.name and re.search(rf"\({node.name}\)", text):
            return any(
                one.name == node.name and src.first_line(one) < place.line <= src.last_line(one)
                for one in src.nodes
                if isinstance(one, ast.ExceptHandler)
            )
    return True


def _fits_top(src: Source, new: New) -> bool:
    """Imports have an order of their own; a constant whose value stands in the file is to be used there too."""
    if new.lines[0].startswith(("import ", "from ")):
        return False
    value = new.lines[0].partition("=")[2].strip()
    return len(value) < 3 or value not in src.text


def _is_there(src: Source, place: Place, new: New) -> bool:
    """It says already what is asked for."""
    lines = [line.strip() for line in new.lines]
    above = [line.strip() for line in src.lines[max(0, place.line - len(lines)) : place.line]]
    below = [line.strip() for line in src.lines[place.line : place.line + len(lines)]]
    return any(lines) and lines in (above, below)


def _insert(order: Order) -> Iterator[Edit]:
    talk = talk_of(order)
    for clause in clauses(talk, beside=False):
        if _IF.search(talk.text.replace(clause.text, " ")):
            continue
        found = list(_turned(order, talk, clause)) or list(_split(order, talk, clause))
        if found:
            yield from found
            return


def _split(order: Order, talk: Talk, clause: Clause) -> Iterator[Edit]:
    """*C before P*, *before P: C*: the cut at which both sides are understood."""
    text = clause.text
    for cut in _AT.finditer(text):
        left, right = text[: cut.start()], text[cut.start() :]
        if left.strip() and not _moves(talk, left):
            where = places(talk, right, clause.within)
            if ON_LINE.match(right) and not re.match(r"(?:add|insert|put|write)\b", left, re.I):
                continue
            if where and (what := new_statements(talk, left)):
                yield from _edits(order, clause, where, what)
                return
            held = re.fullmatch(r"(?P<c>.+?)\s+(?:in|inside|within|of)\s+(?P<s>.+?)\s*", left, re.I) if where else None
            what = new_statements(talk, held["c"]) if held is not None else []
            spans = scopes(talk, held["s"]) if held is not None and what else []
            inner = [place for span in spans for place in places(talk, right, span)]
            if inner:
                yield from _edits(order, clause, inner, what)
                return
    text = re.sub(rf"^{PUT}?(?:(?:a|the|this|following|another|one)\s+)*(?:new\s+|extra\s+)?(?:line|statement|code)?\s*(?=\S)", "", text, flags=re.I) if not _AT.match(text) else text  # fmt: skip
    if not _AT.match(text):
        return
    if re.match(r"(?:on|at|in|as) (?:lines?|ln|l)\b", text, re.I) and not re.search(
        r"\b(?:add|insert|put|write)\b", text, re.I
    ):
        return
    for middle in re.finditer(r"[,:;]\s*|\s+", text):
        left, right = text[: middle.start()], text[middle.end() :]
        where = places(talk, left, clause.within) if left and right else []
        if where and (what := new_statements(talk, right)):
            yield from _edits(order, clause, where, what)
            return


def _moves(talk: Talk, left: str) -> bool:
    """*put the x = 1 line*: one that is there already."""
    if re.match(r"(?:add|insert|call|print|write|run|do|execute|invoke|another|a second|also)\b", left.strip(), re.I):
        return False
    match = re.search(MARK, left)
    code = talk.code(match[0]) if match is not None else None
    return code is not None and any(line.strip() == code for line in talk.src.lines)


def _turned(order: Order, talk: Talk, clause: Clause) -> Iterator[Edit]:
    for form in _TURNED:
        match = form.match(clause.text)
        if match is not None:
            where = re.sub(r"^(?:the|a|as)\s+", "", match["p"])
            if re.match(r"(?:very )?last", where, re.I) and talk.plain(match["c"]).strip().startswith(
                ("return", "raise")
            ):
                return
            where = f"before {where}" if match.groupdict().get("early") else where
            yield from _edits(order, clause, places(talk, where, clause.within), new_statements(talk, match["c"]))
            return
    match = _LED.match(clause.text) or _THEN.match(clause.text)
    if match is not None:
        side = "before" if match["how"].lower() in ("preceded", "before", "above") else "after"
        subject = re.sub(r"^(?:add|insert|put)\s+", "", match["t"])
        if find(talk, subject, clause.within):
            yield from _edits(order, clause, places(talk, f"{side} {subject}", clause.within), new_statements(talk, match["c"]))  # fmt: skip
        return
    match = _BEGIN.match(clause.text)
    if match is not None:
        subject, how, code = match["t"] or match["t2"], match["how"] or match["how2"], match["c"] or match["c2"]
        side = "top" if how.lower() in ("begin", "start") else "end"
        if blocks(talk, subject, clause.within):
            yield from _edits(order, clause, places(talk, f"{side} of {subject}", clause.within), new_statements(talk, code))  # fmt: skip


_CONSTANT = re.compile(
    r"(?:add|introduce|define|create|declare)\s+(?:a\s+|the\s+)?(?:new\s+)?(?:module[- ]level |global |module )?constant\s+(?P<n>[A-Z][A-Z0-9_]*)\s*(?:=|with(?: the)? value|of|set to|:)\s*(?P<v>.+)$"
)


def _constant(order: Order) -> Iterator[Edit]:
    """*add a constant MAX = 5*: at the top."""
    talk = talk_of(order)
    for clause in clauses(talk):
        match = _CONSTANT.match(clause.text)
        if match is None or match["n"] in order.identifiers or order.src.headers:
            continue
        for new in new_statements(talk, f"{match['n']} = {talk.as_said(match['v'])}"):
            for place in places(talk, "after the imports"):
                yield order.edit(put(order.src, place, new), *clause.used)


_TRIGGER = re.compile(
    r"^(?:also |then )?(?:add|put|insert|append|write)\b|\b(?:here|before|above|ahead|front|prior|after|below|under\w*|beneath|behind|following|between|inside|within|into|in|at|on|first|last|(?:begin|start|end|finish)s?|preceded|followed)\b",
    re.I,
)
RULES = (Rule(_TRIGGER, _insert), Rule(re.compile(r"\bconstant\b"), _constant))
