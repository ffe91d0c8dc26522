"""Draws the mixture of examples that a model is trained on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from random import Random

from spark_tui.engine.text import token_layout
from spark_tui.train import kind_cases, no_edit_cases
from spark_tui.train.calls import edits, follow_ups
from spark_tui.train.calls.kind_table import CallKind
from spark_tui.train.calls.planting import has_text_for
from spark_tui.train.cases import Case, hunks_between
from spark_tui.train.kind_cases import AnyKind
from spark_tui.train.sequences import (
    ANY_LENGTH,
    LONG_LINES,
    Encode,
    SequenceExample,
    code_example,
    copy_example,
    encode_case,
    fill_example,
    find_example,
    several_example,
)
from spark_tui.train.source_windows import SourceWindow, parse
from spark_tui.train.templates.tables import table

_TABLES = table("tables/examples")

MIXTURE: dict[str, float] = _TABLES["mixture"]
"""Compositions and steers fail more often than single edits. *cannot* is learned fast, and too much of it
makes the model refuse possible edits."""


FROM_ZERO = 0.75
"""Share of windows whose first line has tag 0, as at inference. The others start anywhere, so that every tag
is learned."""


DUE = 12
"""How many kinds are drawn for an example; the one with least of its share is taken."""
DUE_BESIDE = 5
"""The same for further edits of the file, each tried in turn."""
MISSED = 0.3
"""How much a kind is credited if no window was found for it, so that the others have their turn."""
LARGE = 10
DROPPED_LARGE = 0.4
"""Share of edits with more than `LARGE` new lines that are left out: a small model learns the form on small
ones."""
IDLE_BESIDE = 0.3
"""Share of files with several questions that have one more without an edit."""
SEVERAL = 0.6
SEVERAL_IN_LONG = 0.9
"""Share of edit examples that carry further edits of the same file."""
SAME_KIND = 0.15
STEERED_BESIDE, STEERED_BESIDE_IN_LONG = 2, 4
MOST_BESIDE = 3
MOST_IN_LONG = 7


class Mixer:
    """Draws examples without end. `windows` are of one split."""

    plants = True

    def __init__(self, windows: Sequence[SourceWindow], rng: Random) -> None:
        self.windows = windows
        self.rng = rng
        self.kinds = kind_cases.all_kinds()
        self.made: defaultdict[str, float] = defaultdict(float)

    def window_with(self, kind: AnyKind) -> SourceWindow | None:
        for _ in range(600):
            window = self.rng.choice(self.windows)
            if kind.needs is None or kind.needs.search(window.text) or has_text_for(kind.name):
                return window
        return None

    def some_kind(self) -> AnyKind:
        return self.due_kinds(1)[0]

    def call_kind(self) -> CallKind:
        calls = [kind for kind in self.kinds if isinstance(kind, CallKind)]
        return self.rng.choices(calls, [kind.weight for kind in calls])[0]

    def due_kinds(self, count: int) -> list[AnyKind]:
        """Some kinds, those with least of their share first, so that kinds that fit everywhere do not crowd
        out rare ones."""
        some = self.rng.choices(self.kinds, [kind.weight for kind in self.kinds], k=count)
        return sorted(some, key=lambda kind: self.made[kind.name] / kind.weight)

    def edit(self, kind: AnyKind, tries: int = 25) -> Case | None:
        for _ in range(tries):
            window = self.window_with(kind)
            case = kind_cases.edit(kind, window, self.rng) if window else None
            if case is not None:
                return case
        return None

    def instruction(self) -> str:
        """What somebody says about a window, without its edit; nothing if the kind has no place there."""
        kind = self.some_kind()
        window = self.window_with(kind)
        if window is None:
            return ""
        if isinstance(kind, CallKind):
            order = edits.say(kind, window, self.rng)
            return order.text if order is not None else ""
        case = kind_cases.edit(kind, window, self.rng)
        return case.instruction if case is not None else ""

    def case(self, group: str) -> Case | None:
        """One case of a group that has an instruction."""
        if group == "edit":
            kind = self.due_kinds(DUE)[0]
            found = self.edit(kind)
            self.made[kind.name] += 1 if found is not None else MISSED
            return found
        if group == "steer":
            return follow_ups.steered(self)
        if group == "again":
            return follow_ups.again(self)
        kind, rng = self.some_kind(), self.rng
        window = self.window_with(kind)
        if window is None:
            return None
        if group == "composition":
            return self.pair(kind, window)
        if group == "no-edit":
            return no_edit_cases.nothing(kind, window, rng.choice(self.windows), rng)
        return no_edit_cases.beyond(window, rng)

    def pair(self, kind: AnyKind, window: SourceWindow) -> Case | None:
        """Two edits of the window, sometimes of one kind."""
        for _ in range(8):
            second = kind if self.rng.random() < SAME_KIND else self.some_kind()
            found = kind_cases.pair(kind, second, window, self.rng)
            if found is not None:
                return found
        return None

    def example(self, encode: Encode, group: str, most: int = ANY_LENGTH) -> SequenceExample | None:
        start = 0 if self.rng.random() < FROM_ZERO else self.rng.randrange(token_layout.TAG_COUNT)
        if group in ("find", "copy", "code", "fill"):
            window = self.rng.choice(self.windows)
            if group == "find":
                return find_example(encode, window, self.rng, start)
            if group == "copy":
                return copy_example(encode, window, self.rng, start)
            return code_example(encode, window) if group == "code" else fill_example(encode, window, self.rng)
        case = self.case(group)
        if case is None:
            return None
        written = sum(len(hunk.new) for hunk in hunks_between(case.before, case.after))
        if written > LARGE and self.rng.random() < DROPPED_LARGE:
            return None
        alone = encode_case(encode, case, start)
        if len(alone.ids) > most:
            return None
        several = SEVERAL_IN_LONG if case.before.count("\n") >= LONG_LINES else SEVERAL
        if group == "edit" and self.rng.random() < several:
            return several_example(encode, [case, *self.beside(case)], start, most)
        if case.steered is not None:
            return several_example(encode, [case, *self.steered_beside(case)], start, most)
        return alone

    def beside(self, case: Case) -> list[Case]:
        """Other edits of the text that a case begins with."""
        if case.error or parse(case.before) is None:
            return []
        window = SourceWindow(case.path, case.before)
        out: list[Case] = []
        most = MOST_BESIDE if case.before.count("\n") < LONG_LINES else MOST_IN_LONG
        for _ in range(2 * most):
            found = self.due_beside(window)
            out += [found] if found is not None else []
            if len(out) == most:
                break
        if out and self.rng.random() < IDLE_BESIDE:
            idler = self.idle_beside(window)
            out += [idler] if idler is not None else []
        return self.rng.sample(out, len(out))

    def due_beside(self, window: SourceWindow) -> Case | None:
        """An edit of the unchanged window, of a kind with little of its share."""
        for kind in self.due_kinds(DUE_BESIDE):
            found = kind_cases.edit(kind, window, self.rng, plant=False)
            if found is not None and not found.error and found.before == window.text:
                self.made[kind.name] += 1
                return found
        return None

    def steered_beside(self, case: Case) -> list[Case]:
        """More messages about other edits of the same text, since reading a text takes many tokens."""
        shown = OneWindow(self, SourceWindow(case.path, case.before))
        most = STEERED_BESIDE if case.before.count("\n") < LONG_LINES else STEERED_BESIDE_IN_LONG
        found = (follow_ups.steered(shown) for _ in range(most))
        return [other for other in found if other is not None and other.steered]

    def idle_beside(self, shown: SourceWindow) -> Case | None:
        """A question about another file, asked of this one, which has none of the names."""
        for _ in range(6):
            kind = self.some_kind()
            window = self.window_with(kind)
            found = no_edit_cases.nothing_here(kind, window, shown, self.rng) if window else None
            if found is not None:
                return found
        return None

    def examples(self, encode: Encode, max_tokens: int) -> Iterator[SequenceExample]:
        groups, weights = list(MIXTURE), list(MIXTURE.values())
        while True:
            group = self.rng.choices(groups, weights)[0]
            for _ in range(30):
                found = self.example(encode, group, max_tokens)
                if found is not None and len(found.ids) <= max_tokens:
                    yield found
                    break


class OneWindow:
    """A source of edits of one text, which stays as it is."""

    plants = False

    def __init__(self, mixer: Mixer, window: SourceWindow) -> None:
        self.rng = mixer.rng
        self.call_kind = mixer.call_kind
        self.window = window

    def window_with(self, kind: CallKind) -> SourceWindow | None:
        return self.window if kind.needs is None or kind.needs.search(self.window.text) else None
