"""`spark bench next`: what the next edit would have offered in real histories, and how fast.

Of each change from one release to the next (or from a commit's parent to it) that has three or more alike
places, the first one or two are made as by hand, and the offer for the rest is judged by the newer text.
Recall is of the changes that the old text tells (`alike_forms.py`). Packages take turns in two halves: the
weights were fitted on `develop`, the figures that count are of `report`.
"""

from __future__ import annotations

import argparse
import gc
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spark_tui.bars import Bar, at_most
from spark_tui.bench.measuring.reporting import Report, percentile
from spark_tui.bench.next_edit.alike_forms import is_told
from spark_tui.bench.next_edit.judge import Verdict
from spark_tui.bench.next_edit.release_changes import ChangedPlace
from spark_tui.bench.next_edit.release_pairs import History, commits, read_release, releases
from spark_tui.bench.next_edit.replay import Walk, in_processes, repository, sampled
from spark_tui.codemods.plan import Edit
from spark_tui.errors import UsageError
from spark_tui.next_edit.history import EditHistory
from spark_tui.next_edit.inline import complete_line
from spark_tui.next_edit.offer import Offer, best_offer
from spark_tui.next_edit.tokens import tokens_of
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

_MOST_GROUPS = 40
_MOST_TAKEN = 8
_TAKEN = 3
"""Where figures go by the number of examples, the one of those after an offer was taken."""
_TYPED_LINES = 100_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--packages", metavar="DIR", help="wheels or source archives, two releases of each")
    parser.add_argument(
        "--part", choices=("develop", "report", "all"), default="report", help="which half of the packages"
    )
    parser.add_argument("--repository", metavar="DIR", help="a git repository whose commits are replayed too")
    parser.add_argument("--commits", type=int, default=60, metavar="N", help="how many of its commits")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument(
        "--groups", type=int, default=_MOST_GROUPS, metavar="N", help="at most so many changes of a package"
    )
    parser.add_argument(
        "--processes", type=int, default=4, metavar="N", help="work on so many histories at a time"
    )
    parser.add_argument(
        "--fit", metavar="FILE.toml", help="fit the weights on these histories and write them, no report"
    )


@dataclass
class Tally:
    """What was asked and shown, by how many examples stood there."""

    asked: Counter[int] = field(default_factory=Counter)
    shown: Counter[int] = field(default_factory=Counter)
    verdicts: dict[int, Counter[Verdict]] = field(default_factory=lambda: defaultdict(Counter))
    places: int = 0
    """Alike places besides the two that were made by hand, in groups that the old text tells from others."""
    found: int = 0
    found_at_once: int = 0
    """Of them those in the first offer after one or two examples."""
    untold: int = 0
    """Those in groups of which each place was a decision of its own."""
    untold_found: int = 0
    lone_asked: int = 0
    lone: Counter[Verdict] = field(default_factory=Counter)
    lone_shown: int = 0

    def add(self, other: Tally) -> None:
        for examples, counts in other.verdicts.items():
            self.verdicts[examples].update(counts)
        for name, mine in vars(self).items():
            if name != "verdicts":
                setattr(self, name, mine + getattr(other, name))

    def precision(self, *examples: int) -> float | None:
        counts = sum((self.verdicts[example] for example in examples), Counter[Verdict]())
        total = counts["right"] + counts["wrong"]
        return counts["right"] / total if total else None

    @property
    def recall(self) -> float | None:
        return self.found / self.places if self.places else None

    @property
    def recall_of_all(self) -> float | None:
        places = self.places + self.untold
        return (self.found + self.untold_found) / places if places else None

    def row(self, name: str) -> dict[str, Any]:
        shares = {
            "after one": self.precision(1),
            "after two": self.precision(2),
            "after taken": self.precision(_TAKEN),
            "at once": self.found_at_once / self.places if self.places else None,
            "recall": self.recall,
            "recall of all": self.recall_of_all,
        }
        counts = {
            f"shown after {word}": f"{self.shown[at]}/{self.asked[at]}"
            for at, word in ((1, "one"), (2, "two"))
        }
        lone = f"{self.lone_shown}/{self.lone_asked} ({self.lone['right']}:{self.lone['wrong']})"
        rounded = {key: None if value is None else round(value, 3) for key, value in shares.items()}
        return {
            "history": name,
            "alike places": self.places,
            "not told": self.untold,
            **counts,
            **rounded,
            "lone changes": lone,
        }


