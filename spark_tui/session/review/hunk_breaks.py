"""Finds what an answer's hunks would break, by comparing the repository with and without them.

The checks are those of `codemods.checks.harm`; this module traces each finding to the hunks that cause it.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from spark_tui.codemods.checks.harm import CHECKS
from spark_tui.codemods.plan import Finding
from spark_tui.edits.hunk import Hunk
from spark_tui.errors import SparkError
from spark_tui.events import Doubt
from spark_tui.pysource.repository import Repository

IN_FILE = ("parses", "names", "duplicates")
"""The checks that look at the changed files; no other file has to be read for them."""
ACROSS_FILES = ("importers", "members", "calls")
OF_MISSING = ("new members", "new imports", "new attributes")
"""The checks of what a change uses and nothing defines: sure only where another hunk of the same answer
would define it."""
MOST_TRACED_HUNKS = 12
"""Up to this many hunks, each is left out once to see whether a finding disappears; beyond it, the words
of the finding decide."""
Texts = Mapping[str, str | None]
TextsOf = Callable[[Sequence[Hunk]], Texts]
"""The texts of the files that these hunks change; None for a file that goes."""
_WORD = re.compile(r"[^\W\d]\w*")


class OutOfTime(Exception):
    """Raised by the caller's `on_work`: the check took as long as it may."""


class HunkBreaks:
    """The checks of some hunks together, on a repository without them."""

    def __init__(self, before: Repository, hunks: Sequence[Hunk], texts_of: TextsOf) -> None:
        self._before = before
        self._hunks = hunks
        self._texts_of = texts_of
        texts = texts_of(hunks)
        self._paths = sorted(texts)
        self._after = before.with_changes(texts)
        self._parsed: dict[str, bool] = {}

    def find(self, kinds: Iterable[str]) -> list[Doubt]:
        """What these checks find, for each hunk that causes it."""
        kinds = tuple(kinds)
        found = [
            finding for finding in self._findings(self._after, self._paths, kinds) if self._is_new(finding)
        ]
        out: list[Doubt] = []
        untraced: list[Finding] = []
        for item in found:
            here = [hunk for hunk in self._hunks if target(hunk) == item.path]
            candidates = self._writers(item) or (here if item.kind in IN_FILE else self._hunks)
            if len(candidates) == 1:
                out.append(_break(candidates[0], item))
            else:
                untraced.append(item)
        return [*out, *self._traced(untraced, kinds)]

    def find_undefined(self, whole: Sequence[Hunk]) -> list[Doubt]:
        """What these hunks use and only others of the whole answer define, at the hunk that uses it."""
        if not (found := list(self._all_findings(self._after, self._paths, OF_MISSING))):
            return []
        texts = self._texts_of(whole)
        with_all = self._before.with_changes(texts)
        there = {_key(item) for item in self._all_findings(with_all, sorted(texts), OF_MISSING)}
        missing = sorted({item for item in found if _key(item) not in there and self._is_new(item)})
        return [_break(hunk, item) for item in missing for hunk in self._writers(item) or self._named(item)]

    def _writers(self, finding: Finding) -> list[Hunk]:
        """The hunks that write the line of a finding."""
        here = [hunk for hunk in self._hunks if target(hunk) == finding.path]
        return [hunk for hunk in here if self._stands_in(finding.line, hunk, here)]

    def _findings(self, after: Repository, paths: Sequence[str], kinds: Iterable[str]) -> list[Finding]:
        return sorted({item for item in self._all_findings(after, paths, kinds) if item.sure})

    def _all_findings(
        self, after: Repository, paths: Sequence[str], kinds: Iterable[str]
    ) -> Iterator[Finding]:
        return (item for kind in kinds for item in CHECKS[kind](self._before, after, paths))

    def _is_new(self, finding: Finding) -> bool:
        """A file that did not parse before cannot be compared."""
        path = finding.path
        if path not in self._parsed:
            index = self._before.index
            there = path in index.modules.paths and index.text(path) is not None
            self._parsed[path] = not there or index.source(path).tree is not None
        return self._parsed[path]

    def _traced(self, findings: Sequence[Finding], kinds: Iterable[str]) -> list[Doubt]:
        if not findings:
            return []
        causes: dict[Finding, list[Hunk]] = {finding: [] for finding in findings}
        # What was found stands, also where there is no time to leave each hunk out.
        with contextlib.suppress(OutOfTime, SparkError):
            for hunk in self._hunks if len(self._hunks) <= MOST_TRACED_HUNKS else ():
                left = self._left_without(hunk, kinds)
                for one in findings:
                    if _key(one) not in left:
                        causes[one].append(hunk)
        for one, hunks in causes.items():
            causes[one] = hunks or self._named(one)
        return [_break(hunk, one) for one, hunks in causes.items() for hunk in hunks]

    def _left_without(self, hunk: Hunk, kinds: Iterable[str]) -> set[tuple[str, str, str]]:
        """What the other hunks would break."""
        others = self._texts_of([item for item in self._hunks if item is not hunk])
        after = self._before.with_changes(others)
        return {_key(finding) for finding in self._findings(after, sorted(others), kinds)}

    def _named(self, finding: Finding) -> list[Hunk]:
        """The hunks whose changed lines share most words with the finding; rare words count more."""
        here = [hunk for hunk in self._hunks if target(hunk) == finding.path]
        candidates = here if finding.kind in IN_FILE and here else list(self._hunks)
        words = set(_WORD.findall(finding.reason))
        shared = [
            words.intersection(_WORD.findall("\n".join(_changed_lines(candidate))))
            for candidate in candidates
        ]
        often = Counter(word for some in shared for word in some)
        scores = [sum(1 / often[word] for word in some) for some in shared]
        return [hunk for hunk, score in zip(candidates, scores, strict=True) if score == max(scores)]

    def _stands_in(self, line: int, hunk: Hunk, here: Sequence[Hunk]) -> bool:
        """Whether a line of the new file is one that the hunk writes."""
        if hunk.kind == "add":
            return True
        start = hunk.old_start + sum(
            len(item.new_lines) - len(item.old_lines)
            for item in here
            if item.kind == "edit" and (item.old_start, item.id) < (hunk.old_start, hunk.id)
        )
        return hunk.kind == "edit" and start <= line < start + len(hunk.new_lines)


def target(hunk: Hunk) -> str:
    """The path of the hunk's file as it would be."""
    return hunk.new_path or hunk.path


def _changed_lines(hunk: Hunk) -> list[str]:
    old, new = set(hunk.old_lines), set(hunk.new_lines)
    return [line for line in (*hunk.old_lines, *hunk.new_lines) if (line in old) != (line in new)]


def _key(finding: Finding) -> tuple[str, str, str]:
    """Without its line, which moves with the hunks above it."""
    return finding.path, finding.kind, finding.reason


def _break(hunk: Hunk, finding: Finding) -> Doubt:
    """Its line counts from 1 in the file as it would be; 0: the whole file."""
    where = f"{finding.path}:{finding.line}" if finding.line else finding.path
    return Doubt(hunk.id, 0.0, f"breaks {where}: {finding.reason}", finding.path, finding.line)
