"""Type hints: written, changed, told from what is there, taken away.

Comes in: orders. Goes out: edits of heads. Must not know: how plain they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import words
from spark_tui.refactor.signatures.guess import guessed
from spark_tui.refactor.signatures.heads import Head, annotation_change, returns_span
from spark_tui.refactor.signatures.imports import imports_for
from spark_tui.refactor.signatures.parameters import heads
from spark_tui.refactor.signatures.talk import Aim, accounted, mended, mentions
from spark_tui.refactor.signatures.words import NOISE, SAID_TYPE, type_said
from spark_tui.refactor.source import Change, Source

_HINT_WORDS = NOISE | frozenset(
    words(
        """type types typed typing untyped hint hints annotate annotated annotation annotations add added put specify specified declare declared document explicit insert behind correct
        correctly lies lie wrong missing return returns returned returning result results output comes come out callers caller gives give gives yields get gets should say so strict mark marks
        pyi ann001 ann201 ann expects expect accepts accept receives receive only ever always pass passes passed is be turns into signature complete full fully remains what write set that
        replace replaced switch instead rather expected no"""
    )
)
_RETURN = re.compile(
    r"\b(?:return(?:s|ed|ing)?|result|output|comes? out|gives(?: you)?|yields|callers?|ANN20\d)\b|->|→", re.I
)
_CONTEXT = re.compile(
    r"\b(?:typ(?:e|es|ed|ing)|untyped|hint\w*|annotat\w*|signature|mypy|pyright|ANN\d+|strict)\b|->|→", re.I
)
_SAYS = re.compile(
    r"\b(?:typ(?:e|es|ed|ing)|untyped|hint\w*|annotat\w*|signature|mypy|pyright|ANN\d+|strict|mark\w*)\b", re.I
)
_LINK = re.compile(
    r"(?:\b(?:as|back|gives|yields|is|are|be|type|types|typed|hint|annotated?|annotation|returns?|returning|return type|to|with|get|gets|of|the result is|should be|must be|takes|accepts|put|specify|use)|:|->|→)\s*(?:an?\s+)?$",
    re.I,
)
_STOP = re.compile(
    r"\b(?:default\w*|reject|turn|init|compare|initially|without|rename|raise|import|print|log|convert|cast|parse|decorator|docstring|dataclass|remov\w*|drop|delete|strip|optional\[|new (?:param\w*|arg\w*|option)|another (?:param\w*|arg\w*)|if|when|loop|field|attribute|constant|variable)\b",
    re.I,
)
_TYPE = re.compile(SAID_TYPE, re.I)
_MARK = re.compile(r"Ƥ(\d+) ")
_TOGETHER = re.compile(r"Ƥ\d+ (?:\s*(?:,|and|&|\+|/)\s*(?:and\s+)?Ƥ\d+ )*", re.I)
_WEAK = frozenset(words("type types text flag any self date set object number nothing none callback sequence"))
_STRONG = re.compile(r"(?:\bas|\bback|\bgives|\bis|\bbe|\bget|:|->|→|\breturns|\btype|\btyped)\s*(?:an?\s+)?$", re.I)
_PLAIN_TYPES = frozenset("int str float bool bytes ints strs floats bools string integer boolean strings integers booleans Any Path".split())  # fmt: skip  # noqa: SIM905


@dataclass(frozen=True, slots=True)
class Typed:
    start: int
    end: int
    source: str


def types_in(text: str, names: frozenset[str]) -> list[Typed]:
    """The types that are said, in their order."""
    out: list[Typed] = []
    at = 0
    while (match := _TYPE.search(text, at)) is not None:
        at = match.end()
        said = match[0]
        found = type_said(said, names)
        if said[0] == "`" and found is None:
            continue
        word = said.split()[-1] if " " in said else said
        if found is None or "Ƥ" in said or "Ƒ" in said:
            at = match.start() + max(1, len(re.match(r"\W*\w*", said)[0]))  # type: ignore[index]
            continue
        code = said[0] in "`'\"" or "[" in said or "|" in said or " of " in said or " to " in said or " or " in said
        if not code and word.lower() in ("type", "types"):
            continue
        before = text[: match.start()]
        if not code and word not in _PLAIN_TYPES and _LINK.search(before) is None:
            continue
        if not code and word.lower() in _WEAK and _STRONG.search(before) is None and not said.lower().startswith("a"):
            continue
        out.append(Typed(match.start(), match.end(), found))
    return out


def annotate(order: Order) -> Iterator[Edit]:
    for aim, of in heads(order):
        names = [item.name for item in of.items]
        text, _ = aim.marked(names)
        text = mended(text, _HINT_WORDS, order.identifiers)
        if _STOP.search(text):
            continue
        found = types_in(text, order.identifiers)
        if any(one.source == "optional" or f'"--{name}"' in order.src.text for one in found for name in names):
            continue  # a default is wanted; the option of the command line is meant as well
        pairs = _pairs(text, found, of) if found else None
        if (
            pairs is None
            and found
            and len(found) == 1
            and _SAYS.search(text)
            and not _MARK.search(text)
            and re.search(r"\b(?:\w+s\b\W*(?:$|all|only)|all\b)", text[found[0].start :])
        ):
            pairs = _all_alike(order.src, of, found[0])
        if not pairs:
            continue
        edit = _edit(aim, of, pairs, [text[one.start : one.end] for one in found])
        if edit is not None:
            yield edit


def _all_alike(src: Source, of: Head, one: Typed) -> list[tuple[str, str]] | None:
    """*type hints for f (floats)*."""
    own = [item.name for item in of.items if item.arg is not None and item.arg.annotation is None]
    own = own[1:] if of.bound else own
    back = guessed(src, of).get("")
    if not own or back is None:
        return [(name, one.source) for name in own] + [("", one.source)] if own and back is None else None
    return [(name, one.source) for name in own] + [("", "None" if back == "None" else one.source)]


def _pairs(text: str, found: list[Typed], of: Head) -> list[tuple[str, str]] | None:
    """What gets which type; the return is the one without a name. None where a type belongs to nothing."""
    out: list[tuple[str, str]] = []
    for at, one in enumerate(found):
        before = text[found[at - 1].end if at else 0 : one.start]
        after = text[one.end : found[at + 1].start if at + 1 < len(found) else len(text)]
        own = re.search(r"([^\W\d]\w*)\W?\s*:\s*[`'\"]?$", before)
        if own is not None and not own[1].startswith(("Ƥ", "Ƒ")) and own[1].lower() not in _HINT_WORDS:
            return None
        back = max((match.end() for match in _RETURN.finditer(before)), default=-1)
        groups = [match for match in _TOGETHER.finditer(before) if not re.search(r"\Wnot\W*$", before[: match.start()])]
        if back >= 0 and not (groups and groups[-1].start() > back):
            if not (_SAYS.search(text) or re.search(r"(?:->|→)\W*$", before)):
                return None
            out.append(("", one.source))
        elif re.search(r"\bgets?\W*$", before) and re.match(r"\W*\s(?:from|out of|back)\b", after):
            out.append(("", one.source))
        elif groups:
            out += [(of.items[int(mark[1])].name, one.source) for mark in _MARK.finditer(groups[-1][0])]
        elif (later := _TOGETHER.search(after)) is not None and not re.match(r"\s*(?:,|;|\.\s)", after):
            out += [(of.items[int(mark[1])].name, one.source) for mark in _MARK.finditer(later[0])]
        elif _RETURN.search(after) is not None and _CONTEXT.search(text):
            out.append(("", one.source))
        else:
            return None
    names = [name for name, _ in out]
    return out if len(names) == len(set(names)) else None


def _edit(aim: Aim, of: Head, pairs: list[tuple[str, str]], said: list[str]) -> Edit | None:
    src = aim.src
    changes: list[Change] = []
    for name, source in pairs:
        if not name:
            start, end = returns_span(src, of)
            new = f" -> {source}"
            changes += [(start, end, new)] if src.text[start:end] != new else []
        elif (change := annotation_change(src, of, name, source)) is not None:
            changes.append(change)
    if not changes:
        return None
    changes = imports_for(src, [source for _, source in pairs]) + changes
    names = [name for name, _ in pairs if name]
    taken = [aim.text[one.start : one.end] for one in mentions(aim.text, names)]
    return aim.edit(changes, *said, *names, *taken, *accounted(aim.text, _HINT_WORDS))


# -- without types ---------------------------------------------------------------------------------------------------

_ADD = re.compile(r"\b(?:type[- ]?hint\w*|hints?|annotat\w*|type annotations?|types|typed|type)\b", re.I)
_TAKE = re.compile(
    r"\b(?:remov\w*|drop\w*|delet\w*|strip\w*|lose|kill|cut|ditch|rid|take|throw|nuke|erase|without|no|untype\w*|can go|go$|have to go|has to go|must go|must not|should not|shouldn't|noisy|too many|leave|get rid|away|not)\b",
    re.I,
)
_TAKE_WORDS = NOISE | frozenset(
    words(
        """remove removed removing drop dropped delete deleted strip lose kill cut ditch rid take throw nuke erase without untype untyped untyping go away out off too many much noisy leave type types typing typed hint hints
        annotation annotations annotated signature all python get rid must should python2 return have has gone them clean also no"""
    )
)
_GUESS_WORDS = NOISE | frozenset(
    words(
        "add put annotate annotated annotation annotations type types typed typing hint hints fully signature missing complete full whole return write where told infer parameters untyped some proper"
    )
)


def annotate_unsaid(order: Order) -> Iterator[Edit]:
    """*add type hints to f*: where every type can be told."""
    for aim, of in heads(order):
        names = [item.name for item in of.items]
        text, said = aim.marked(names)
        text = mended(text, _GUESS_WORDS, order.identifiers)
        if (
            not _ADD.search(text)
            or re.match(r"(?:which|what|does|do|is|are|why|how|where)\b", text, re.I)
            or _TAKE.search(text)
            or _STOP.search(text)
            or types_in(text, order.identifiers)
        ):
            continue
        types = guessed(order.src, of)
        own = [item for item in of.items if item.arg is not None][1 if of.bound else 0 :]
        only_return = re.search(r"\breturn\b", text) is not None and not said
        wanted = [names[at] for at in said] or (
            [] if only_return else [one.name for one in own if one.arg and one.arg.annotation is None]
        )
        back = of.function.returns is None and not said
        if any(name not in types for name in wanted) or (back and "" not in types):
            continue
        pairs = [(name, types[name]) for name in wanted] + ([("", types[""])] if back else [])
        edit = _edit(aim, of, pairs, []) if pairs else None
        if edit is not None:
            yield aim.edit(_changes(aim, of, pairs), *names, *accounted(aim.text, _GUESS_WORDS))


def _changes(aim: Aim, of: Head, pairs: list[tuple[str, str]]) -> list[Change]:
    changes = [change for name, source in pairs if name and (change := annotation_change(aim.src, of, name, source))]
    changes += [(*returns_span(aim.src, of), f" -> {source}") for name, source in pairs if not name]
    return imports_for(aim.src, [source for _, source in pairs]) + changes


def remove_annotations(order: Order) -> Iterator[Edit]:
    for aim, of in heads(order):
        names = [item.name for item in of.items]
        text, said = aim.marked(names)
        text = mended(text, _TAKE_WORDS, order.identifiers)
        if not _TAKE.search(text) or not re.search(
            r"\b(?:hints?|annotations?|types|typing|untype\w*|annotated|type)\b", text, re.I
        ):
            continue
        if re.search(
            r"\b(?:import|comment|docstring|check|unused|missing|add|no type hints?, add|has no|not annotated)\b",
            text,
            re.I,
        ):
            continue
        back = re.search(r"\breturn\b", text, re.I) is not None
        too = re.search(r"\b(?:also|and|including|too)\b[^.]*\breturn\b", text, re.I) is not None
        only = (
            [names[at] for at in said]
            if said
            else []
            if back and not too
            else [item.name for item in of.items if item.arg]
        )
        changes = [
            change for name in only if _annotated(of, name) and (change := annotation_change(order.src, of, name, None))
        ]
        if of.function.returns is not None and (back or not said):
            start, end = returns_span(order.src, of)
            changes.append((start, end, ""))
        if changes:
            taken = [aim.text[one.start : one.end] for one in mentions(aim.text, only)]
            yield aim.edit(changes, *only, *taken, *accounted(aim.text, _TAKE_WORDS))


def _annotated(of: Head, name: str) -> bool:
    arg = of.items[of.index(name)].arg
    return arg is not None and arg.annotation is not None


RULES: tuple[Rule, ...] = (
    Rule(
        re.compile(
            r":|->|→|\b(?:typ|hint|ann|is\b|param|as|for|return|result|get|gives|be|callers|bool|str|int|float|mypy|pyright|should)",
            re.I,
        ),
        annotate,
    ),
    Rule(re.compile(r"typ|hi?nt|an?nota|annotate|anto?n", re.I), annotate_unsaid),
    Rule(re.compile(r"typ|h[in]+t|ann?o?t|anto?n", re.I), remove_annotations),
)
