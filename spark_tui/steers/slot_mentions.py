"""What a clause of a message mentions: values, names, options, errors, operators, each with what sorts it may be of.

Comes in: a clause. Goes out: places and forms. Must not know: code, hunks, which of them are wanted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from spark_tui.refactor import literals
from spark_tui.refactor.saying import FILLERS
from spark_tui.steers.slot_forms import SCALES, SIGN_WORDS, TOKEN
from spark_tui.steers.terms import LEVELS, STRAY, sort_of

Form = tuple[str, str]
"""A sort, and what is written if it is of that."""


def mentions(part: str) -> Iterator[tuple[int, int, tuple[Form, ...], literals.Said | None]]:
    # What stands in the brackets of a call is not what is talked about.
    quoted = [match.span() for match in re.finditer(r"\"[^\"]*\"|(?<!\w)'[^']*'|`[^`]*`", part)]
    brackets = [match.span() for match in re.finditer(r"(?<=\w)\([^()\"'`]*\)", part)]
    taken = [span for span in brackets if not any(low < span[0] < high for low, high in quoted)]
    for said in literals.values(part):
        if said.quoted or any(low < said.end and said.start < high for low, high in taken):
            continue
        if (
            said.unit
            and part[said.start].isalpha()
            and part[said.start : said.end].lower().startswith(("a ", "an ", "every", "once"))
            and re.match(
                r"\s+(?!is|are|should|instead|please|pls|then|for|in|between|would|will|rather|at)[a-z]",
                part[said.end :],
            )
        ):
            continue
        sort = "number" if said.number is not None else "text" if said.is_text else "constant"
        taken.append((said.start, said.end))
        yield said.start, said.end, ((sort, said.source),), said
    for switch in re.finditer(r"\b(on|off|enabled|disabled)(?= by default\b)", part, re.I):
        taken.append(switch.span())
        yield *switch.span(), (("constant", str(switch[1].lower() in ("on", "enabled"))),), None
    for words, factor in SCALES:
        found = re.search(rf"\b(?:{words})\b", part, re.I)
        if found is not None:
            taken.append(found.span())
            yield found.start(), found.end(), (("scale", factor),), None
    for sign, words in SIGN_WORDS:
        found = re.search(rf"\b(?:{words})\b", part, re.I)
        if found is not None:
            yield found.start(), found.end(), (("operator", sign),), None
            break
    for match in TOKEN.finditer(part):
        if any(low < match.end() and match.start() < high for low, high in taken):
            continue
        kind, token = match.lastgroup or "", match[match.lastgroup or 0]
        forms = tuple(forms_of(kind, token))
        if forms:
            yield match.start(), match.end(), forms, None


def forms_of(kind: str, token: str) -> Iterator[Form]:
    if kind == "text":
        yield "text", token
        if re.fullmatch(r"[^\W\d]\w*", token[1:-1]):
            yield "quoted", token[1:-1]
        return
    if kind == "option":
        yield "option", token
        return
    if kind == "sign":
        yield "operator", token
        return
    if kind == "empty":
        yield "constant", token
        return
    word = token.removesuffix("()")
    if kind == "code" and not re.fullmatch(r"[\w.]+", word):
        yield ("option" if word.startswith("-") else "code"), word
        return
    sort = sort_of(word)
    if word in ("None", "True", "False"):
        yield "constant", word
        return
    if sort == "error":
        yield "error", word
    if word.lower() in LEVELS:
        yield "level", word.lower()
    if sort == "type" or re.match(r"\w+\[", word):
        yield "type", word
    if "[" in word:
        return
    yield "member", word
    yield "called", word
    code = kind == "code" or re.search(r"_|\d|[a-z][A-Z]|^[A-Z]{2}|\w\.\w", word) is not None or token.endswith("()")
    if code:
        yield "name", word
    elif sort not in ("type", "level", "error") and word.lower() not in STRAY | FILLERS and word.isidentifier():
        yield "word", word
