"""What an operation would do: edits of all files, what it could not follow, and what the checks found."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeVar
from weakref import WeakKeyDictionary

from spark_tui.pysource.repository import Repository

T = TypeVar("T")
Places = Iterator[tuple[str, int, str]]
"""Files and lines, each with what is to be said of it."""
Why = Literal["unfit", "unknown", "nothing", "name", "taken", "used", "language"]
UnfollowedKind = Literal["other", "in comment", "of unknown class"]


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Characters `start..end-1` of a file become `new`."""

    path: str
    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True, order=True)
class Unfollowed:
    """A place that a person has to look at: it may mean the edited symbol and was left as it is, or the
    edit of its own line may do what cannot be known. `line` counts from 1, in the text before."""

    path: str
    line: int
    reason: str
    of: UnfollowedKind = "other"
    """`of unknown class`: the member of an object, and left as it was."""

    def told(self) -> dict[str, str | int]:
        """The place as other programs are told of it."""
        return {name: getattr(self, name) for name in ("path", "line", "reason")}


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Harm that a change would do. `sure` is False where it depends on what cannot be known."""

    path: str
    line: int
    kind: str
    reason: str
    sure: bool = True
    undefined: str = ""
    """The name that nothing defines."""

    def told(self) -> dict[str, str | int]:
        """The harm as other programs are told of it."""
        return {name: getattr(self, name) for name in ("path", "line", "kind", "reason", "sure")}


@dataclass(frozen=True)
class Refused:
    """Why an operation cannot be done, and names that may have been meant."""

    reason: str
    nearest: tuple[str, ...] = ()
    why: Why = "unfit"
    """`unknown`: what is named does not exist or is ambiguous. `nothing`: all is as asked for already.
    `name`: what is to be the name of something can be none. `used`: what is to go is used.
    `language`: the file has none of the code that is to change."""

    def __str__(self) -> str:
        return self.reason + (f" (did you mean {', '.join(self.nearest)}?)" if self.nearest else "")


class Refusal(Exception):
    """Ends the planning of an operation, from within helpers too. `refused` is the answer."""

    def __init__(self, reason: str, nearest: tuple[str, ...] = (), why: Why = "unfit") -> None:
        super().__init__(reason)
        self.refused = Refused(reason, nearest, why)


def need(found: T | Refused) -> T:
    """What was found, or the refusal raised."""
    if isinstance(found, Refused):
        raise Refusal(found.reason, found.nearest, found.why)
    return found


@dataclass(frozen=True)
class Plan:
    """Edits that are ready to be made. `created` are whole new files, `removed` files that go.

    `findings` is filled by `checks.checked`; a plan is unmarked when it has no findings and nothing
    unfollowed.
    """

    edits: tuple[Edit, ...] = ()
    unfollowed: tuple[Unfollowed, ...] = ()
    findings: tuple[Finding, ...] = ()
    checked: tuple[str, ...] = ()
    """The names of the checks that were made."""
    created: Mapping[str, str] = field(default_factory=dict)
    removed: tuple[str, ...] = ()
    moved: Mapping[str, str] = field(default_factory=dict)
    """Files that get another path. Their edits stand under the old one."""

    @property
    def changes_nothing(self) -> bool:
        return not (self.edits or self.created or self.removed or self.moved)

    @property
    def unmarked(self) -> bool:
        """Whether nothing speaks against the plan."""
        return not (self.findings or self.unfollowed)

    @property
    def paths(self) -> tuple[str, ...]:
        edited_ones = {edit.path for edit in self.edits}
        return tuple(sorted({*edited_ones, *self.created, *self.removed, *self.moved, *self.moved.values()}))

    @cached_property
    def _texts(self) -> WeakKeyDictionary[Repository, Mapping[str, str | None]]:
        """What `texts` gave: a plan is looked at many times."""
        return WeakKeyDictionary()

    def texts(self, repo: Repository) -> Mapping[str, str | None]:
        """The new text of every changed file; None for a removed one."""
        if repo not in self._texts:
            self._texts[repo] = self._texts_in(repo)
        return self._texts[repo]

    def _texts_in(self, repo: Repository) -> dict[str, str | None]:
        grouped: dict[str, list[Edit]] = defaultdict(list)
        for edit in self.edits:
            grouped[edit.path].append(edit)
        out: dict[str, str | None] = {
            path: edited(repo.index.text(path) or "", them) for path, them in grouped.items()
        }
        for old, new in self.moved.items():
            out[new] = out.get(old, repo.index.text(old))
        return {**out, **self.created, **dict.fromkeys((*self.removed, *self.moved))}


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made. Equal ones count once; overlapping ones raise ValueError."""
    out: list[str] = []
    done = 0
    for item in sorted(set(edits), key=lambda edit: (edit.start, edit.end)):
        if item.start < done:
            raise ValueError(f"edits overlap at {item.path}:{item.start}")
        out += [text[done : item.start], item.new]
        done = item.end
    return "".join([*out, text[done:]])
