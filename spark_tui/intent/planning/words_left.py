"""What an instruction says and its edit leaves out: a condition, or words that no slot holds."""

from __future__ import annotations

import re
from keyword import iskeyword

from spark_tui.codemods.families.functions.signature import AddParameter
from spark_tui.intent.conditions.condition_phrases import alike
from spark_tui.intent.context.written_lines import changes_of_edit
from spark_tui.intent.planning.callers_kept import callers_kept
from spark_tui.intent.planning.certainty import RankedEdit, find_overlooked
from spark_tui.intent.planning.said_branches import branches_kept
from spark_tui.intent.planning.words_unheard import find_unheard, touched
from spark_tui.intent.words import phrases
from spark_tui.intent.words.reasons import is_reason
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.words import word_set

_CLAUSE = re.compile(
    r"(?<![\w(])(?:if|when|unless|until|as long as|only when|whenever|while|provided|providing|assuming"
    r"|wenn|falls|sofern|solange|quand|lorsque|sauf si|tant que|cuando|salvo que)"
    r"\s+(?!(?:you|possible|needed|necessary|not|nobody|somebody|someone|anyone|no one|told|man|vous)\b)"
    r"\w+\W+\w[^.;\n]*|(?:除非|如果)[^。；\n]+",
    re.IGNORECASE,
)
"""A condition of an order. Courtesies are none, nor is what says that a value is not given: *if not set*."""
_OF_FAILURES = ("fix_", "try_", "add_handler", "set_except", "log_exception", "raise_from", "add_retry")
"""The intents, or how they begin, that are done because of a condition and have no slot for it."""
_IFS = ("invert_if", "early_return", "merge_ifs", "ternary", "if_statement", "remove_else", "elif")
_OF_AN_IF = word_set("if_to_match if_to_lookup add_else add_elif add_main_guard unwrap_if") | {
    f"pattern.{name}" for name in _IFS
}
"""The intents that are about an `if`: *invert the if at line 3*."""


_AS_SCRIPT = re.compile(
    r"\b(?:execut|run|call|start|launch)\w*\b.*\b(?:script|directly|program)\b", re.IGNORECASE
)
_COUNTED = re.compile(r"[ -]([^\W\d_]{3,})(?!\w)")


def counted_left(found: RankedEdit) -> str:
    """A new number with the word after it that says what it counts, where neither the last edit nor what was
    asked for has it: *20 sided*."""
    situation, reading = found.situation, found.executed.candidate.reading
    for span in reading.slots.get("value", ()):
        word = _COUNTED.match(situation.instruction, span.end) if span.text[-1:].isdigit() else None
        if (
            word is None
            or word[1].lower() in phrases.words("behind_values")
            or phrases.duration(f"1 {word[1]}") is not None
        ):
            continue
        changes = changes_of_edit(situation)
        known = " ".join([situation.asked, *(line for item in changes for line in (*item.old, *item.new))])
        if word[1].lower().rstrip("s") not in known.lower():
            return f"{span.text}{word[0]}"
    return ""


def words_left(found: RankedEdit) -> str:
    """What a first order or an amendment says and its edit leaves out; empty for nothing."""
    first = found.situation.earlier is None
    heard = branches_kept(found)[0] if first else []
    left = (first and find_overlooked(found, heard)) or clause_left(found) or find_unheard(found)
    if first and not left:
        left = purpose_left(found) or message_left(found) or name_left(found)
    return left or ("" if first else counted_left(found))


_PARTS = re.compile(r"[,;:.!?]\s+|\s(?:and|und|et|y)\s|[，；。：]")
_OF_PARAMETERS = re.compile(
    r"(?i)\b(?:optional|keyword|positional|last|first|default|typed?|callers?|argument|parameter|please"
    r"|thanks|bitte|danke|merci|gracias|aufrufer|standard|défaut|defecto|letzte[rn]?|dernier|último)\b"
)


def purpose_left(found: RankedEdit) -> str:
    """What a new parameter is for, where the edit only adds it and more is said than why: *stop after so
    many*."""
    calls = found.executed.calls
    if not calls or not all(isinstance(one, AddParameter) for one in calls):
        return ""
    text, reading = found.situation.instruction, found.executed.candidate.reading
    spans = reading.spans
    start = found.start
    for end in [*(m.start() for m in _PARTS.finditer(text, found.start, max(found.end, 0))), found.end]:
        part = _PARTS.sub(" ", text[start:end]).strip()
        free = not any(span.start < end and start < span.end for span in spans)
        free = free and not _OF_PARAMETERS.search(part)
        if free and len(re.findall(r"\w+", part)) > 2 and not is_reason(part):
            return part
        start = end
    return ""


_MESSAGE = re.compile(
    r"(?i)\b(?:with|mit|avec|con)\s+(?:(?:an?|the|einer?|une?|una?|la)\s+)?(?:[^\W\d_]+\s+)?"
    r"(?:message|error text|hint|explanation|meldung|nachricht|hinweis|mensaje)\b"
    r"(?:(?!rather than|instead of|statt|anstatt|au lieu|en lugar|en vez)[^.;,\n])*"
)


def message_left(found: RankedEdit) -> str:
    """The message that an error is to have, where the edit gives it none: *with a helpful message*."""
    reading = found.executed.candidate.reading
    if reading.intent not in ("change_raised", "try_raise") or reading.slots.get("message"):
        return ""
    said = _MESSAGE.search(found.situation.instruction, found.start, max(found.end, 1))
    return said[0].strip() if said is not None else ""


def name_left(found: RankedEdit) -> str:
    """A word beside an exchanged number that is a name elsewhere in the file: *sleep 1 -> 0.5*, where another
    1 is exchanged."""
    one, situation = found.executed, found.situation
    reading = one.candidate.reading
    old = reading.text("old")
    if not (reading.intent.startswith("replace_") and re.fullmatch(r"-?[\d.]+", old)):
        return ""
    index, text = situation.repo.index, situation.instruction
    if situation.path not in index.modules.paths or (tree := index.source(situation.path).tree) is None:
        return ""
    names = {getattr(node, field, None) for node in walk(tree) for field in ("id", "attr", "arg", "name")}
    spans = reading.spans
    used = touched(index, one.plan, one.calls)
    for word in re.finditer(r"[^\W\d]\w{2,}", text[: found.end]):
        held = word.start() < found.start or any(span.start <= word.start() < span.end for span in spans)
        named = not held and word[0] in names and not iskeyword(word[0])
        if named and not any(alike(word[0].lower(), name) for name in used):
            return word[0]
    return ""


def clause_left(found: RankedEdit) -> str:
    """The condition after what is asked for that no slot holds any part of: it would be done in any case."""
    reading, text = found.executed.candidate.reading, found.situation.instruction
    spans = reading.held
    last = max((span.end for span in spans if span.end <= found.end), default=found.start)
    match = _CLAUSE.search(text, max(last, found.start), max(found.end, 1))
    code = reading.slots.get("code", ()) if reading.intent.startswith("insert_") else ()
    if match is None and code and (front := _CLAUSE.search(text, found.start, max(code[0].start, 0))):
        return front[0].strip(" ,:")  # *if there is no winner print "draw"*
    if match is None and (stay := callers_kept(found, max(last, found.start))):
        return stay
    if match is None or reading.intent.startswith(_OF_FAILURES):
        return ""
    about = match[0].lower().startswith("if ") and reading.intent in _OF_AN_IF
    about = about or (reading.intent == "add_main_guard" and _AS_SCRIPT.search(match[0]) is not None)
    return "" if about else match[0].strip()
