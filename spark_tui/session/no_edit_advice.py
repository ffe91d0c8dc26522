"""Why an answer has no hunk, and what to try next."""

from __future__ import annotations

import re

_FORMS = (
    (r"docstring|document", 'add the docstring "What it is for." to NAME'),
    (r"renam|call(ed)? it", "rename OLD to NEW"),
    (r"default", "change the default of NAME to 5"),
    (r"rais(e|es|ing)|refus|validat|guard|check", 'raise ValueError("why") in FUNCTION when NAME is below 1'),
    (r"annotat|type hint|typed?\b", "annotate the parameter NAME of FUNCTION with int"),
    (r"param|argument|option|flag", "add the parameter NAME with default None to FUNCTION"),
    (r"remov|delet|drop", "remove the method NAME of CLASS"),
    (r"import", "add `import json` at the top"),
    (r"add|insert|put|log|call|return|begin|start", "insert `THE LINE` at the beginning of FUNCTION"),
)
_ANY = "rename OLD to NEW, or: change the default of NAME to 5"
_VERDICTS = {
    "cannot": "the model declined: it cannot do this",
    "no_edit": "the model sees nothing to change",
}
_CODE = re.compile(
    r"^[ \t>]*(```|~~~|@@ |(---|\+\+\+|\*\*\*) \S|(<{5,9}|-{5,9}) ?(SEARCH|ORIGINAL)|\{\""
    r"|<(edit|file|search)\b)",
    re.MULTILINE,
)
_SLOT = re.compile(r"`[^`]*`|\"[^\"]*\"|\b(?:[A-Z]{2,}|ValueError|None|int|\d+)\b(?:\(\"[^\"]*\"\))?")


def why_no_hunk(reason: str, answer: str, *, edited: bool = False) -> str:
    """Why a finished turn has no hunk. `answer`: its prose. `edited`: an edit was placed but changes
    nothing."""
    if reason in _VERDICTS:
        return _VERDICTS[reason]
    if edited:
        return "the edit changes nothing: the file already has this text"
    if has_code(answer):
        return "the answer contains code that spark could not place; ask again and name the file with @"
    return "the answer is text without an edit" if answer.strip() else "the answer is empty"


def has_code(answer: str) -> bool:
    """Whether an answer has code in it, or something that looks like an edit."""
    return _CODE.search(answer) is not None


def no_edit_advice(reason: str, instruction: str) -> str:
    """A wording to try where the model had no edit; never the one that was just used."""
    if reason not in _VERDICTS:
        return ""
    asked = re.sub(r"@\S+", " ", instruction).strip()
    form = next((form for words, form in _FORMS if re.search(words, asked.lower())), _ANY)
    if _has_form(asked, form):
        return "check the names in the instruction, or use a larger model"
    return f"try this form: {form}"


def _has_form(instruction: str, form: str) -> bool:
    """Whether the instruction is the form with its slots filled in."""
    words = [re.escape(part) for part in _SLOT.split(form)]
    return re.match(r"\S.*?".join(words), instruction, re.IGNORECASE | re.DOTALL) is not None
