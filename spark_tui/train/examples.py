"""Draws the mixture of examples that a model is trained on."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from random import Random

from spark_tui.engine import token_layout
from spark_tui.train import no_edit_cases, second_turns, steers, worded_edits
from spark_tui.train.kinds import Draw, Kind, Pools
from spark_tui.train.sequences import (
    ANY_LENGTH,
    LONG_LINES,
    Encode,
    Example,
    code_example,
    copy_example,
    encode_case,
    fill_example,
    find_example,
    several_example,
)
from spark_tui.train.source_windows import Function, SourceWindow, parse
from spark_tui.train.tables import table
from spark_tui.train.worded_edits import Case

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
REWRITES = 4
"""A kind that made this many texts of its own is no longer tried as a further edit."""
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
ELSEWHERE = 0.3
"""Share of second messages that mean another function, before failing ones are drawn again."""
AS_SAID = 0.85
"""Share of second messages in the many forms of `steers`; the others have the forms that the held-out set
began with."""
INSISTED = 0.04
SAME_KIND = 0.15
MOST_BESIDE = 3
MOST_IN_LONG = 7


def pools_of(texts: Sequence[SourceWindow]) -> Pools:
    """Names and short strings of the windows that are neither rare nor tied to one module."""
    counts: dict[str, Counter[str]] = {
        key: Counter() for key in ("variables", "functions", "classes", "attributes", "strings")
    }
    for window in texts:
        for node in window.nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                counts["variables"][node.id] += 1
            elif isinstance(node, Function):
                counts["functions"][node.name] += 1
            elif isinstance(node, ast.ClassDef):
                counts["classes"][node.name] += 1
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                counts["attributes"][node.attr] += 1
            elif (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and re.fullmatch(r"[a-z]{4,14}|[A-Za-z][a-z]*( [A-Za-z,.-]+){1,7}", node.value)
            ):
                counts["strings"][node.value.strip()] += 1

    def top(key: str, pattern: str, limit: int = 4000) -> tuple[str, ...]:
        return tuple(name for name, _ in counts[key].most_common(3 * limit) if re.fullmatch(pattern, name))[
            :limit
        ]

    snake = r"[a-z][a-z0-9]*(_[a-z0-9]+)*"
    return Pools(
        top("variables", snake) or ("value",),
        top("functions", snake) or ("handle",),
        top("classes", r"[A-Z][A-Za-z0-9]+") or ("Thing",),
        top("attributes", snake) or ("size",),
        top("strings", r".{4,45}") or ("not found",),
    )


class Mixer:
    """Draws examples without end. `windows` are of one split; with `unseen` all wording is of held-out
    templates."""

    def __init__(
        self, windows: Sequence[SourceWindow], pools: Pools, rng: Random, *, unseen: bool = False
    ) -> None:
        self.windows = windows
        self.draw = Draw(rng, pools)
        self.unseen = unseen
        self.kinds = worded_edits.all_kinds()
        self.weights = [kind.weight for kind in self.kinds]
        self.made: defaultdict[str, float] = defaultdict(float)
        self.beside_weights = list(self.weights)
        self.rewrites = Counter[str]()
        """How often a kind began with a text of its own, minus how often it did not."""

    def window_for(self, kind: Kind) -> SourceWindow | None:
        for _ in range(600):
            window = self.draw.choice(self.windows)
            if kind.needs is None or kind.needs.search(window.text):
                return window
        return None

    def some_kind(self) -> Kind:
        return self.draw.rng.choices(self.kinds, self.weights)[0]

    def due_kinds(self, count: int, weights: Sequence[float] = ()) -> list[Kind]:
        """Some kinds, those with least of their share first, so that kinds that fit everywhere do not crowd
        out rare ones."""
        some = self.draw.rng.choices(self.kinds, weights or self.weights, k=count)
        return sorted(some, key=lambda kind: self.made[kind.name] / kind.weight)

    def edit(self, kind: Kind, tries: int = 25) -> Case | None:
        for _ in range(tries):
            window = self.window_for(kind)
            case = worded_edits.edit(kind, window, self.draw, unseen=self.unseen) if window else None
            if case is not None:
                return case
        return None

    def case(self, group: str) -> Case | None:
        """One case of a group that has an instruction."""
        kind, draw = self.some_kind(), self.draw
        if group == "edit":
            kind = self.due_kinds(DUE)[0]
            found = self.edit(kind)
            self.made[kind.name] += 1 if found is not None else MISSED
            return found
        window = self.window_for(kind)
        if window is None:
            return None
        if group == "composition":
            return self.pair(kind, window)
        if group == "steer":
            if draw.chance(AS_SAID) and not self.unseen:
                return steers.insisted(self) if draw.chance(INSISTED) else steers.steered(self)
            kind = draw.choice([item for item in self.kinds if item.name in second_turns.STEERABLE])
            window = self.window_for(kind)
            if window is None:
                return None
            if draw.chance(ELSEWHERE) and not self.unseen:
                return second_turns.elsewhere(draw.choice(self.windows), draw)
            return second_turns.steer(kind, window, draw, unseen=self.unseen)
        if group == "again":
            return second_turns.again(window, draw, unseen=self.unseen)
        if group == "no-edit":
            return no_edit_cases.nothing(kind, window, draw.choice(self.windows), draw, unseen=self.unseen)
        return no_edit_cases.beyond(window, draw, unseen=self.unseen)

    def pair(self, kind: Kind, window: SourceWindow) -> Case | None:
        """Two edits of the window, sometimes of one kind."""
        for _ in range(8):
            second = kind if self.draw.chance(SAME_KIND) else self.some_kind()
            found = worded_edits.pair(kind, second, window, self.draw, unseen=self.unseen)
            if found is not None:
                return found
        return None

    def example(self, encode: Encode, group: str, most: int = ANY_LENGTH) -> Example | None:
        start = 0 if self.draw.chance(FROM_ZERO) else self.draw.rng.randrange(token_layout.TAG_COUNT)
        if group in ("find", "copy", "code", "fill"):
            window = self.draw.choice(self.windows)
            if group == "find":
                return find_example(encode, window, self.draw, start)
            if group == "copy":
                return copy_example(encode, window, self.draw, start)
            return (
                code_example(encode, window) if group == "code" else fill_example(encode, window, self.draw)
            )
        case = self.case(group)
        if case is None:
            return None
        written = sum(len(hunk.new) for hunk in worded_edits.hunks_between(case.before, case.after))
        if written > LARGE and self.draw.chance(DROPPED_LARGE):
            return None
        alone = encode_case(encode, case, start)
        if len(alone.ids) > most:
            return None
        if group == "edit" and self.draw.chance(
            SEVERAL_IN_LONG if case.before.count("\n") >= LONG_LINES else SEVERAL
        ):
            return several_example(encode, [case, *self.beside(case)], start, most)
        if case.steered is not None and not self.unseen:
            return several_example(encode, [case, *steers.beside(case, self)], start, most)
        return alone

    def beside(self, case: Case) -> list[Case]:
        """Other edits of the text that a case begins with."""
        if case.error or case.here is not None or parse(case.before) is None:
            return []
        window = SourceWindow(case.path, case.before)
        out: list[Case] = []
        most = MOST_BESIDE if case.before.count("\n") < LONG_LINES else MOST_IN_LONG
        for _ in range(2 * most):
            found = self.due_beside(window)
            out += [found] if found is not None else []
            if len(out) == most:
                break
        if out and self.draw.chance(IDLE_BESIDE):
            idler = self.idle_beside(window)
            out += [idler] if idler is not None else []
        return self.draw.shuffled(out)

    def due_beside(self, window: SourceWindow) -> Case | None:
        """An edit of the unchanged window, of a kind with little of its share."""
        for kind in self.due_kinds(DUE_BESIDE, self.beside_weights):
            found = worded_edits.edit(kind, window, self.draw, unseen=self.unseen)
            if found is None:
                continue
            if not found.error and found.here is None and found.before == window.text:
                self.made[kind.name] += 1
                self.rewrites[kind.name] -= REWRITES
                return found
            self.rewrites[kind.name] += 1
            if self.rewrites[kind.name] == REWRITES:
                self.beside_weights[self.kinds.index(kind)] = 0.0
        return None

    def idle_beside(self, shown: SourceWindow) -> Case | None:
        """A question about another file, asked of this one, which has none of the names."""
        for _ in range(6):
            kind = self.some_kind()
            window = self.window_for(kind)
            found = (
                no_edit_cases.nothing_here(kind, window, shown, self.draw, unseen=self.unseen)
                if window
                else None
            )
            if found is not None:
                return found
        return None

    def examples(self, encode: Encode, max_tokens: int) -> Iterator[Example]:
        groups, weights = list(MIXTURE), list(MIXTURE.values())
        while True:
            group = self.draw.rng.choices(groups, weights)[0]
            for _ in range(30):
                found = self.example(encode, group, max_tokens)
                if found is not None and len(found.ids) <= max_tokens:
                    yield found
                    break
