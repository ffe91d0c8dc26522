"""What a message names that the last edit has nothing to do with: a value beside it is none for that edit."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.codemods.slots import CALLABLE, CLASS, SymbolKind
from spark_tui.intent.context.lookup import key, names_of
from spark_tui.intent.context.situation import Candidate, Done, Situation
from spark_tui.intent.context.written_lines import changes_of_edit, functions_around, tokens_of
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.planning.resolve import find_candidates
from spark_tui.intent.reading.word_counts import is_code
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import OTHER_PLACES, PLACES, Reading, Span
from spark_tui.intent.words.tokens import Token, tokenize

_GIVING = frozenset(("amend.value", "amend.message", "amend.condition"))
_DEFINED = CALLABLE | CLASS
_VALUES = frozenset((SymbolKind.ATTRIBUTE, SymbolKind.VARIABLE, SymbolKind.PARAMETER, SymbolKind.LOCAL))
_SHORTEST, _SHORTEST_RENAMED = 3, 2
_CLAUSE = re.compile(r"[,;:!?–—](?=\s)|\.(?=\s)|[，。；：]")


def named_elsewhere(reading: Reading, situation: Situation) -> str:
    """The first name outside of the slots that stands neither in the lines of the last edit, old and new, nor
    in the message before, and is no function around them. A verb is not the function that is called so, a
    word right behind what is given belongs to it (*error level*), and a clause behind it says why. What gets
    another name was given its last one: *lo to low* is about `lo`, though it stands in the line."""
    changes, renames = changes_of_edit(situation), reading.intent == "amend.name"
    if not (reading.intent in _GIVING or renames) or not changes:
        return ""
    if situation.path not in situation.repo.index.paths:
        return ""
    lines = [line for change in changes for line in (() if renames else (*change.old, *change.new))]
    near = {token.text for line in lines for token in tokens_of(line)}
    near |= {name for change in changes for name in functions_around(change, situation.behind)}
    near |= {token.text for token in tokenize(situation.asked).items}
    repo = (situation.before or situation.repo) if renames else situation.repo
    known = names_of(repo, situation.path).in_file(situation.path)
    shortest = _SHORTEST_RENAMED if renames else _SHORTEST
    scopes = situation.repo.index.scopes(situation.path)
    used = {item.name for item in scopes.attributes}
    items = tokenize(situation.instruction).items
    spans = [(span, slot) for slot, own in reading.slots.items() for span in own]
    given = max((span.end for span, slot in spans if slot != "old"), default=0)
    ends = _CLAUSE.search(situation.instruction, given) if given > 0 else None
    for at, token in enumerate(items):
        if ends is not None and token.start >= ends.end():
            break
        held = [
            slot if not span.quoted else ""
            for span, slot in spans
            if span.start < token.end and token.start < span.end
        ]
        pieces = token.text.split(".")
        if token.kind != "name" or len(token.text) < shortest or not near.isdisjoint((token.text, *pieces)):
            continue
        first = pieces[0]
        kinds = {item.kind for item in known.get(key(first), ()) if item.name == first}
        kinds |= {SymbolKind.ATTRIBUTE} if token.text in used else set()
        belongs = 0 < given <= token.start and not situation.instruction[given : token.start].strip()
        becomes = bool(
            renames and kinds & _VALUES and at + 1 < len(items) and phrases.is_said("to", items[at + 1].text)
        )
        verb = _is_verb(items, at) and not becomes
        if verb or belongs or (held and held != ["message"]):
            continue
        if kinds & _DEFINED or (kinds & _VALUES and not held and not _is_general(token)):
            return token.text
    return ""


def renamed_elsewhere(reading: Reading, named: str, earlier: Done, situation: Situation) -> list[Candidate]:
    """The rename that the last edit was, of another name: *and lo to low*."""
    said = [slot for slot in earlier.slots if slot not in ("new", *PLACES, *OTHER_PLACES)]
    if reading.intent != "amend.name" or earlier.intent != "rename" or len(said) != 1:
        return []
    at = next(token.start for token in tokenize(situation.instruction).items if token.text == named)
    old = Span(at, at + len(named), named, False)
    slots = {**earlier.slots, said[0]: (old,), "new": reading.slots.get("new", ())}
    found = find_candidates(replace(earlier.reading, slots=slots), replace(situation, earlier=None))
    return [one for one in found if one.calls]


def _is_verb(items: tuple[Token, ...], at: int) -> bool:
    """Whether a word is the verb of an instruction, and not the subject of a statement or a name in code."""
    if is_code(items[at]):
        return False
    before, after = (items[at - 1] if at else None), (items[at + 1] if at + 1 < len(items) else None)
    table = followup_table()
    if after is not None and after.text.lower() in table["behind_subjects"]["words"]:
        return False
    return before is None or before.kind == "sign" or before.text.lower() in table["before_verbs"]["words"]


def _is_general(token: Token) -> bool:
    """Whether a word says what kind of thing is meant, also where something is called so."""
    low = token.text.lower()
    return low in followup_table()["general"]["words"] or low in phrases.words("kinds")
