"""What a message makes of a text that an edit wrote: other words in the same form, another letter case,
quotes around its value."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Span

_PERCENT = re.compile(r"%[-+ 0]?\d*(?:\.\d+)?[sdrifgx]")
_BRACES = re.compile(r"(?<!\{)\{[^{}]*\}(?!\})")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
_EDGES = re.compile(r"\A(\s*)(?:.*?)((?:\\n|\s)*)\Z", re.DOTALL)
_CASES = ("upper", "lower", "title")
_QUOTES = "'\"“”„«»"


def whole_piece(span: Span, instruction: str) -> Span:
    """A span with the blanks up to the quotes around it: of `" - "` it may be only the dash."""
    if span.start < 0 or not span.text:
        return span
    start = len(instruction[: span.start].rstrip())
    end = len(instruction) - len(instruction[span.end :].lstrip())
    front, behind = instruction[:start][-1:], instruction[end : end + 1]
    is_piece = front and behind and front in _QUOTES and behind in _QUOTES
    if not is_piece or (start, end) == (span.start, span.end):
        return span
    return replace(span, start=start, end=end, text=instruction[start:end], quoted=True)


def reword_text(text: str, inner: str, given: Span) -> str | None:
    """The text of a literal with other words, or in the form that the words say; None where its values would
    be lost. What stands at its ends stays, and so does a value for which a number is given."""
    wording = given.text
    if not given.quoted and (formed := _in_form(text, inner, wording)) is not None:
        return formed
    is_f = "f" in text[: text.index(inner)].lower() if inner else False
    holes = _PERCENT.findall(inner) or (_BRACES.findall(inner) if is_f else [])
    if holes and not (_PERCENT if "%" in holes[0] else _BRACES).search(wording):
        numbers = _NUMBER.findall(wording)
        if len(holes) == len(numbers) == 1:
            wording = _NUMBER.sub(lambda _: holes[0], wording)
        elif "%" in holes[0]:
            return None
    edges = _EDGES.match(inner)
    front, behind = (edges[1], edges[2]) if edges is not None and inner.strip() else ("", "")
    front = "" if wording[:1].isspace() else front
    behind = "" if re.search(r"(?:\\n|\s)\Z", wording) else behind
    return front + wording + behind


def _in_form(text: str, inner: str, phrase: str) -> str | None:
    """The same words in another letter case, or with quotes around the one value."""
    words = phrase.lower().strip()
    case = next((one for one, form in zip(_CASES, _forms(), strict=True) if form.fullmatch(words)), None)
    if case is not None:
        parts = re.split(f"({_BRACES.pattern}|{_PERCENT.pattern}|\\\\.)", inner)
        return "".join(part if at % 2 else getattr(part, case)() for at, part in enumerate(parts))
    holes = _BRACES.findall(inner) if text[:1] in "fF" else _PERCENT.findall(inner)
    if len(holes) == 1 and phrases.is_said("in_quotes", words):
        quoted = holes[0].replace("%s", "%r") if "%" in holes[0] else holes[0][:-1] + "!r}"
        return inner.replace(holes[0], quoted) if "!" not in holes[0] and ":" not in holes[0] else None
    return None


@lru_cache(maxsize=1)
def _forms() -> tuple[re.Pattern[str], ...]:
    """How each letter case is said."""
    small = "|".join(map(re.escape, phrases.words("wholly")))
    known = [phrases.table()["transforms"][f"{{x}}.{case}()"] for case in _CASES]
    return tuple(
        re.compile(rf"(?:(?:{small})\s+)*(?:{'|'.join(map(re.escape, item))})(?:\s+(?:{small}))*")
        for item in known
    )
