"""Another thing in the place of one that an answer brought: what the message wants, put where it belongs.

Comes in: the text in which an answer stands, what was asked, a message. Goes out: the text that is wanted. Must not
know: engines, ids, forms of sentences (`slot_words` reads them), how slots are found (`slots`).

Each thing that is wanted is held against each slot: whether it is of the sort, whether the words around it are those by
which the slot is called, whether the old value is mentioned, whether it was asked for. The best is taken where it is
better than all others by a margin; where it is not, nothing is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from spark_tui.refactor import literals
from spark_tui.refactor.rename.text import literals as texts_of
from spark_tui.refactor.source import Change
from spark_tui.refactor.values.written import in_quotes_of
from spark_tui.steers.slot_fits import Fit, Fits
from spark_tui.steers.slot_words import Thing, does_more, read
from spark_tui.steers.stands import Stands

ENOUGH = 4.5
MARGIN = 1.0
_TOO = re.compile(r"\b(?:too|as well|also)\s*[.!]*$", re.I)


def slotted(text: Stands, asked: str, said: str) -> str | None:
    """The text with what the message wants in the place of what was brought; None where that is not plain."""
    if text.src.tree is None or not text.hunks:
        return None
    return _Choice(text, asked, read(said)).made()


class _Choice(Fits):
    """Of one message."""

    def made(self) -> str | None:
        if self.message.builds:
            return None
        chosen = self._chosen()
        if chosen is None or not self._accounted(chosen):
            return None
        changes = [change for fit in chosen.values() for change in self._changes(fit)]
        try:
            made = self.text.changed(dict.fromkeys(changes))
        except ValueError:
            return None
        return made if made != self.text.src.text and self.text.holds(made) else None

    # -- which -------------------------------------------------------------------------------------------------------

    def _enough(self, thing: Thing) -> list[Fit]:
        """The slots for which enough speaks; less has to where no other comes near."""
        fits = sorted(self.fits(thing), key=lambda one: -one.score)
        other = next((one.score for one in fits[1:] if not self.same(one.slot, fits[0].slot)), 0.0)
        needs = ENOUGH - 0.25 * min(2.0, fits[0].score - other) if fits else ENOUGH
        return [fit for fit in fits if fit.score >= needs]

    def _adds(self) -> bool:
        """*503 and 429*: what stands, and one more."""
        held = [one for one in self.message.wanted if one not in self.wanted]
        said = " ".join(clause.text for clause in self.message.clauses)
        pairs = [f"{one.said} or {two.said}" for a in held for b in self.wanted for one, two in ((a, b), (b, a))]
        if any(pair in said for pair in pairs):
            return True
        return any(
            self.message.clauses[thing.clause].opened in ("and", "or") and thing.clause - 1 == one.clause
            for one in held
            for thing in self.wanted
        )

    def _chosen(self) -> dict[Thing, Fit] | None:
        """The slot of each thing; None where one has none, or more than one."""
        if self._adds():
            return None
        table = {thing: self._enough(thing) for thing in self.wanted}
        chosen: dict[Thing, Fit] = {}
        pairs = [
            (-fit.score, number, fit.slot.spans[0], thing, fit)
            for number, (thing, fits) in enumerate(table.items())
            for fit in fits
        ]
        for *_, thing, fit in sorted(pairs, key=lambda pair: pair[:3]):
            if thing not in chosen and not any(self.same(fit.slot, other.slot) for other in chosen.values()):
                chosen[thing] = fit
        for thing, fits in table.items():
            if thing in chosen:
                taken = [other.slot for one, other in chosen.items() if one is not thing]
                best = chosen[thing]
                for fit in fits:
                    if fit.score > best.score - MARGIN and not any(
                        self.same(fit.slot, one) for one in (*taken, best.slot)
                    ):
                        return None
            elif thing.solid and thing.want >= 1.5 and not any(one.want >= thing.want + 1 for one in chosen):
                return None
        self._in_order(chosen, table)
        kept = [thing for thing in self.message.things if thing.kept]
        if any(_TOO.search(self.message.clauses[thing.clause].text) for thing in chosen):
            return None
        if any(self.is_value(thing, fit.slot) for thing in kept for fit in chosen.values()):
            return None
        return chosen or None

    def _in_order(self, chosen: dict[Thing, Fit], table: dict[Thing, list[Fit]]) -> None:
        """Things that may each have the slot of the other are said in the order in which these stand."""
        for one, two in pairwise([thing for thing in table if thing in chosen]):
            first, second = chosen[one], chosen[two]
            if first.slot.spans[0] < second.slot.spans[0]:
                continue
            other = [
                next((fit for fit in table[thing] if fit.slot is slot), None)
                for thing, slot in ((one, second.slot), (two, first.slot))
            ]
            if (
                other[0] is not None
                and other[1] is not None
                and other[0].score + other[1].score > first.score + second.score - MARGIN
            ):
                chosen[one], chosen[two] = other[0], other[1]

    # -- what changes ------------------------------------------------------------------------------------------------

    def _changes(self, fit: Fit) -> Iterator[Change]:
        same = [one for one in (*self.slots.every, *self.words_in_texts) if self.same(one, fit.slot)]
        for slot in same:
            code = fit.code
            if (
                slot is not fit.slot
                and slot.sort in ("text", "key", "lookup")
                and slot.role != "keyword"
                and slot.node is not None
            ):
                code = in_quotes_of(self.text.src.segment(slot.node), str(literals.as_value(fit.code)))
            elif slot.sort == "name" and fit.slot.sort == "option":
                code = fit.code.lstrip("-").replace("-", "_")
            elif slot.sort == "option":
                code = f"--{fit.code.lstrip('-').replace('_', '-')}"
            if slot.sort in ("option",) and slot.node is not None:
                code = in_quotes_of(self.text.src.segment(slot.node), code)
            for start, end in slot.spans:
                yield start, end, code
        if fit.slot.sort == "name" and not re.search(rf"(?<!\w){fit.slot.value}(?!\w)", self.text.was.text):
            # Nothing was called so: what hangs from something that is not known here is the same.
            done = {span for one in same for span in one.spans}
            own = {one.name for one in (*self.text.src.functions, *self.text.src.classes)}
            for use in self.slots.meanings.uses:
                if use.name == fit.slot.value and use.span not in done and (use.called is None or use.called in own):
                    yield *use.span, fit.code
        yield from self._mentioned(fit, [span for one in same for span in one.spans])

    def _mentioned(self, fit: Fit, done: Iterable[tuple[int, int]]) -> Iterator[Change]:
        """The same in texts and comments that came with it."""
        slot, src = fit.slot, self.text.src
        if slot.sort == "number" and len(slot.value) < 2:
            return
        if slot.sort not in ("number", "name", "option", "error"):
            return
        plain_word = slot.sort == "name" and slot.value.isalpha() and slot.value.islower()
        for low, high in texts_of(src.text):
            for found in re.finditer(rf"(?<![\w.-]){re.escape(slot.value)}(?![\w]|\.\d)", src.text[low:high]):
                span = low + found.start(), low + found.end()
                listed = src.text[span[1] : span[1] + 1] in ":`" and (
                    src.text[span[0] - 1] == "`" or not src.text[src.text.rfind("\n", 0, span[0]) + 1 : span[0]].strip()
                )
                if (
                    self.slots.brought(span) == 2
                    and not any(a <= span[0] < b for a, b in done)
                    and (listed or not plain_word)
                ):
                    yield *span, fit.code

    # -- all of it -----------------------------------------------------------------------------------------------------

    def _accounted(self, chosen: dict[Thing, Fit]) -> bool:
        used = {thing.clause for thing in chosen}
        for number, clause in enumerate(self.message.clauses):
            if number in used:
                continue
            if (does_more(clause) or clause.opened == "/") and not self._only_old(number):
                return False
        return True

    def _only_old(self, number: int) -> bool:
        return any(thing.clause == number and thing.old for thing in self.message.things)
