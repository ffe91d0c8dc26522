"""Orders that put one statement, or one body, in the place of another.

Comes in: an order. Goes out: edits. Must not know: models; parts of statements (the families of values and calls do).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.imports_of import with_import
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Change, Function, Source, body_behind_docstring, parse
from spark_tui.refactor.statements.kinds import header
from spark_tui.refactor.statements.new import New, expressions, new_statements
from spark_tui.refactor.statements.talk import Talk, talk_of
from spark_tui.refactor.statements.where import Spot, clauses, definitions, find

_SHOULD = r"(?:should|must|has to|have to|needs to|ought to|shall|is to|is supposed to|can|could|had better)"
_PUT = r"(?:write|put|use|have|do|insert|place|take|set|say|type)"
_FORMS = tuple(
    re.compile(f"(?:{form})$", re.I)
    for lazy in (
        r"(?:replace|change|rewrite|swap|switch|turn|exchange|substitute|edit|modify|alter|update|convert|correct|fix)(?: out)? (?P<t>.+?) (?:with|by|to(?: be| read| say)?|into|for|as|so (?:that )?it (?:says|reads|is)|->|=>)[:]? (?P<c>.+)",
        r"make (?P<t>(?:lines?|ln|l\d)\b.*?|the \w+ (?:line|statement).*?)(?: be| say| read| into)? (?P<c>⟦\d+⟧|\S+\(.*\)|(?:return|raise)\b.*|pass|break|continue)",
        rf"(?P<t>.+?) {_SHOULD} (?:be|read|say|become|look like|be (?:replaced|changed|rewritten)(?: with| by| to| as| into))(?: this)?:? (?P<c>.+)",
        r"(?:can|could|should|shouldn't|must|let|have) (?P<t>.+?) (?:be|read|say|become)(?: (?:replaced|changed|rewritten)(?: with| by| to| as| into))? (?P<c>.+)",
        r"(?P<t>.+?)(?: becomes| ->| =>|->|=>) (?P<c>.+)",
        rf"(?:(?:the \w+|he|she|they) wants? |i'?d rather have |i meant |{_PUT} )?(?P<c>.+?) (?:instead of|in place of|rather than|than|in the place of|in lieu of) (?P<t>.+)",
        rf"(?:i meant |{_PUT} )?(?P<c>.+?) where (?P<t>.+?) (?:is|stands|was)",
        rf"(?:in place of|instead of) (?P<t>.+?),? (?:{_PUT} |there {_SHOULD} be |we want |comes )?(?P<c>.+)",
        rf"(?:remove|delete|drop|take out|throw out) (?P<t>.+?)(?:,| and|;|\.)+ (?:and )?(?:then )?{_PUT} (?P<c>.+?)(?: in its place| there| instead| in there)",
        rf"(?:since |as |because )?(?P<t>.+?) is (?:wrong|bad|incorrect|not right|nonsense)(?:,| so|;|:|\.)+ (?:so )?{_PUT} (?P<c>.+?)(?: there| instead| in its place)?",
    )
    for form in (lazy, lazy.replace("(?P<t>.+?)", "(?P<t>.+)"))
)
_ENDS = re.compile(r"(?:the |a )?(?:very )?(?P<n>first|last|final) (?:line|statement|thing|instruction)", re.I)
_IMPORTS = ast.Import | ast.ImportFrom


def _replace(order: Order) -> Iterator[Edit]:
    talk = talk_of(order)
    for clause in clauses(talk):
        for form in _FORMS:
            match = form.fullmatch(clause.text)
            if match is None:
                continue
            found = find(talk, match["t"], clause.within)
            if len(found) > 1 and order.is_literal:
                return  # at every place, which the family of values does
            made = False
            for spot in found:
                head = _new_head(talk, match["c"])
                if head and spot.node is not None and hasattr(spot.node, "body"):
                    made = True
                    yield order.edit_text(_with_head(order.src, spot.node, head), *clause.used)
                    continue
                if spot.header:
                    continue
                for new in new_statements(talk, match["c"]):
                    if not _fits(spot, new, match["t"], "should be" in clause.text):
                        continue
                    made = True
                    yield order.edit(_replaced(order.src, spot, new), *clause.used)
            if made:
                return


def _fits(spot: Spot, new: New, said: str, should: bool) -> bool:
    """Imports are another family's; what *should be the first line* goes in front of that line."""
    returns = isinstance(spot.node, ast.Return) and new.lines[0].startswith("return")
    if isinstance(spot.node, _IMPORTS) or (should and _ENDS.match(said) and not returns):
        return False
    return bool(new.lines[0])


