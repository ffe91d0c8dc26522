"""A thing that a message wants, as it is written in the place of what stands: its unit, its quotes, its shape.

Comes in: a slot, a thing and its form. Goes out: code, or nothing where the two do not go together. Must not know:
which slot is meant, sentences, engines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from spark_tui.refactor import literals
from spark_tui.refactor.values.written import in_manner_of, in_quotes_of
from spark_tui.steers.slot_words import Thing, is_known_error
from spark_tui.steers.slots import Slot, Slots, number_of
from spark_tui.steers.stands import Stands
from spark_tui.steers.terms import bare, sort_of


@dataclass
class Written:
    """Of one answer."""

    text: Stands
    asked: str

    @cached_property
    def slots(self) -> Slots:
        return Slots(self.text, self.asked)

    def code(self, slot: Slot, sort: str, form: str, thing: Thing) -> str | None:
        src = self.text.src.text
        if slot.sort == "number" and sort == "number":
            return self._number(slot, thing)
        if sort == "scale":
            old = number_of(slot.value)
            return None if old is None else in_manner_of(slot.value, literals.plain(old * float(form)))
        if slot.sort in ("number", "constant") and sort == "name":
            known = re.search(rf"(?<![\w.]){re.escape(form.split('.')[0])}(?!\w)", src)
            return form if known and (form.isupper() or "." in form) and not thing.naming else None
        if slot.value in ("True", "False") and form not in ("True", "False", "None"):
            return None
        if sort in ("number", "constant"):
            return form
        if slot.sort in ("text", "docstring", "key", "lookup"):
            return self._text(slot, sort, form)
        if slot.sort == "part":
            return bare(form)
        if slot.sort == "option":
            return (
                f"--{form.lstrip('-').replace('_', '-')}"
                if slot.value.startswith("--") and not re.match(r"-\w", form)
                else None
            )
        if slot.sort == "name":
            return self._name(slot, bare(form))
        if slot.sort == "error":
            return form if is_known_error(form, src) else None
        if slot.sort == "level":
            return form.upper() if slot.value.isupper() else form
        if slot.sort == "operator":
            return _sign(slot.value, form)
        if slot.sort == "member":
            return next((one for one in slot.role.split() if one.lower() == form.rpartition(".")[2].lower()), None)
        if slot.sort == "called":
            last = form.rpartition(".")[2]
            return last if last in slot.role.split() else None
        return form

    def _number(self, slot: Slot, thing: Thing) -> str | None:
        value = thing.value
        if value is None or value.number is None:
            return None
        held = self.slots.measure(slot)
        old = number_of(slot.value)
        new = value.source
        if value.unit or (held is not None and held[1] != 1.0):
            factor = self._factor(slot, value, held)
            if factor is None:
                return None
            new = literals.plain(value.number * factor) if factor != 1.0 else value.source
            if "*" in slot.value and held is not None and held[0].number is not None:
                scale = (
                    literals.UNITS.get(value.unit or held[0].unit, ("", 1.0))[1]
                    / literals.UNITS.get(held[0].unit, ("", 1.0))[1]
                )
                many = literals.plain(value.number * scale)
                first = re.sub(
                    rf"(?<![\w.]){re.escape(literals.plain(held[0].number))}(?![\w.])", many, slot.value, count=1
                )
                if first != slot.value and number_of(first) == literals.as_number(new):
                    return first
        if isinstance(old, float) and re.fullmatch(r"-?\d+", new):
            return f"{new}.0" if "." in slot.value else new
        return in_manner_of(slot.value, new)

    def _factor(self, slot: Slot, value: literals.Said, held: tuple[literals.Said, float] | None) -> float | None:
        """How much of the slot one of what was said is."""
        measure, size = literals.UNITS.get(value.unit, ("", 1.0))
        if held is not None and (not value.unit or held[0].unit == value.unit):
            return held[1]
        if held is not None and literals.UNITS.get(held[0].unit, ("", 1.0))[0] == measure:
            return size / literals.UNITS[held[0].unit][1] * held[1]
        if measure == "time":
            for words, base in (
                ("ms msec millis millisecond", 0.001),
                ("minute minutes min mins", 60),
                ("hour hours", 3600),
                ("day days", 86400),
            ):
                if set(words.split()) & slot.words:
                    return size / base
            return size
        if measure == "share":
            old = number_of(slot.value)
            return size if isinstance(old, float) and old <= 1 else 1.0
        return size

    def _text(self, slot: Slot, sort: str, form: str) -> str | None:
        old = self.text.src.segment(slot.node) if slot.node is not None and slot.role != "keyword" else ""
        if slot.role == "keyword":
            return form if sort in ("name", "word") else bare(form) if bare(form).isidentifier() else None
        if sort == "text":
            if form[0] in "fF" or (self._holes(form) and not form.startswith(("r", "R", "b", "B"))):
                return form if form[0] in "fF" else f"f{form}"
            inner = form[1:-1] if form[0] in "\"'" else form
            if not inner and slot.sort != "text":
                return None
            if slot.sort == "docstring":
                return in_quotes_of(old, inner)
            return in_quotes_of(re.sub(r"^[fF]", "", old), inner)
        if not re.fullmatch(r"[\w-]+", slot.value):
            return None
        return in_quotes_of(old, form)

    def _holes(self, form: str) -> bool:
        names = re.findall(r"\{([^\W\d]\w*)[^{}]*\}", form)
        return bool(names) and all(re.search(rf"(?<!\w){name}(?!\w)", self.text.src.text) for name in names)

    def _name(self, slot: Slot, form: str) -> str | None:
        if not form.isidentifier():
            return None
        if sort_of(form) == "error" and slot.role != "class":
            return None
        if slot.role == "constant" and form.islower():
            form = form.upper()
        if slot.role == "class" and form.islower():
            form = form.title().replace("_", "")
        for other in self.slots.meanings.meanings(form):
            if other.how - {"hanging"} and (other.owner is slot.node or (other.owner is None and slot.node is None)):
                return None
        taken = {
            use.span
            for use in self.slots.meanings.uses
            if use.name == form and use.receiver is None and use.called is None
        }
        if slot.role in ("parameter", "variable") and slot.node is not None and hasattr(slot.node, "lineno"):
            low, high = self.text.src.span(slot.node)
            if any(low <= at < high for at, _ in taken):
                return None
        return form


def _sign(old: str, new: str) -> str | None:
    if new in ("=", "-"):
        return {"=": {"<": "<=", ">": ">="}, "-": {"<=": "<", ">=": ">"}}[new].get(old)
    return new if (old in ("==", "!=")) == (new in ("==", "!=")) else None
