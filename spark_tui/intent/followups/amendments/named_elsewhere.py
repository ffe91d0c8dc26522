"""What a message names that the last edit has nothing to do with: a value beside it is none for that edit."""

from __future__ import annotations

import re

from spark_tui.codemods.slots import CALLABLE, CLASS, SymbolKind
from spark_tui.intent.context.lookup import key, names_of
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.context.written_lines import changes_of_edit, functions_around, tokens_of
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Reading
from spark_tui.intent.words.tokens import Token, tokenize

_GIVING = frozenset(("amend.value", "amend.message", "amend.condition"))
_DEFINED = CALLABLE | CLASS
_VALUES = frozenset((SymbolKind.ATTRIBUTE, SymbolKind.VARIABLE, SymbolKind.PARAMETER, SymbolKind.LOCAL))
_SHORTEST = 3
_CLAUSE = re.compile(r"[,;:!?–—](?=\s)|\.(?=\s)|[，。；：]")


def named_elsewhere(reading: Reading, situation: Situation) -> str:
    """The first name outside of the slots that stands neither in the lines of the last edit, old and new, nor
    in the message before, and is no function around them. A verb is not the function that is called so, a
    word right behind what is given belongs to it (*error level*), and a clause behind it says why."""
    changes = changes_of_edit(situation)
    if reading.intent not in _GIVING or not changes or situation.path not in situation.repo.index.paths:
        return ""
    near = {
        token.text for change in changes for line in (*change.old, *change.new) for token in tokens_of(line)
    }
    near |= {name for change in changes for name in functions_around(change, situation.behind)}
    near |= {token.text for token in tokenize(situation.asked).items}
    known = names_of(situation.repo, situation.path).in_file(situation.path)
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
        if token.kind != "name" or len(token.text) < _SHORTEST or token.text in near:
            continue
        kinds = {item.kind for item in known.get(key(token.text), ()) if item.name == token.text}
        kinds |= {SymbolKind.ATTRIBUTE} if token.text in used else set()
        belongs = 0 < given <= token.start and not situation.instruction[given : token.start].strip()
        if _is_verb(items, at) or belongs or (held and held != ["message"]):
            continue
        if kinds & _DEFINED or (kinds & _VALUES and not held and not _is_general(token)):
            return token.text
    return ""


def _is_verb(items: tuple[Token, ...], at: int) -> bool:
    """Whether a word is the verb of an instruction, and not the subject of a statement."""
    before, after = (items[at - 1] if at else None), (items[at + 1] if at + 1 < len(items) else None)
    table = followup_table()
    if after is not None and after.text.lower() in table["behind_subjects"]["words"]:
        return False
    return before is None or before.kind == "sign" or before.text.lower() in table["before_verbs"]["words"]


def _is_general(token: Token) -> bool:
    """Whether a word says what kind of thing is meant, also where something is called so."""
    low = token.text.lower()
    return low in followup_table()["general"]["words"] or low in phrases.words("kinds")
