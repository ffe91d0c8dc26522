"""The map of a repository: which file defines what, ranked by what was asked and what is open.

A file matters when the prompt names what it defines, or its path; and when files that matter use what it
defines. Rare names count more than common ones.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from spark_tui.context.ignore_rules import ReadLines
from spark_tui.context.symbols import Definition, Outline, outline
from spark_tui.context.word_stems import stems_of, words_of
from spark_tui.errors import SparkError

_SUFFIXES = """.py .pyi .js .jsx .ts .tsx .mjs .go .rs .java .kt .c .h .cc .cpp .hpp .cs .rb .php
.swift .scala .lua .sh .pl .ex .exs .zig .md"""
_CODE = tuple(_SUFFIXES.split())
_MOST_FILES = 4000
LOOK_SECONDS = 1.0
"""A prompt waits no longer than this for the map."""

Stamp = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class RankedFile:
    """A file and how much it matters; `why` names what led to it."""

    path: str
    score: float
    why: tuple[str, ...] = ()


def is_code(path: str) -> bool:
    """Whether a path ends as files of a known language do."""
    return path.endswith(_CODE)


class RepoMap:
    """Keeps the outline of each file until its stamp changes. One for each tree; not safe for two threads at
    once."""

    def __init__(
        self, read_lines: ReadLines, stamp: Stamp, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._read_lines = read_lines
        self._stamp = stamp
        self._clock = clock
        self._known: dict[str, tuple[object, Outline]] = {}
        self.unread = 0
        """Files of a known language that were not read: too many, or not yet."""

    def look(self, paths: Iterable[str], *, seconds: float = LOOK_SECONDS) -> None:
        """Read what changed, for so long at most; the next look goes on. `paths` are those that may be
        shown."""
        code = [path for path in paths if is_code(path)]
        looked_at = code[:_MOST_FILES]
        self.unread = len(code) - len(looked_at)
        for gone in self._known.keys() - set(looked_at):
            del self._known[gone]
        until = self._clock() + seconds
        for at, path in enumerate(looked_at):
            if self._clock() > until:
                self.unread += sum(item not in self._known for item in looked_at[at:])
                return
            stamp = self._stamp(path)
            if stamp is None:
                self._known.pop(path, None)
            elif path not in self._known or self._known[path][0] != stamp:
                try:
                    lines = self._read_lines(path)
                except SparkError:
                    lines = None
                if lines is not None:
                    self._known[path] = (stamp, outline(path, lines))

    @property
    def outlines(self) -> list[Outline]:
        return [known for _, known in self._known.values()]

    def find(self, name: str) -> list[tuple[str, Definition]]:
        """Where a name is defined; `Cart.add` or `add`, the former before the latter."""
        found = [(item.path, d) for item in self.outlines for d in item.find(name)]
        return sorted(found, key=lambda hit: (hit[1].full_name != name, hit[0], hit[1].first))

    def rank(self, instruction: str, open_paths: Sequence[str] = ()) -> list[RankedFile]:
        """Every file, those that matter most first; files that nothing leads to come last, in the order of
        paths."""
        words = words_of(instruction)
        low = {word.lower(): weight for word, weight in words.items()}
        stems = {stem for word, weight in words.items() if weight >= 1.0 for stem in stems_of(word)}
        about_tests = any(stem == "test" for word in words for stem in stems_of(word))
        defined: Counter[str] = Counter(d.name for item in self.outlines for d in set(item.definitions))
        used: Counter[str] = Counter(name for item in self.outlines for name in item.names)
        scores: dict[str, float] = {}
        why: dict[str, list[str]] = {}
        for one in self.outlines:
            reasons = {d.name for d in one.definitions} & words.keys()
            score = sum(8.0 * words[name] / defined[name] for name in reasons)
            others = {d.name for d in one.definitions} - words.keys()
            in_words = {name for name in others if stems.issuperset(stems_of(name))}
            score += sum(5.0 * len(stems_of(name)) / defined[name] for name in in_words)
            score += sum(words[name] / used[name] for name in words.keys() & one.names.keys())
            parts = set(re.split(r"[/._-]", one.path.lower())) & low.keys()
            score += sum(3.0 * low[part] for part in parts)
            if not about_tests and _is_test(one.path):
                score /= 2
            scores[one.path] = score + (4.0 if one.path in open_paths else 0.0)
            why[one.path] = sorted(reasons | in_words | parts)
        lifted = dict(scores)
        by_path = {item.path: item for item in self.outlines}
        for path in sorted(scores, key=lambda p: -scores[p])[:8]:
            if scores[path] < 1.0:
                break
            wanted = by_path[path].names
            for other in by_path.values():
                if other.path != path:
                    shared = {d.name for d in other.definitions if d.name in wanted and defined[d.name] <= 3}
                    lifted[other.path] += min(3.0, float(len(shared))) * min(1.0, scores[path] / 8.0)
        ranked = [RankedFile(path, round(lifted[path], 4), tuple(why[path])) for path in lifted]
        return sorted(ranked, key=lambda r: (-r.score, r.path))

    def render(
        self,
        ranked: Sequence[RankedFile],
        count_tokens: Callable[[str], int],
        budget_tokens: int,
        skip: Iterable[str] = (),
    ) -> tuple[str, int, int]:
        """The map as text: files with the heads of what they define. Also its tokens, and how many files it
        leaves out. `skip` are files that are shown in whole."""
        by_path = {item.path: item for item in self.outlines}
        hidden = set(skip)
        out, spent, left_out = [], 0, 0
        for ranked_file in ranked:
            if ranked_file.path in hidden:
                continue
            text = _file(by_path[ranked_file.path])
            cost = count_tokens(text)
            if spent + cost > budget_tokens:
                text = f"{ranked_file.path}\n"
                cost = count_tokens(text)
                if spent + cost > budget_tokens:
                    left_out += 1
                    continue
            out.append(text)
            spent += cost
        return "".join(out), spent, left_out


def _is_test(path: str) -> bool:
    """What tests something has its names, too."""
    return path.rpartition("/")[2].startswith(("test_", "conftest.")) or "tests" in path.split("/")[:-1]


def _file(one: Outline) -> str:
    lines = [one.path]
    for definition in one.definitions:
        if definition.inside.count(".") < 1 and not definition.name.startswith("__"):
            head = (definition.head.strip() or definition.name)[:100]
            lines.append(f"  {'  ' if definition.inside else ''}{definition.first}: {head}")
    return "\n".join(lines) + "\n"
