"""Orders about comments: code that becomes one, one that becomes code again, comments that go.

Comes in: an order. Goes out: edits. Must not know: models; what new comments say (the family `docs` does).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import FILLERS, words
from spark_tui.refactor.source import Change, Source, indent_of, parse
from spark_tui.refactor.statements.delete import DELETE, FORMS, take_out
from spark_tui.refactor.statements.talk import Talk, talk_of
from spark_tui.refactor.statements.where import Spot, clauses, definitions, find, scopes

_SHOULD = r"(?:should|must|has to|have to|needs to|ought to|can|could)"
_OUT = tuple(
    re.compile(f"(?:{form})$", re.I)
    for form in (
        r"(?:comment|hash|rem|# ?)(?:-| )?out (?P<t>.+)",
        r"(?:comment|hash) (?P<t>.+?) out",
        r"(?P<t>.+?)\s*[:,–-]+ (?:comment(?:ed)?|hash) (?:it |this |them )?out",
        r"(?:put|add|place|insert|set|stick|have) (?:a |an? )?(?:#|hash(?: sign| mark)?|comment (?:sign|mark|char(?:acter)?))s? (?:sign )?(?:in front of|before|at the (?:start|beginning) of|on) (?P<t>.+)",
        r"(?:turn|make|convert|change|transform) (?P<t>.+?)(?: in)?to (?:a )?comments?",
        r"make (?P<t>.+?) (?:a|into a) comment",
        r"make (?:a )?comments? (?:of|out of|from) (?P<t>.+)",
        r"(?:disable|deactivate|switch off|turn off) (?P<t>.+?)(?: off)? (?:by commenting (?:it|them) out|with (?:a )?(?:#|hash|comment)|via (?:a )?comment)",
        r"(?:switch|turn) (?P<t>.+?) off with (?:a )?(?:#|hash|comment)",
        r"(?:keep|leave|have) (?P<t>.+?)(?: in)?,? (?:but )?(?:only )?(?:as a comment|commented(?: out)?|in a comment)",
        r"(?:do not|don't) (?:delete|remove) (?P<t>.+?),? (?:(?:just|only|but) )*comment (?:it|them|this) out(?: instead)?",
        rf"(?:shouldn't |should |can |could |must )?(?P<t>.+?) (?:{_SHOULD} )?(?:be|become) (?:a comment|commented(?: out)?|in a comment)",
        r"(?:i want to |i'd like to |to |let's )?(?:try|see|run|test) (?:it|this|what happens|how it (?:goes|works)) without (?P<t>.+?)[,;:]+ comment (?:it|them) out",
    )
)
_BACK = tuple(
    re.compile(f"(?:{form})$", re.I)
    for form in (
        r"(?:uncomment|un-comment|decomment) (?P<t>.+)",
        r"comment (?P<t>.+?) (?:back )?in(?: again)?",
        r"(?:bring|put|take|turn|enable|activate|switch|re-?enable|re-?activate|restore)(?: back)? (?P<t>.*?(?:comment\w*(?:[- ]out)?).*?)(?: back(?: in)?| on| again| into code)*",
        r"(?:remove|drop|take away|delete) the (?:#|hash|comment (?:sign|mark))s? (?:from|before|in front of|on|at|of) (?P<t>.+)",
        rf"(?P<t>.+?) (?:{_SHOULD} )be (?:uncommented|code again|active again|commented (?:back )?in)",
    )
)


# -- code to comments ------------------------------------------------------------------------------------------------


def comment_out(src: Source, first: int, last: int) -> list[Change]:
    held = [line for line in src.lines[first:last] if line.strip()]
    if not held or all(line.lstrip().startswith("#") for line in held):
        return []
    depth = min((indent_of(line) for line in held), key=len)
    new = [f"{depth}# {line[len(depth) :]}" if line.strip() else line for line in src.lines[first:last]]
    gone = take_out(src, [(first, last)])
    if any("pass" in change[2] for change in gone):
        new.append(f"{depth}pass")
    return [(*src.line_span(first, last), "".join(f"{line}\n" for line in new))]


def _comment_out(order: Order) -> Iterator[Edit]:
    talk = talk_of(order)
    for clause in clauses(talk):
        for form in _OUT:
            match = form.fullmatch(clause.text)
            if match is None:
                continue
            found = _targets(talk, match["t"], clause.within)
            for spots in found:
                changes = [change for spot in spots for change in comment_out(talk.src, spot.first, spot.last)]
                if changes:
                    yield order.edit(changes, *clause.used)
            if found:
                return


def _targets(talk: Talk, phrase: str, within: tuple[int, int] | None) -> list[list[Spot]]:
    text = re.sub(r"^(?:the|that|this)\s+", "", phrase.strip(), flags=re.I)
    nodes = definitions(talk, text)
    if nodes:
        return [[Spot(talk.src.first_line(node), talk.src.last_line(node), node)] for node in nodes]
    found = [spot for spot in find(talk, phrase, within) if not spot.header]
    if found:
        every = re.match(r"(?:all|both|every|each)\b|(?:the )?\w*prints\b", phrase.strip(), re.I)
        return [list(found)] if every else [[spot] for spot in found]
    both = re.split(r"\s+(?:and|&)\s+|\s*,\s*", phrase)
    if len(both) == 2:
        one, two = (_targets(talk, half, within) for half in both)
        if len(one) == len(two) == 1:
            return [[*one[0], *two[0]]]
    return []


# -- comments to code ------------------------------------------------------------------------------------------------


def _uncomment(order: Order) -> Iterator[Edit]:
    talk = talk_of(order)
    for clause in clauses(talk):
        for form in _BACK:
            match = form.fullmatch(clause.text)
            if match is None:
                continue
            made = False
            for first, last in _commented(talk, match["t"]):
                new = [_bared(line) for line in talk.src.lines[first:last]]
                text = talk.src.with_lines(first, last, new)
                if parse("".join(f"{line}\n" for line in talk.src.headers) + text) is not None:
                    made = True
                    yield order.edit_text(text, *clause.used)
            if made:
                return


def _bared(line: str) -> str:
    match = re.match(r"(\s*)#( ?)(.*)$", line)
    return line if match is None else (match[1] + match[3]).rstrip()


def _blocks(src: Source) -> list[tuple[int, int]]:
    """Runs of lines that are comments and, without their sign, code."""
    out: list[tuple[int, int]] = []
    for at, line in enumerate(src.lines):
        if re.match(r"\s*#(?![!:])", line):
            if out and out[-1][1] == at and indent_of(src.lines[at - 1]) == indent_of(line):
                out[-1] = (out[-1][0], at + 1)
            else:
                out.append((at, at + 1))
    return out


def is_code(text: str) -> bool:
    """Whether the text of a comment was code once: prose seldom parses, and has no signs."""
    body = text.strip()
    closed = body + "\n    pass" if body.endswith(":") else body
    tree = parse(closed) or parse(f"if x:\n    pass\n{closed}")
    return tree is not None and bool(re.search(r"[=()\[\]]|^(?:return|raise|import|from|break|continue|pass)\b", body)) and not re.match(r"(?:TODO|FIXME|type:|noqa|pylint|fmt:)", body)  # fmt: skip


def _commented(talk: Talk, phrase: str) -> list[tuple[int, int]]:
    src = talk.src
    text = re.sub(r"^(?:the|that|this|all|those|these)\s+", "", phrase.strip(), flags=re.I)
    if (match := re.match(r"(?:lines?|ln|l)\.?\s*#?(\d+)(?:\s*(?:-|to|and|through|&)\s*(?:lines?|ln|l)?\s*(\d+))?$", text, re.I)) is not None:  # fmt: skip
        first = int(match[1]) - talk.order.first_line
        last = int(match[2] or match[1]) - talk.order.first_line + 1
        return [(first, last)] if 0 <= first < last <= len(src.lines) else []
    code = [
        one
        for one in _blocks(src)
        if is_code("\n".join(_bared(line) for line in _dedented(src.lines[one[0] : one[1]])))
    ]
    lines = [
        (at, at + 1) for at, line in enumerate(src.lines) if re.match(r"\s*#", line) and is_code(_bared(line).strip())
    ]
    about = re.sub(
        r"\b(?:commented(?:[- ]out)?|comments?|code|lines?|blocks?|statement|call|out|in)\b", " ", text, flags=re.I
    )
    said = [word for word in words(talk.plain(about)) if word not in FILLERS]
    if not said:
        return code
    hits = [one for one in lines if all(word in words(src.lines[one[0]]) for word in said)]
    whole_ones = [one for one in code if any(one[0] <= hit[0] < one[1] for hit in hits)]
    return hits if len(hits) == 1 and re.search(r"\bline\b|⟦", text) else whole_ones or hits


def _dedented(lines: Sequence[str]) -> list[str]:
    depth = min((len(indent_of(line)) for line in lines if line.strip()), default=0)
    return [line[depth:] for line in lines]


# -- comments that go ------------------------------------------------------------------------------------------------

_ALL = re.compile(
    rf"(?:{DELETE}|strip off) (?:all |every |any |the |these |those |all the |all of the |my )*(?:\w+ )?(?:comments?|comment lines?|lines that are comments)(?: lines)?(?: (?P<in>(?:in|from|inside|of|within) .+))?$"
    r"|(?:code only,? )?(?:no|without|less|zero) (?:more )?comments(?: please| at all)?(?: (?P<in2>(?:in|inside) .+))?$"
    rf"|(?:there are |these are |that's |too |way |far )*too many comments(?:[,;:.]* (?:{DELETE} )?(?:them|them all|all of them|all|it))?$"
    rf"|(?:the )?code (?:speaks for itself|says it all|is clear enough|is self-explanatory|explains itself)[,;:.]* {DELETE} (?:all )?(?:the )?comments$"
    r"|(?:he |she |the reviewer |they )?(?:asked for|wants?) no comments$"
    r"|(?:all |the |all the |these |those )*comments (?:can|should|must|have to|need to) (?:go|be removed|be deleted|disappear)(?: (?P<in3>(?:in|from) .+))?$",
    re.I,
)  # fmt: skip
_LIES = re.compile(
    rf"(?P<t>.+?) (?:lies|is a lie|is misleading|is outdated|is out of date|is not true)(?:[,;:.]+ {DELETE} it)?$", re.I
)
_ONE = re.compile(
    r"(?:the |that |this |old |stale |useless |wrong )*(?:comment|remark|note)s?(?: line)?(?:(?: that says| which says| saying| about| with| on| in| at| above| over| before| below| after| reading| near| next to| of|:)* (?P<x>.+))?$|(?:the |that )*(?P<y>.+?) comment$",
    re.I,
)


def _whole_comments(src: Source) -> list[tuple[int, int, str]]:
    """Comments with the span of text that goes with them: the line, or the end of one."""
    out = []
    for line, column, text in src.comments:
        if not 0 <= line < len(src.lines) or text.startswith(
            ("#!", "# -*-", "# type:", "# noqa", "# fmt:", "# pragma")
        ):
            continue
        if re.search(r"#\s*(?:type:|noqa|pylint:|fmt:|pragma:|mypy:|pyright:|ruff:|nosec|isort:|pyrefly:)", text):
            continue
        if src.lines[line][:column].strip():
            end = src.starts[line] + len(src.lines[line])
            start = src.starts[line] + len(src.lines[line][:column].rstrip())
            out.append((start, end, text))
        else:
            out.append((*src.line_span(line, line + 1), text))
    return out


def _delete_comments(order: Order) -> Iterator[Edit]:
    talk = talk_of(order)
    src = talk.src
    for clause in clauses(talk):
        match = _ALL.fullmatch(clause.text)
        if match is not None and not re.search(r"\bcommented\b|\b(?:lines?|ln|l)\s*#?\d", clause.text):
            kept = match["in"] or match["in2"] or match["in3"]
            span = [clause.within] if clause.within else [(0, len(src.lines))]
            held = scopes(talk, re.sub(r"^\w+\s+", "", kept)) if kept else span
            word = re.search(r"(\w+) comments?\b", clause.text, re.I)
            kind = word[1].lower() if word else ""
            for low, high in (one for one in held if one is not None):
                found = [one for one in _whole_comments(src) if low <= src.line_at(one[0]) < high]
                if kind in ("todo", "fixme", "debug", "xxx", "hack"):
                    found = [one for one in found if kind in one[2].lower()]
                if found:
                    yield order.edit([(a, b, "") for a, b, _ in found], *clause.used)
            return
        for form in (*FORMS, _LIES):
            match = form.fullmatch(clause.text)
            if match is None:
                continue
            found = _meant(talk, match["t"])
            for a, b, _ in found:
                yield order.edit([(a, b, "")], *clause.used)
            if found:
                return


def _meant(talk: Talk, phrase: str) -> list[tuple[int, int, str]]:
    src = talk.src
    every = _whole_comments(src)
    if (
        task := re.fullmatch(r"(?:the |that |this |all )*(todo|fixme|xxx|hack)s?(?: comments?)?", phrase.strip(), re.I)
    ) is not None:
        return [one for one in every if task[1].lower() in one[2].lower()]
    code = talk.code(re.sub(r"^(?:the|that)\s+", "", phrase.strip()))
    if code is not None and (code.lstrip().startswith("#") or talk.is_text(phrase)):
        return [one for one in every if _says(one[2], code)]
    plain = talk.plain(phrase)
    spelled = [one for one in every if _says(one[2], plain)] if len(words(plain)) > 2 else []
    match = _ONE.match(phrase.strip())
    if match is None or spelled:
        return spelled
    about = match["x"] or match["y"]
    if not about:
        return every
    if (number := re.match(r"(?:the )?(?:lines?|ln|l)\.?\s*#?(\d+)$", about, re.I)) is not None:
        line = int(number[1]) - talk.order.first_line
        return [one for one in every if src.line_at(one[0]) == line]
    code = talk.code(about)
    if code is not None:
        found = [one for one in every if _says(one[2], code)]
        if found:
            return found
        spots = find(talk, about)
        return [one for one in every for spot in spots if src.line_at(one[0]) in (spot.first - 1, spot.first)]
    said = [word for word in words(talk.plain(about)) if word not in FILLERS]
    return [one for one in every if said and all(word in words(one[2]) for word in said)]


def _says(comment: str, text: str) -> bool:
    one, other = (re.sub(r"\W+", " ", part).strip().lower() for part in (comment, text))
    return bool(other) and (
        one == other or (len(other) > 8 and one.startswith(other)) or (len(other) > 12 and other in one)
    )


def _commented_code(order: Order) -> Iterator[Edit]:
    """*delete the commented-out code*: comments that were statements."""
    talk = talk_of(order)
    src = talk.src
    match = re.fullmatch(
        rf"{DELETE} (?:all |the |any |that |this |old |dead )*(?:commented(?:[- ]out)? (?:code|lines?|stuff|statements?|blocks?|prints?|calls?)|code (?:in|that is in) comments)(?: (?:in|from|inside) (?P<in>.+))?",
        talk.text,
        re.I,
    )
    if match is None:
        return
    for low, high in scopes(talk, match["in"]) if match["in"] else [(0, len(src.lines))]:
        gone = []
        for first, last in _blocks(src):
            lines = [_bared(line) for line in _dedented(src.lines[first:last])]
            if not low <= first < high:
                continue
            if is_code("\n".join(lines)) or all(is_code(line) for line in lines):
                gone.append((first, last))
            else:
                gone += [(first + at, first + at + 1) for at, line in enumerate(lines) if is_code(line)]
        if re.search(r"\bprints?\b", talk.text, re.I):
            gone = [(a, b) for a, b in gone if re.match(r"\s*#\s*print\(", src.lines[a])]
        if gone:
            yield order.edit(take_out(src, gone), talk.noise, talk.plain(talk.text))


RULES = (
    Rule(re.compile(r"\bcomment(?:ed|s|ing)?\b|#|\bhash\b", re.I), _comment_out),
    Rule(re.compile(r"\b(?:un-?comment\w*|de-?comment\w*|comment\w*)\b|#", re.I), _uncomment),
    Rule(re.compile(r"\bcomments?\b|#|\bremark|\bnote\b|\btodo|\bfixme|[\"']", re.I), _delete_comments),
    Rule(re.compile(r"\bcommented\b|\bcomments\b", re.I), _commented_code),
)
