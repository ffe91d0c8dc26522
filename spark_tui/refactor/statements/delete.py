"""Orders to take something out: a line, a statement, a block, a definition, a variable.

Comes in: an order. Goes out: edits that delete whole lines and leave the code around them whole. Must not know: models.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Change, Function, Source, indent_of
from spark_tui.refactor.statements.talk import Talk, talk_of
from spark_tui.refactor.statements.where import Spot, around, branch, clauses, definitions, find, scopes

DELETE = r"(?:(?:delete|remove|drop|kill|nuke|ditch|erase|cut|strip|axe|scrap|lose|purge|eliminate|toss|chuck|dump|wipe|zap|rm|del)(?: out| up| away| off)?|(?:take|throw|kick|rip|clean|clear) (?:out|up|away|off)|(?:get )?rid of|do away with|away with|out with|(?:i |we )?forgot to (?:delete|remove)|removal of|no more)"
_GONE = r"(?:deleted|removed|dropped|killed|nuked|erased|cut|stripped|scrapped|purged|eliminated|taken out|thrown (?:out|away)|ditched|gone|binned)"
_MAY = r"(?:can|could|should|must|may|shall|has to|have to|needs to|need to|ought to|might as well|is to|are to)"
_GOES = rf"(?:go(?: away)?|die|disappear|vanish|leave|be {_GONE})(?: now)?"
_IT = (
    r"(?:it|them|that|this|those|these|all of (?:it|them)|both|the (?:line|lines|thing|statement|block|function|rest))"
)
_USELESS = r"(?:not (?:needed|used|required|necessary|called|wanted)|no longer (?:needed|used|required|necessary|called)|never (?:used|called|needed|executed|reached)|unneeded|superfluous|useless|redundant|unnecessary|obsolete|unused|dead|wrong|left ?over|a leftover|leftovers|pointless|stale|nonsense|just for (?:testing|debugging)|only for (?:testing|debugging)|(?:just|only) (?:a )?debug(?:ging)?)"
_TAIL = rf"(?:[\s,;:.?!–-]|and|so|then|please|if (?:not|so)|no)*\s(?:(?:just )?{DELETE} {_IT}(?: (?:all|out|away|up|entirely))?|{_IT} {_MAY} {_GOES}|{DELETE})"
_NEED = r"(?:(?:we|i|you|nobody|no one)? ?(?:think (?:we|i) )?(?:don't|do not|dont|no longer|doesn't|does not|needn't) (?:really )?(?:need|want|use|require|like|calls?|uses?|needs?))"
FORMS = tuple(
    re.compile(rf"(?:{form})$", re.I)
    for form in (
        rf"{DELETE} (?P<t>.+)",
        r"(?:take|throw|kick|cut|strip|rip|leave|clean|clear) (?P<t>.+) (?:out|away|up|off)",
        rf"(?P<t>.+?) {_MAY} {_GOES}(?:{_TAIL})?",
        rf"(?:can|could|should|must|may) (?P<t>.+?) {_GOES}",
        rf"(?P<t>.+?),? (?:(?:is|are|was|were) {_USELESS}|(?:is|are|was|were)n't (?:really )?(?:needed|used|required|necessary|called))(?: any ?more| any longer| at all| there| here)?(?P<tail>{_TAIL})?",
        rf"{_NEED} (?P<t>.+?)(?: any ?more| any longer)?(?:{_TAIL})?",
        rf"(?P<t>.+?)[,;:]? {_NEED} (?:it|them|that)(?: any ?more| any longer)?(?:{_TAIL})?",
        rf"(?P<t>.+?)\s*(?:[:,–-]|->)+ (?:{DELETE}(?: {_IT})?|gone|{_MAY} {_GOES})(?: now)?",
        r"(?P<t>.+?) (?:should not|shouldn't|must not|mustn't|should never|must never|shall not|has no business|needn't|need not|ought not to) (?:to )?be(?:ing)?(?: in)?(?: there| here| in there| in here)?(?P<tail>"
        + _TAIL
        + ")?",
        rf"(?P<t>.+?) (?:does nothing|do nothing|does not do anything|serves? no purpose|has no (?:use|effect))(?: there| here)?(?:{_TAIL})?",
        rf"(?P<t>.+?) makes? no sense(?: there| here)?(?P<needed>{_TAIL})",
        rf"(?:it |this |everything )?works (?:fine |just as well |as well )?without (?P<t>.+?)(?P<needed>{_TAIL})",
        rf"why (?:is|are|do we have|do we still have) (?P<t>.+?)(?: still)?(?: there| here| in there| in)?\?(?P<needed>{_TAIL})",
        rf"(?:is|are) (?P<t>.+?) (?:really |still |even )?(?:needed|necessary|used|required)(?: any ?more)?\?(?P<needed>{_TAIL})",
        rf"{_NEED} (?P<t>.+)",
        rf"(?:since |as |because )?(?:nothing|nobody|no one) (?:calls|uses|needs|reads) (?P<t>.+?)(?: any ?more)?{_TAIL}",
        rf"(?:shouldn't|shouldnt|should|can|could) (?P<t>.+?) be {_GONE}",
        r"(?:there(?: is|'s) )?no (?:more )?(?:need|use|point) (?:for|in|of|in having|to have|to keep|in keeping) (?P<t>.+?)(?: any ?more| any longer)?",
        r"(?:don't|do not|stop|no longer|never) (?P<t>print(?:ing)? .+?)(?: any ?more| any longer)?",
    )
)


# -- lines out of a text ---------------------------------------------------------------------------------------------


def take_out(src: Source, spans: Sequence[tuple[int, int]]) -> list[Change]:
    """Without lines: a block that loses all it has gets a `pass`, an `else` without anything goes as well."""
    gone = {line for a, b in spans for line in range(a, b)}
    spans = sorted(spans)
    changes: list[Change] = []
    heads: list[tuple[int, int]] = []
    for owner in src.nodes:
        for name in ("body", "orelse", "finalbody"):
            block = getattr(owner, name, None)
            if not isinstance(block, list) or not block or not isinstance(block[0], ast.stmt):
                continue
            lines = [line for one in block for line in range(src.first_line(one), src.last_line(one))]
            head = owner.pattern if isinstance(owner, ast.match_case) else owner
            if not all(line in gone for line in lines) or src.first_line(head) in gone:
                continue
            if name != "body":
                above = src.first_line(block[0]) - 1
                while above > 0 and not re.match(r"\s*(?:else|finally)\s*:", src.lines[above]):
                    above -= 1
                heads.append((above, src.first_line(block[0])))
                continue
            at = src.starts[src.first_line(block[0])]
            changes.append((at, at, f"{src.indent(block[0])}pass\n"))
    for a, b in _joined([*spans, *heads]):
        first, last = _with_blanks(src.lines, a, b)
        if any(src.starts[first] <= at <= src.starts[last] for at, _, _ in changes):
            first, last = a, b
            put = next((one for one in changes if src.starts[a] <= one[0] <= src.starts[b]), None)
            if put is not None:
                changes.remove(put)
                changes.append((src.starts[a], src.starts[b], put[2]))
                continue
        changes.append((src.starts[first], src.starts[last], ""))
    return changes


def _joined(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for a, b in sorted(spans):
        if out and a <= out[-1][1]:
            out[-1] = (out[-1][0], max(b, out[-1][1]))
        else:
            out.append((a, b))
    return out


def _with_blanks(lines: Sequence[str], a: int, b: int) -> tuple[int, int]:
    """As many blank lines stay as stood on the side that had more; none at the ends of a file or behind a head."""
    above = 0
    while a - above > 0 and not lines[a - above - 1].strip():
        above += 1
    below = 0
    while b + below < len(lines) and not lines[b + below].strip():
        below += 1
    if a - above == 0:
        return a, b + below
    if b + below == len(lines):
        return a - above, b
    if lines[a - 1].rstrip().endswith(":") and not above:
        return a, b + below
    if not above or not below:
        return a, b
    if indent_of(lines[b + below]) < indent_of(lines[a]):
        return a - above, b
    return (a, b + below) if above >= below else (a - above, b)


def whole(src: Source, node: ast.stmt) -> tuple[int, int]:
    """A definition with the comment that stands right on top of it."""
    first, last = src.first_line(node), src.last_line(node)
    if isinstance(node, Function | ast.ClassDef):
        top = first
        while top > 0 and re.match(rf"{src.indent(node)}#(?!!)", src.lines[top - 1]):
            top -= 1
        if top == 0 or not src.lines[top - 1].strip() or src.lines[top - 1].rstrip().endswith(":"):
            first = top
    return first, last


# -- what is meant ---------------------------------------------------------------------------------------------------

_PLURAL = re.compile(
    r"(?:(?:all|both|every|each|any)\s+(?:of\s+)?(?:the\s+)?(?:\w+\s+)?\w+|(?:the\s+)?(?:two|three)\s+\w+)", re.I
)
_NOT_MINE = re.compile(
    r"\b(?:comments?|(?<!that )(?<!which )prints|print (?:statements|calls|lines)|docstrings?|decorators?|(?:type )?(?:hints?|annotations?)|unreachable|dead code|parameters?|params?|arguments?|args?|imports?|keys?|entry|items?|elements?|option|flag|field|base class|whitespace|semicolons?|parenthes[ei]s|brackets?|quotes|prefix|suffix|duplicates?|nesting|spaces|newlines?|everything (?:after|below|behind)|(?:code|lines?|stuff|rest|part) (?:after|behind|below))\b",
    re.I,
)  # fmt: skip


def targets(talk: Talk, phrase: str, within: tuple[int, int] | None = None) -> list[list[Spot]]:
    """Each way to read what is to be taken out: one or several spots."""
    if (
        re.fullmatch(r"(?:this|the current|that) (?:whole |entire )?(?:function|method)", phrase, re.I)
        and talk.order.here
    ):
        inner = [
            node for node in talk.src.functions if (talk.src.first_line(node), talk.src.last_line(node)) == around(talk)
        ]
        return [[Spot(*whole(talk.src, node), node)] for node in inner]
    found = definitions(talk, phrase) or definitions(talk, _plain_name(phrase))
    if found:
        return [[Spot(*whole(talk.src, node), node)] for node in found]
    if (
        named := re.match(
            r"(?:the |unused |local |of )*(?:variable|var|local|constant) (\S+)|(?:the )?(\S+) (?:variable|constant)",
            phrase,
            re.I,
        )
    ) is not None:
        name = talk.plain(named[1] or named[2]).strip(" `'\"")
        if any(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load) for n in talk.src.nodes):
            return []
    spots = [spot for spot in find(talk, phrase, within) if not spot.header or _says_block(phrase)]
    spots = [spot for spot in spots if spot.node is not None or not _beheads(talk.src, spot)]
    if not re.search(r"\b(?:block|statement|whole|entire|lines?|everything|complete)\b|⟦", phrase, re.I):
        spots = [spot for spot in spots if not _holds_more(spot.node)]
    if spots:
        return [[spot] for spot in spots] if not _PLURAL.match(phrase) else [list(spots)]
    both = re.split(r"\s+(?:and|&|as well as|plus)\s+(?:also\s+)?|\s*,\s*", phrase)
    if len(both) == 2:
        one, two = (targets(talk, half, within) for half in both)
        if len(one) == len(two) == 1:
            return [[*one[0], *two[0]]]
    return []


def _holds_more(node: ast.stmt | None) -> bool:
    """Whether what is around the code may be meant, and not the code: *the try*, *the check* with an `else`."""
    return isinstance(node, ast.Try | ast.With | ast.AsyncWith) or (isinstance(node, ast.If) and bool(node.orelse))


def _beheads(src: Source, spot: Spot) -> bool:
    """Lines that hold the head of a block and leave some of what is in it."""
    return any(
        spot.first <= src.first_line(node) < spot.last < src.last_line(node)
        for node in src.statements
        if hasattr(node, "body")
    )


def _plain_name(phrase: str) -> str:
    text = re.sub(r"^(?:(?:the|that|this|old|whole|entire|unused|dead|all of|now|obsolete|useless|unneeded|existing)\s+)+", "", phrase.strip(), flags=re.I)  # fmt: skip
    return re.sub(r"\s+(?:again|entirely|completely|altogether|any ?more|here)$", "", text, flags=re.I)


def _says_block(phrase: str) -> bool:
    return re.search(r"\b(?:if|loop|for|while|with|try|block|statement|function|class|method|whole|entire)\b", phrase, re.I) is not None  # fmt: skip


def _delete(order: Order) -> Iterator[Edit]:
    talk = talk_of(order)
    for clause in clauses(talk):
        made = False
        for form in FORMS:
            match = form.fullmatch(clause.text)
            if match is None or (_NOT_MINE.search(match["t"]) and "⟦" not in match["t"]):
                continue
            for spots in targets(talk, match["t"], clause.within):
                changes = take_out(talk.src, [(spot.first, spot.last) for spot in spots])
                made = True
                yield order.edit(changes, *clause.used)
            if made:
                return


# -- a branch, a variable that nobody reads --------------------------------------------------------------------------


def _unused(order: Order) -> Iterator[Edit]:
    """*remove the unused variable*, *variables*: those that are set in a function and read nowhere."""
    talk = talk_of(order)
    match = re.fullmatch(
        rf"{DELETE} (?:the |all |any |all the )?(?:unused|unneeded|never used) (?:local )?(?:variables?|locals?|assignments?|vars?)(?: (?:in|from|inside|of) (?P<in>.+))?",
        talk.text,
        re.I,
    )
    if match is None:
        return
    src = talk.src
    for low, high in scopes(talk, match["in"]) if match["in"] else [(0, len(src.lines))]:
        found = [node for node in _unread(src) if low <= src.first_line(node) < high]
        if found:
            yield order.edit(
                take_out(src, [(src.first_line(n), src.last_line(n)) for n in found]), talk.noise, talk.plain(talk.text)
            )


def _unread(src: Source) -> Iterator[ast.stmt]:
    for function in src.functions:
        read = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Store)}
        kept = {name for n in ast.walk(function) if isinstance(n, ast.Global | ast.Nonlocal) for name in n.names}
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                pure = not any(isinstance(n, ast.Call | ast.Await | ast.Yield) for n in ast.walk(node.value))
                if name not in read and name not in kept and name != "_" and pure and src.function_of(node) is function:
                    yield node


def _branch(order: Order) -> Iterator[Edit]:
    """*delete the else branch*: with what is in it."""
    talk = talk_of(order)
    match = re.fullmatch(
        rf"{DELETE} (?P<t>(?:the )?(?:whole |entire )?(?:else|finally)(?: (?:branch|block|clause|part|case))(?: (?:in|of|for|to|from) .+)?)",
        talk.text,
        re.I,
    )
    if match is None:
        return
    phrase = re.sub(r"(?:whole|entire) ", "", match["t"])
    for spot in branch(talk, re.sub(r" from ", " in ", phrase)):
        yield order.edit(take_out(talk.src, [(spot.first, spot.last)]), talk.noise, talk.plain(talk.text))


_TRIGGER = re.compile(rf"\b(?:{_USELESS[3:-1]}|nothing|nobody|n't (?:really )?(?:used|called|required|necessary)|no need|no use|no point|don't|do not|stop|{DELETE[3:-1]}|gone|needed|needn't|go|goes|{_GONE[3:-1]}|without|not be|n't be|no longer|no sense|don't (?:need|want))\b|n't be\b", re.I)  # fmt: skip
RULES = (
    Rule(_TRIGGER, _delete),
    Rule(re.compile(r"\bunused|unneeded|never used", re.I), _unused),
    Rule(re.compile(r"\b(?:else|finally)\b", re.I), _branch),
)
