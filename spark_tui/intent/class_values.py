"""What is meant by the name of a class: exceptions, annotations, decorators and bases."""

from __future__ import annotations

import builtins
import re

from spark_tui.intent import phrases
from spark_tui.intent.anchors import parsed
from spark_tui.intent.names import key, plain_name
from spark_tui.intent.phrases import singular
from spark_tui.intent.situation import Option
from spark_tui.intent.values import Said, converter


@converter
def exception(said: Said) -> list[Option]:
    """The class of an exception; several as a tuple."""
    text = said.span.text.strip().strip("`'\"()")
    parts = [
        one
        for one in re.split(
            r"\s*(?:,|\bor\b|\band\b|\bund\b|\boder\b|\bet\b|\bou\b|\by\b|\bo\b|和|或)\s*", text
        )
        if one
    ]
    found = [_exception(one) for one in parts]
    if any(one is None for one in found) or not found:
        return []
    known = [one for one in found if one is not None]
    return [
        Option(
            known[0][0] if len(known) == 1 else f"({', '.join(one[0] for one in known)})",
            min(one[1] for one in known),
        )
    ]


def _exception(text: str) -> tuple[str, float] | None:
    spoken = None
    if not hasattr(builtins, text):
        spoken = phrases.lookup("exceptions", text) or phrases.lookup("exceptions", text.replace("-", " "))
    if spoken is not None:
        return spoken, 0.95
    plain = singular(plain_name(re.sub(r"\(.*\Z", "", text)))
    if re.fullmatch(r"[\w.]+", plain):
        last = plain.rpartition(".")[2]
        if hasattr(builtins, last) and "." not in plain:
            return plain, 1.0
        spelled = {
            key(one): one
            for one in dir(builtins)
            if one.endswith(("Error", "Exception", "Warning", "Interrupt", "Exit", "Iteration"))
        }
        if key(plain) in spelled:
            return spelled[key(plain)], 0.97
        if key(f"{plain}error") in spelled:
            return spelled[key(f"{plain}error")], 0.9
    found = phrases.lookup("exceptions", plain)
    if found is not None:
        return found, 0.95
    return (
        (plain, 0.95)
        if (re.fullmatch(r"[^\W\d][\w.]*", plain) and plain[:1].isupper())
        or ("." in plain and " " not in plain)
        else None
    )


@converter
def type_(said: Said) -> list[Option]:
    """An annotation."""
    visible = (
        said.context.visible(said.anchor.path, None)
        if said.anchor.path in said.context.repo.index.paths
        else None
    )
    known = list(visible.module.values()) if visible is not None else []
    text = said.span.text.strip().strip("`'\"")
    found = phrases.type_code(text, [one for one in known if one[:1].isupper()])
    if found is None:
        return []
    return [Option(found)]


@converter
def decorator(said: Said) -> list[Option]:
    text = said.span.text.strip().strip("`'\"").removeprefix("@")
    text = phrases.without_articles(text).removeprefix("@") if parsed(text) is None else text
    text = re.sub(r"\s+decorator\Z", "", text)
    text = phrases.lookup("decorators", text) or text
    behind = said.context.situation.instruction[said.span.end :]
    brackets = re.match(r"\([^()]*\)", behind) if "(" not in text else None
    text += brackets[0] if brackets else ""
    return [Option(text)] if parsed(text) is not None else []


@converter
def base(said: Said) -> list[Option]:
    """A class by its name, in quotes or not."""
    return decorator(said)
