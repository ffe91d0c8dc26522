"""From the words of a slot to the name of something new."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from spark_tui.codemods.signatures.called_parameters import parameters_called
from spark_tui.intent.context.described_names import is_form_of
from spark_tui.intent.context.lookup import plain_name, split_name
from spark_tui.intent.context.situation import Option, Unresolved
from spark_tui.intent.names.name_styles import in_style
from spark_tui.intent.values.converters.of_slots import SlotWords, converter
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import Doubt, DoubtKind


@converter
def name(slot: SlotWords) -> list[Option]:
    """A new name, in the style of the one that it replaces (`anchor.words["like"]`)."""
    shown = slot.span.text.strip().removeprefix("as ")
    old = slot.anchor.words.get("like", "")
    # `snake` is a name for what is in snake case already.
    if (made := in_style(shown, old)) and not (made == old and shown.isidentifier()):
        return [Option(made)]
    if not slot.span.quoted and _only_judges(slot):
        return []
    if not slot.span.quoted and not old and _is_kind(slot):
        raise Unresolved("the instruction does not say the name")
    text = shown if shown.isidentifier() else plain_name(shown)
    if text.isidentifier():
        return [Option(styled([text], old), 0.95) if _is_dictated(slot, text, old) else Option(text)]
    owner, dot, last = text.rpartition(".")
    if dot and last.isidentifier() and " " not in text:
        taken = Doubt(f"{text} was taken for the name {last}", DoubtKind.TAKEN_FOR)
        return [Option(last, doubts=() if _may_own(slot, owner) else (taken,))]
    parts = split_name(text) if re.fullmatch(r"[\w\s\-]+", text) else []
    if not parts:
        return []
    made = styled(parts, slot.anchor.words.get("like", ""))
    return [Option(made, 0.9) if made.isidentifier() else Option(text)]


def _may_own(slot: SlotWords, owner: str) -> bool:
    """Whether what stands in front of a new name is a class, a module or the object itself: in *log.error* it
    is something that has other names."""
    index, first = slot.context.repo.index, owner.rpartition(".")[2]
    known = any(one.kind == "class" for _, one in index.symbols(first)) or owner in ("self", "cls")
    return known or any(path.removesuffix(".py").endswith(owner.replace(".", "/")) for path in index.paths)


def _is_dictated(slot: SlotWords, new: str, old: str) -> bool:
    """Whether a plain word is the new name of a class or a constant whose own name is not typed as it is:
    *rename the error class to failure*."""
    plain = new.islower() and new.isalpha() and not slot.span.quoted
    typed = re.search(rf"(?<!\w){re.escape(old)}(?!\w)", slot.context.situation.instruction)
    return plain and old.strip("_")[:1].isupper() and typed is None


def _only_judges(slot: SlotWords) -> bool:
    """Whether words say what a name is like, and not which: *a better name*, *something more telling*."""
    text, span = slot.context.situation.instruction, slot.span
    before = re.search(r"\w+(?=\s+\Z)", text[: span.start])
    behind = re.match(r"\s+(\w+)", text[span.end :])
    beside = [found[found.lastindex or 0] for found in (before, behind) if found]
    said = [*span.text.split(), *filter(_says_of_name, beside)]
    judges = any(phrases.is_said("judged", word) for word in said)
    return judges and len(said) > 1 and all(map(_says_of_name, said))


def _is_kind(slot: SlotWords) -> bool:
    """Whether a word says what is made, and not what it is called: *into variables*, *to a function*."""
    rows = phrases.table()["symbol_kinds"].values()
    kinds = {one for row in rows for one in row if one.isalpha()}
    word, front = (
        slot.span.text.strip().lower(),
        slot.context.situation.instruction[: max(slot.span.start, 0)],
    )
    return (word in kinds or word.removesuffix("s") in kinds) and _made_into().search(front) is not None


@lru_cache(maxsize=1)
def _made_into() -> re.Pattern[str]:
    into, articles = ("|".join(map(re.escape, phrases.words(kind))) for kind in ("to", "articles"))
    return re.compile(rf"(?<!\w)(?:{into})\s+(?:(?:{articles})\s+)?\Z", re.IGNORECASE)


def _says_of_name(word: str) -> bool:
    return any(phrases.is_said(kind, word) for kind in ("judged", "called", "articles"))


def styled(parts: list[str], like: str) -> str:
    """Words joined as another name is: CONSTANT, ClassName, camelCase, or snake_case."""
    bare = like.strip("_")
    lead = like[: len(like) - len(like.lstrip("_"))]
    if bare.isupper() and len(bare) > 1:
        return lead + "_".join(parts).upper()
    if bare[:1].isupper():
        return lead + "".join(part.capitalize() for part in parts)
    if re.search(r"[a-z][A-Z]", bare):
        return lead + parts[0] + "".join(part.capitalize() for part in parts[1:])
    return lead + "_".join(parts)


@converter
def constant_name(slot: SlotWords) -> list[Option]:
    """A name for a constant: words become `MAX_RETRIES`."""
    text = slot.span.text.strip().strip("`'\"")
    if text.isidentifier():
        return [Option(text)]
    parts = split_name(plain_name(text))
    return [Option("_".join(parts).upper(), 0.9)] if parts else []


@converter
def keyword(slot: SlotWords) -> list[Option]:
    """The name of a keyword argument, as the call has it already."""
    called = slot.anchor.words.get("called", "")
    node = slot.anchor.node
    known = isinstance(node, ast.Call) and any(item.arg == called for item in node.keywords)
    if known or (meant := _parameter_meant(slot)):
        return [Option(called)] if known else meant
    spoken = phrases.lookup("argument_names", slot.span.text)
    return [Option(spoken)] if spoken else name(slot)


def _parameter_meant(slot: SlotWords) -> list[Option]:
    """The one parameter of what is called that a word is another form of: `description` of *describe*."""
    node, text = slot.anchor.node, plain_name(slot.span.text)
    if not isinstance(node, ast.Call) or slot.anchor.path not in slot.context.repo.index.paths:
        return []
    taken = parameters_called(slot.context.repo, slot.context.source(slot.anchor.path), node)
    forms = [item for item in taken if is_form_of(text.lower(), item)]
    return [Option(forms[0])] if len(forms) == 1 and text not in taken else []
