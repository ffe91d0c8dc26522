"""What can be said next where the built-in model had no edit for an instruction.

Comes in: the reason that a turn ended with, and what was asked. Goes out: one sentence with the nearest form of words
that programs read. Must not know: doors, models.
"""

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
_SILENT = ("cannot", "no_edit")


def advice(reason: str, instruction: str) -> str:
    """How the same may be said so that it is read; empty where the reason is another one."""
    if reason not in _SILENT:
        return ""
    asked = re.sub(r"@\S+", " ", instruction).lower()
    form = next((form for words, form in _FORMS if re.search(words, asked)), _ANY)
    return f"try it with the place and the value spelled out, as: {form}"