def _replaced(src: Source, spot: Spot, new: New) -> list[Change]:
    line = src.lines[spot.first]
    indent = line[: len(line) - len(line.lstrip())]
    text = "".join(f"{indent}{one.replace(chr(9), src.step)}\n" for one in new.lines)
    imported = with_import(src, new.needs) if new.needs else None
    return [(*src.line_span(spot.first, spot.last), text), *([imported] if imported is not None else [])]


def _new_head(talk: Talk, piece: str) -> str:
    """`if x:` - the line that opens a block."""
    code = (talk.code(piece) or talk.as_said(piece)).strip()
    return code if code.endswith(":") and parse(f"{code}\n    pass") is not None else ""


def _with_head(src: Source, node: ast.stmt, head: str) -> str:
    start = src.span(node)[0]
    return src.changed([(start, start + len(header(src, node)), head)])


# -- bodies ----------------------------------------------------------------------------------------------------------

_JUST = r"(?:(?:now|just|only|simply|always|for now|then|instead|directly) )*"
_BODIES = tuple(
    re.compile(f"(?:{form})$", re.I)
    for form in (
        r"(?:replace|swap|exchange|change|rewrite|substitute) (?:all (?:of )?)?(?:the )?(?:whole |entire |complete )?(?:body|code|content|contents|logic|implementation|inside|insides) (?:of|in|inside) (?P<f>.+?) (?:with|by|for|to|as|into) (?P<c>.+)",
        r"(?:the )?(?:body|content|logic|implementation) of (?P<f>.+?)(?:\s*:| (?:should|must|has to|needs to) (?:just |only )?(?:be|become)| ->) (?P<c>.+)",
        r"(?:reduce|shrink|cut|strip|boil)(?: down)? (?P<f>.+?)(?: down)? to (?:just |only |a )?(?P<c>.+)",
        r"(?:stub|mock|fake|hollow)(?: out)? (?P<f>.+?)(?: out)?(?:,? (?:with|by|using|as)|[:,;]|,? so (?:that )?it| to)+ (?P<c>.+)",
        r"make (?P<f>.+?) a (?:stub|no-op|mock|dummy)(?:[:,;]| that| which| with|,? so (?:that )?it)* (?P<c>.+)",
        r"whatever (?P<f>.+?) does(?: now)?[,:;]+ (?:now )?(?P<c>.+)",
        r"(?:the )?(?:implementation|body|code|logic) of (?P<f>.+?) is (?:wrong|broken|bad|nonsense|not needed)[,;.: ]+(?P<c>.+)",
        r"(?:we )?(?:don't|do not|no longer) need the (?:logic|body|code|implementation) (?:of|in) (?P<f>.+?)(?: any ?more)?[,;.: ]+(?P<c>.+?)(?: there)?",
        r"(?:nuke|delete|remove|drop|take out|throw out|clear|empty|kill) (?:the body of |everything in |all of |all (?:the )?code in |the code in |the contents? of )?(?P<f>.+?)(?:,| and)+ (?:just |then |it should |put |write |let it )*(?P<c>.+?)(?: instead| there)?",
        r"turn (?P<f>.+?) into (?:a |an )?(?:dummy|stub|mock|no-op)[:, ]+(?P<c>.+)",
        r"for (?:the )?(?:tests?|now|testing)[,: ]+(?P<f>.+?) (?P<c>(?:should|ought to|must|has to|can) .+)",
        rf"(?:make|let|have) (?P<f>.+?) (?P<c>{_JUST}(?:return|do nothing|pass\b|raise|give back|⟦).*)",
        r"(?P<f>.+?) (?P<c>(?:should|ought to|must|has to|shall|can|needs to) .+)",
    )
)
_DOES = re.compile(
    rf"(?:it )?(?:should |ought to |must |has to |shall |can |needs to )?{_JUST}(?:be (?:just )?(?=⟦)|say )?(?P<c>.+?)(?: for now| now| always| only| there)*$",
    re.I,
)
_GIVES = re.compile(r"(?:return|give back|yield back|hand back|answer|give)s?\s+(?P<v>.+)$", re.I)