def measure(args: argparse.Namespace) -> Report:
    if not args.packages and not args.repository:
        raise UsageError("nothing to replay", hint="Name --packages DIR or --repository DIR.")
    report = Report("next")
    if args.fit:
        from spark_tui.bench.next_edit.weights import fit_weights

        report.notes += fit_weights(_histories(args), args.seed, args.groups, args.processes, Path(args.fit))
        return report
    total = Tally()
    texts: list[dict[str, str]] = []
    most = 6 if args.quick else args.groups
    done = in_processes(_replayed, _histories(args), args.seed, most, args.processes)
    for name, (tally, before) in sorted(done, key=lambda item: item[0]):
        total.add(tally)
        texts.append(before)
        if tally.asked:
            report.rows.append(tally.row(name))
    report.rows.append(total.row("all"))
    waits, clock = _typing(texts, 40 if args.quick else 300) if texts else ([], [])
    report.bars += [
        Bar("precision of the places shown", total.precision(1, 2, _TAKEN), 0.90),
        Bar("precision after two examples", total.precision(2, _TAKEN), 0.95),
        Bar("recall of the alike places", total.recall, 0.60),
        at_most(
            "p95 of an answer while typing, ms of processor time",
            percentile(waits, 95) if waits else None,
            200,
        ),
    ]
    rows, bars = ghost_text(texts, 200 if args.quick else 2_000)
    report.rows += rows
    report.bars += bars
    counted = sum(map(sum, (counts.values() for counts in total.verdicts.values())))
    gone = sum(counts["gone"] for counts in total.verdicts.values())
    report.notes.append(f"{gone} of {counted} shown places lie in lines that the newer text does not have")
    report.notes.append(
        "not told: places of changes of which the old text does not say which places are changed so; "
        "`recall of all` counts them too"
    )
    report.notes.append(
        "at once: recall of the first offer after one or two examples. An offer in which nothing is wrong is "
        "taken; recall counts those that follow too, and `after taken` is how many of their places are right"
    )
    report.notes.append("lone changes: offers shown/asked after a change without alike places (right:wrong)")
    if waits:
        words = [
            f"median {percentile(item, 50):.0f}, p95 {percentile(item, 95):.0f} ms" for item in (waits, clock)
        ]
        report.notes.append(
            f"typing, {len(waits)} keys: {words[0]} of processor time; {words[1]} by the clock"
        )
    return report


def _histories(args: argparse.Namespace) -> Iterator[History]:
    if args.packages:
        for at, (name, older, newer) in enumerate(releases(Path(args.packages))):
            if args.part == "all" or at % 2 == (args.part == "report"):
                yield History(name, read_release(older), read_release(newer))
    if args.repository:
        for at, one in enumerate(commits(Path(args.repository), args.commits)):
            if args.part == "all" or at % 2 == (args.part == "report"):
                yield one


# -- replaying


def _replayed(history: History, seed: int, most: int) -> tuple[Tally, dict[str, str]]:
    groups, lone = sampled(history, random.Random(seed), most)
    out = Tally()
    if not groups and not lone:
        return out, history.before
    repo = repository(history)
    for group in groups:
        _replay_group(repo, history, group, out)
    for place in lone:
        walk = Walk(repo, history, [place])
        walk.make(0)
        offer = _offer(walk)
        out.lone_asked += 1
        if offer is not None:
            out.lone_shown += 1
            out.lone.update(verdict for _, verdict in walk.verdicts(offer.plan.edits))
    return out, history.before


def _replay_group(repo: Repository, history: History, group: Sequence[ChangedPlace], out: Tally) -> None:
    covered: set[int] = set()
    at_once: set[int] = set()
    for count in (1, 2):
        walk = Walk(repo, history, group)
        for at in range(count):
            walk.make(at)
        out.asked[count] += 1
        for number, found in enumerate(_offers(walk)):
            after = count if number == 0 else _TAKEN
            out.shown[after] += 1
            out.verdicts[after].update(verdict for _, verdict in found)
            met = walk.covered([edit for edit, verdict in found if verdict == "right"])
            covered |= met
            at_once |= met if number == 0 else set()
    # The first two places are the examples.
    covered, at_once, places = covered - {0, 1}, at_once - {0, 1}, len(group) - 2
    if is_told(history.before, group):
        out.places += places
        out.found += len(covered)
        out.found_at_once += len(at_once)
    else:
        out.untold += places
        out.untold_found += len(covered)


