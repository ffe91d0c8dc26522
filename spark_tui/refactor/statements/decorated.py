# ruff: noqa: E501 - tables of words and forms read better unbroken
"""Decorators that an order spells without their sign: *skip the class: unittest.skipIf(sys.platform == "win32", "posix")*.

Comes in: an order. Goes out: what comes of it where the sign is there. Must not know: where decorators stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.refactor.order import Edit, Order, Rule

_KNOWN = re.compile(
    r"(?<![@\w.`\"'])(?:(?:unittest\.)?(?:skip|skipIf|skipUnless|expectedFailure)|pytest\.(?:mark\.\w+|fixture)|(?:functools\.)?(?:lru_cache|cache|wraps|cached_property|total_ordering|singledispatch)|(?:mock\.|unittest\.mock\.)?patch(?:\.\w+)?|\w+\.(?:route|get|post|put|delete|patch|command|group|option|argument|task|on_event|exception_handler|errorhandler|before_request|after_request|login_required|setter)|retry|njit|jit|override_settings|require_\w+|permission_required|login_required|abc\.abstractmethod|contextlib\.contextmanager|dataclasses?\.dataclass|atexit\.register)(?=[(\s,.]|$)"
)
_CLASS = re.compile(r"\b(?:the |this |that )?(?:whole |entire )?(?:test )?class\b(?! `?[A-Z])", re.I)
_MEANT = re.compile(
    r"\b(?:decorat\w*|put|add|apply|use|on|skip|mark|annotate|with|give|needs?|register|above|over)\b|:", re.I
)


def _decorated(order: Order) -> Iterator[Edit]:
    from spark_tui.refactor.signatures.decorators import add_decorator

    said = order.said
    found = [
        one for one in _KNOWN.finditer(said) if "." in one[0] or "_" in one[0] or said[one.end() : one.end() + 1] == "("
    ]
    if len(found) != 1 or "@" in said or not _MEANT.search(said):
        return
    at = found[0].start()
    code = next((one for one in order.code if said.startswith(one, at)), found[0][0].rstrip(" ,"))
    if "(" not in code and "." not in code and not re.search(r"\bdecorat", said):
        return
    rest = f"{said[:at]} {said[at + len(code) :]}"
    classes = order.src.classes
    target = classes[0].name if _CLASS.search(rest) and len(classes) == 1 else ""
    named = [node.name for node in (*order.src.functions, *classes) if re.search(rf"(?<![\w.]){node.name}\b", rest)]
    target = target or (named[0] if len(named) == 1 else "")
    if not target or re.search(r"\b(?:not|if|when|unless|instead|import|from|call|return)\b", rest, re.I):
        return
    for edit in add_decorator(replace(order, instruction=f"put @{code} on {target}")):
        words = (
            "decorate decorator decorators decorated put add apply use skip mark whole entire test class register",
            code,
            target,
        )
        yield order.edit_text(edit.text, *words)


RULES = (Rule(_KNOWN, _decorated),)
