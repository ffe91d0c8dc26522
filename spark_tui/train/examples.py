"""Cases to token ids, and the mixture that a model is trained on.

Comes in: windows, pools, an encoder, chance. Goes out: `Example`s: ids, where the target starts, the group.
Must not know: torch, files.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from spark_tui.engine import token_layout
from spark_tui.train import infill, no_edit_cases, second_turns, steers, worded_edits
from spark_tui.train.kinds import Draw, Kind, Pools
from spark_tui.train.source_windows import Function, SourceWindow, parse
from spark_tui.train.tables import table
from spark_tui.train.worded_edits import Case

_TABLES = table("tables/examples")

Encode = Callable[[str], list[int]]
GROUPS = ("edit", "composition", "steer", "no-edit", "cannot", "find", "copy", "code", "fill", "again")
MIXTURE: dict[str, float] = _TABLES["mixture"]
"""Compositions and steers fail more often than single edits. A *cannot* is learned fast, and too much of it
refuses real orders."""


FROM_ZERO = 0.75
"""Windows whose first line has tag 0, as at inference; the others start anywhere, so that every tag is
learned."""


DUE = 12
"""Kinds of which the one that has least of its share leads an example."""
DUE_BESIDE = 5
"""The same for what stands beside it, each tried in turn."""
REWRITES = 4
"""After so many texts of its own a kind is no longer asked to stand beside another edit."""
ANY_LENGTH = 1 << 30
MISSED = 0.3
"""What a kind is given of its share where no window was found for it, so that the others have their turn."""
LARGE = 10
DROPPED_LARGE = 0.4
"""Share of edits with more than so many new lines that are left out: a small model learns the form on small
ones."""
IDLE_BESIDE = 0.3
"""Share of files with several questions where one more has nothing to do."""
SEVERAL = 0.6
SEVERAL_IN_LONG = 0.9
"""Share of edit examples that carry further edits of the same file."""
ELSEWHERE = 0.3
"""Share of second messages that mean another function, before those that fail are drawn again."""
AS_SAID = 0.85
"""Share of second messages of the many forms of `steers`; the others are those that the held-out set began
with."""
INSISTED = 0.04
SAME_KIND = 0.15
MOST_BESIDE = 3
MOST_IN_LONG = 7
LONG_LINES = 25
"""From here on a file is dear to read: it carries more questions."""


@dataclass(frozen=True, slots=True)
class Example:
    """Ids of one sequence; the loss counts fully on the spans (half-open), which are answers."""

    ids: list[int]
    spans: tuple[tuple[int, int], ...]
    group: str

    @property
    def start(self) -> int:
        """Where the last answer begins."""
        return self.spans[-1][0]


def whole(ids: list[int], start: int, group: str) -> Example:
    """An example whose one answer runs to the end."""
    return Example(ids, ((start, len(ids)),), group)


def pools_of(texts: Sequence[SourceWindow]) -> Pools:
    """Names and short strings of the windows: common enough to be words, spread enough to be many."""
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
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):  # noqa: SIM102 - one thing a line
                if re.fullmatch(r"[a-z]{4,14}|[A-Za-z][a-z]*( [A-Za-z,.-]+){1,7}", node.value):
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


def encode_case(encode: Encode, case: Case, start: int) -> Example:
    """The layout of docs/decisions/0003, with the answer."""
    lines = tuple(case.before.split("\n")[:-1])
    history = tuple(
        token_layout.PastExchange(turn.instruction, turn.kept, turn.hunks) for turn in case.history
    )
    prompt = token_layout.EncodedPrompt(
        case.path, lines, case.instruction, history, selection=case.here, error=case.error
    )
    ids = token_layout.encode_prompt(encode, prompt, start)
    ids += spliced_ids(encode, case, start)
    target = len(ids)
    ids += answer_ids(encode, case, start)
    group = case.kind if case.kind in GROUPS else "edit"
    return whole(ids, target, group)


def spliced_ids(encode: Encode, case: Case, start: int) -> list[int]:
    """What stands between the instruction and the answer where a message came in between."""
    if case.steered is None:
        return []
    said = token_layout.encode_instruction(encode, case.steered[1], case.before.count("\n"), start=start)
    return [*written_ids(encode, case, start), token_layout.STEER, *said, token_layout.OUT]


def written_ids(encode: Encode, case: Case, start: int = 0) -> list[int]:
    """What the turn had written when a steer came."""
    if case.answered:
        return [token_layout.NOEDIT if case.answered == "no-edit" else token_layout.CANNOT]
    ids = (
        [token for hunk in case.steered[0] for token in token_layout.encode_hunk(encode, hunk, start)]
        if case.steered
        else []
    )
    if case.begun is not None:
        whole = token_layout.encode_hunk(encode, case.begun[0], start)
        ids += whole[: max(1, min(len(whole) - 1, round(case.begun[1] * len(whole))))]
    return ids


def answer_ids(encode: Encode, case: Case, start: int) -> list[int]:
    """What is right for a case, to its end."""
    if case.answer != "edit":
        return [token_layout.NOEDIT if case.answer == "no-edit" else token_layout.CANNOT, token_layout.EOS]
    ids: list[int] = []
    for hunk in worded_edits.answer_hunks(case):
        ids += token_layout.encode_hunk(encode, hunk, start)
    return [*ids, token_layout.EOS]


QUERIES = 6
"""Lookups in one file: a dense lesson in pointing, at the price of reading the file once."""


def find_example(encode: Encode, window: SourceWindow, draw: Draw, start: int) -> Example | None:
    """Which line is meant: by its text, by a definition, or by its neighbour; several questions in a row."""
    ids = token_layout.encode_file(encode, window.path, window.lines, start)
    spans: list[tuple[int, int]] = []
    most = QUERIES if len(window.lines) < LONG_LINES else 2 * QUERIES
    for _ in range(most * 2):
        asked = _question(window, draw)
        if asked is None or len(spans) == most:
            continue
        ids += [token_layout.FIND, *encode(asked[0]), token_layout.OUT]
        spans.append((len(ids), len(ids) + 2))
        ids += [token_layout.tag(asked[1], start), token_layout.EOS]
    return Example(ids, tuple(spans), "find") if spans else None


def _question(window: SourceWindow, draw: Draw) -> tuple[str, int] | None:
    lines = window.lines
    number = draw.rng.randrange(len(lines))
    text = lines[number].strip()
    if not text or sum(line.strip() == text for line in lines) > 1:
        return None
    match = re.match(r"(?:def|class|async def) (\w+)", text)
    if match and draw.chance(0.7):
        return draw.choice([f"def of {match[1]}", match[1], f"where {match[1]} is defined"]), number
    name = draw.choice(re.findall(r"[A-Za-z_]\w+", text) or [""])
    if name and draw.chance(0.4) and len(re.findall(rf"\b{name}\b", window.text)) == 1:
        return draw.choice([name, f"the line with {name}", f"where {name} stands"]), number
    if draw.chance(0.2) and number + 1 < len(lines):
        return f"the line after {text}", number + 1
    if draw.chance(0.15) and number:
        return f"the line before {text}", number - 1
    return text, number


def several_example(encode: Encode, cases: Sequence[Case], start: int, most: int = ANY_LENGTH) -> Example:
    """Independent edits of the same text, one behind the other: each is asked of the file as it is shown.
    What does not fit into `most` tokens is left out."""
    case, *others = cases
    first = encode_case(encode, case, start)
    ids, spans = first.ids, list(first.spans)
    n_lines = case.before.count("\n")
    for other in others:
        asked = [
            token_layout.INSTR,
            *token_layout.encode_instruction(encode, other.instruction, n_lines, start=start),
            token_layout.OUT,
            *spliced_ids(encode, other, start),
        ]
        answer = answer_ids(encode, other, start)
        begin = len(ids) + len(asked)
        if begin + len(answer) <= most:
            ids = [*ids, *asked, *answer]
            spans.append((begin, len(ids)))
    return Example(ids, tuple(spans), first.group)


def copy_example(encode: Encode, window: SourceWindow, draw: Draw, start: int) -> Example | None:
    """Write up to three lines from a tag on."""
    lines = window.lines
    first = draw.rng.randrange(len(lines))
    last = min(len(lines), first + draw.rng.randint(1, 3))
    ids = token_layout.encode_file(encode, window.path, lines, start)
    ids += [
        token_layout.COPY,
        token_layout.tag(first, start),
        token_layout.tag(last, start),
        token_layout.OUT,
    ]
    out: list[int] = []
    for line in lines[first:last]:
        out += [*encode(line), *encode("\n")]
    return whole([*ids, *out, token_layout.EOS], len(ids), "copy")


def code_example(encode: Encode, window: SourceWindow) -> Example:
    ids = [token_layout.CODE, *token_layout.encode_text(encode, window.text), token_layout.EOS]
    return whole(ids, 1, "code")


def fill_example(encode: Encode, window: SourceWindow, draw: Draw) -> Example | None:
    """Code as it is typed: every line of it is a question."""
    found = infill.fill(encode, window, draw)
    return Example(*found, "fill") if found is not None else None


class Mixer:
    """Draws examples without end. `windows` are of one split; `unseen` words everything in held-out
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
        """How often a kind began with a text of its own, less where it did without."""

    def window_for(self, kind: Kind) -> SourceWindow | None:
        for _ in range(600):
            window = self.draw.choice(self.windows)
            if kind.needs is None or kind.needs.search(window.text):
                return window
        return None

    def some_kind(self) -> Kind:
        return self.draw.rng.choices(self.kinds, self.weights)[0]

    def due_kinds(self, count: int, weights: Sequence[float] = ()) -> list[Kind]:
        """Some kinds, first those that have least of their share: what few windows have room for is asked of
        those that do, and what fits everywhere does not crowd it out."""
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
        """Two edits of the window, now and then of one kind."""
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
        """Other edits of the very text that a case begins with."""
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
        """An edit of a window as it stands, of a kind that has least of its share."""
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
        """A question about another file, asked of this one, which has nothing of what it names."""
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