def _offers(walk: Walk) -> Iterator[list[tuple[Edit, Verdict]]]:
    """One offer after the other, with what is right: each is taken unless something in it is wrong."""
    for _ in range(_MOST_TAKEN):
        offer = _offer(walk)
        if offer is None:
            return
        found = walk.verdicts(offer.plan.edits)
        yield found
        if any(verdict == "wrong" for _, verdict in found):
            return
        walk.take(offer.plan.edits, offer.words)


def _offer(walk: Walk) -> Offer | None:
    at = walk.situation()
    return best_offer(at) if at is not None else None


# -- typing


def _typing(texts: Sequence[dict[str, str]], keys: int) -> tuple[list[float], list[float]]:
    """Milliseconds of processor time and of the clock to the answer after each key, in a repository of
    100,000 lines: names in its largest files are typed over."""
    files: dict[str, str] = {}
    lines = 0
    for number, found in enumerate(texts):
        for path, text in found.items():
            if lines < _TYPED_LINES:
                files[f"p{number}/{path}"] = text
                lines += text.count("\n")
    repo = Repository(DictTree(files))
    assert repo.index.summaries
    for text in files.values():
        tokens_of(text)
    gc.freeze()  # as the process does before anybody asks
    rng = random.Random(1)
    paths = sorted(files, key=lambda path: -len(files[path]))[:20]
    out: list[float] = []
    clock: list[float] = []
    while len(out) < keys:
        path = rng.choice(paths)
        text, at, word = _word_to_type_over(files[path], rng)
        history = EditHistory()
        history.opened(path, text)
        for typed in range(1, len(word) + 4):
            now = text[:at] + (word + "_xy")[:typed] + text[at + len(word) :]
            begun, begun_clock = time.process_time(), time.perf_counter()
            question = history.typed(path, now)
            if question is not None:
                best_offer(question.situation(repo.with_changes({path: now})))
            out.append(1000 * (time.process_time() - begun))
            clock.append(1000 * (time.perf_counter() - begun_clock))
    gc.unfreeze()
    return out, clock


def _word_to_type_over(text: str, rng: random.Random) -> tuple[str, int, str]:
    found = rng.choice(list(re.finditer(r"\b[a-z_]{4,12}\b", text)))
    return text, found.start(), found[0]


_LEAST_LENGTH = 10
_LEAST_LINES = 30
_WORD_END = re.compile(r"\w")


def ghost_text(texts: Sequence[dict[str, str]], chances: int) -> tuple[list[dict[str, Any]], list[Bar]]:
    """The carets are anywhere in code lines of at least ten characters; the rest of the line is hidden. Shown
    text is right where the rest begins with it, and no word goes on after it."""
    rng = random.Random(11)
    files = [text for found in texts for text in found.values() if text.count("\n") >= _LEAST_LINES]
    shown = right = done = 0
    while done < chances and files:
        lines = rng.choice(files).split("\n")
        row = rng.randrange(len(lines))
        line = lines[row].rstrip()
        code = line.lstrip()
        if len(code) < _LEAST_LENGTH or code.startswith("#"):
            continue
        done += 1
        column = rng.randrange(len(line) - len(code) + 1, len(line))
        found = complete_line(lines, row, column)
        if found:
            shown += 1
            right += _is_right(found, line[column:])
    rows = [{"history": "ghost text", "chances": done, "shown": shown, "right": right}]
    return rows, [
        Bar("ghost text right to the letter, of what is shown", right / shown if shown else None, 0.70),
        Bar("ghost text shown, of all chances", shown / done if done else None, 0.10),
    ]


def _is_right(shown: str, rest: str) -> bool:
    if not rest.startswith(shown):
        return False
    return not (_WORD_END.match(shown[-1]) and _WORD_END.match(rest[len(shown) : len(shown) + 1]))
