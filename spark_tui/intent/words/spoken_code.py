"""Code that is dictated: *log dot info open paren quote hi quote close paren* is `log.info("hi")`."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from spark_tui.intent.words.phrases import number
from spark_tui.pysource.syntax.parsing import parse
from spark_tui.tables import table_beside

_GLUES = frozenset(("_", "__"))
_SENTENCE = 8
"""The words that a text has at least whose last one is a sign."""
_CONSTANTS = {"true": "True", "false": "False", "none": "None"}


_table = table_beside(__file__, "spoken_code.toml")


def code_said(text: str, names: Collection[str]) -> str:
    """The code that words dictate; empty where they dictate none. Words in a row are a name: as one of
    `names` is spelled, or else with underscores."""
    words = text.strip(" .,").split()
    if len(words) < 2 or not all(re.fullmatch(r"[\w']+", word) for word in words):
        return ""
    if not {word.lower() for word in words} & {*_table()["words"]["telling"]}:
        return ""
    code = _joined(words, names).removesuffix(" =")
    signs = any(_sign(words, at) for at in range(len(words)))
    return code if signs and not re.search(r"[^_]_\Z", code) and parse(code) is not None else ""


def is_dictated(instruction: str) -> bool:
    """Whether an instruction has no sign and no capital letter at all, as a recorder writes what it hears."""
    return re.fullmatch(r"[a-z0-9\s]+", instruction) is not None


def text_said(text: str) -> str:
    """A dictated text with its signs: *spark hyphen requests*. At the end of a sentence *period* is one."""
    for words, sign in _table()["text"]["between"].items():
        text = text.replace(words, sign)
    for words, sign in _table()["text"]["end"].items():
        if text.endswith(words) and len(text.split()) >= _SENTENCE:
            text = text.removesuffix(words) + sign
    return text


def _joined(words: Sequence[str], names: Collection[str]) -> str:
    out: list[str] = []
    run: list[str] = []
    at = 0
    while at < len(words):
        if quoted := _quoted(words, at):
            out += [*_named(run, names), quoted[0]]
            run, at = [], quoted[1]
        elif sign := _sign(words, at):
            if sign[0] in _GLUES:
                run.append(sign[0])
            else:
                out += [*_named(run, names), sign[0]]
                run = []
            at = sign[1]
        else:
            run.append(words[at])
            at += 1
    code = " ".join([*out, *_named(run, names)])
    code = re.sub(r"\s*([.(\[)\]},:])", r"\1", code)
    code = re.sub(r"([.(\[{])\s*", r"\1", code)
    code = re.sub(rf"(?<!\w)({'|'.join(_table()['words']['keywords'])})\(", r"\1 (", code)
    return re.sub(r"([,:])(?=[\w\"'(\[{])", r"\1 ", code)


def _sign(words: Sequence[str], at: int) -> tuple[str, int] | None:
    """The sign whose words begin at a place, the longest first, and the place behind."""
    for many in (5, 4, 3, 2, 1):
        sign = _table()["signs"].get(" ".join(words[at : at + many]).lower())
        if sign is not None and at + many <= len(words):
            return sign, at + many
    return None


def _quoted(words: Sequence[str], at: int) -> tuple[str, int] | None:
    """The string that begins at a place, and the place behind its last quote."""
    start = _one_of("open", words, at)
    for end in range(start, len(words)) if start else ():
        if behind := _one_of("close", words, end):
            return '"' + " ".join(words[start:end]) + '"', behind
    return None


def _one_of(kind: str, words: Sequence[str], at: int) -> int:
    """The place behind a word for a quote; 0 where there is none."""
    for many in (3, 2, 1):
        if " ".join(words[at : at + many]).lower() in _table()["quotes"][kind] and at + many <= len(words):
            return at + many
    return 0


def _named(run: Sequence[str], names: Collection[str]) -> list[str]:
    """The names, numbers and keywords of words in a row."""
    out: list[str] = []
    name: list[str] = []
    for word in [*run, ""]:
        if word and word.lower() not in _table()["words"]["keywords"]:
            name.append(word)
            continue
        out += [_spelled(name, names)] if name else []
        name = []
        out += [word.lower()] if word else []
    return out


def _spelled(words: Sequence[str], names: Collection[str]) -> str:
    """One name, as it is spelled in the code if it is known there."""
    plain = [word.lower() for word in words]
    if len(words) == 1:
        return _CONSTANTS.get(plain[0]) or number(words[0]) or words[0]
    if _GLUES & {*plain}:
        return re.sub(r"(?<=[^_]) (?=[^_])", "_", " ".join(plain)).replace(" ", "")
    titled = [word.capitalize() for word in plain]
    snake = "_".join(plain)
    forms = (snake, "".join(titled), plain[0] + "".join(titled[1:]), snake.upper(), "_" + snake)
    return next((form for form in forms if form in names), snake)