def _body(order: Order) -> Iterator[Edit]:
    talk = talk_of(order)
    for clause in clauses(talk):
        for number, form in enumerate(_BODIES):
            match = form.fullmatch(clause.text)
            if match is None:
                continue
            functions = [node for node in definitions(talk, match["f"]) if isinstance(node, Function)]
            news = _meant(talk, match["c"]) if functions else []
            made = False
            for node in functions:
                body = body_behind_docstring(node)
                for new in news:
                    if not body or order.src.first_line(body[0]) <= order.src.first_line(node):
                        continue
                    made = True
                    loosely = number >= len(_BODIES) - 2 and not _is_meant_whole(talk.text)
                    first, last = order.src.first_line(body[0]), order.src.last_line(body[-1])
                    if loosely and new.lines[0].startswith("return") and _only_acts(node):
                        first = last  # behind what it does, not in place of it
                    text = order.src.with_lines(
                        first,
                        last,
                        [order.src.indent(body[0]) + line.replace("\t", order.src.step) for line in new.lines],
                    )
                    vague = loosely and first < last and _many(body)
                    yield order.edit_text(
                        text,
                        *(
                            [re.sub(r"\b(?:return|give|raise)\b", "", talk.plain(clause.text))]
                            if vague
                            else clause.used
                        ),
                    )
            if made:
                return


def _only_acts(node: Function) -> bool:
    """Whether it does something, gives nothing back and comes to its end."""
    body, inside = body_behind_docstring(node), ast.walk(node)
    if isinstance(body[-1], ast.Raise | ast.Pass | ast.While) or _is_dots(body[-1]):
        return False
    return not any(isinstance(one, ast.Return | ast.Yield | ast.YieldFrom) for one in inside)


def _is_dots(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _many(body: list[ast.stmt]) -> bool:
    return len(body) > 1 or hasattr(body[0], "body") or isinstance(body[0], ast.Match)


def _is_meant_whole(text: str) -> bool:
    return re.search(r"\b(?:just|only|simply|always|for now|do nothing|not implemented|NotImplementedError|pass)\b", text, re.I) is not None  # fmt: skip


def _meant(talk: Talk, phrase: str) -> list[New]:
    match = _DOES.match(phrase.strip(" ,;:"))
    text = match["c"] if match is not None else phrase
    if re.match(r"(?:do nothing|be (?:a )?(?:no-op|empty)|a? ?no-op|nothing)$", text, re.I):
        return [New(("pass",))]
    if (gives := _GIVES.match(text)) is not None:
        return [New((f"return {one}",)) for one in expressions(talk, gives["v"])]
    return new_statements(talk, text)


_EMPTY = re.compile(
    r"(?:empty|clear|gut|hollow out|stub out|stub|blank) (?:the )?(?:body of |code of |code in )?(?P<f>.+?)(?: body)?$",
    re.I,
)


def _empty(order: Order) -> Iterator[Edit]:
    """*stub out load*, *gut main*."""
    talk = talk_of(order)
    match = _EMPTY.fullmatch(talk.text)
    functions = definitions(talk, match["f"]) if match is not None else []
    for node in functions:
        body = body_behind_docstring(node)
        if isinstance(node, Function) and body and order.src.first_line(body[0]) > order.src.first_line(node):
            first, last = order.src.first_line(body[0]), order.src.last_line(body[-1])
            yield order.edit_text(
                order.src.with_lines(first, last, [f"{order.src.indent(body[0])}pass"]),
                talk.noise,
                talk.plain(talk.text),
            )


RULES = (
    Rule(
        re.compile(
            r"\b(?:replace|change|rewrite|swap|switch|turn|exchange|substitute|edit|modify|alter|update|correct|fix|make|should|must|has to|needs to|ought to|be|becomes|instead|rather|than|place|where|wrong|convert)\b|->|=>",
            re.I,
        ),
        _replace,
    ),
    Rule(
        re.compile(
            r"\b(?:dummy|everything|empty|nuke|clear|body|code|contents?|logic|implementation|reduce|shrink|stub|mock|fake|hollow|whatever|tests?|make|let|have|should|must|ought|shall|can|needs|has)\b",
            re.I,
        ),
        _body,
    ),
    Rule(re.compile(r"^(?:empty|clear|gut|hollow|stub|blank)\b", re.I), _empty),
)
