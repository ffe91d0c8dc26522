"""The values that `prompt` takes and returns: what is requested, and what the model is shown of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

CountTokens = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Section:
    """One file, or some of its lines, that the model is shown, with its cost and the reason."""

    path: str
    text: str
    first_line: int
    total_lines: int
    tokens: int
    why: str = ""
    around: tuple[str, ...] | None = None
    """The lines of the whole file, where they are known."""


@dataclass(frozen=True, slots=True)
class ContextRequest:
    """What the person said and where they are. Lines are 1-based; 0 and None: not known."""

    instruction: str
    in_view: str = ""
    files: tuple[str, ...] = ()
    selection: tuple[int, int] | None = None
    """First and last line of the file in view that are selected."""
    cursor: int = 0
    earlier: tuple[str, ...] = ()
    """Files of the turn before. They are shown, but nobody named them."""


@dataclass(frozen=True, slots=True)
class ContextLimits:
    """What the model takes. `tokens` for files, rules and map together (0: no bound). A model that reads one
    window at a time says how large that is."""

    tokens: int = 0
    window_tokens: int = 0
    window_lines: int = 0

    @property
    def small(self) -> bool:
        return self.window_tokens > 0


@dataclass(frozen=True, slots=True)
class ShownContext:
    """What the model is shown, and what it is not: `(path, reason)`. A model with a small window is asked
    once for each section."""

    sections: tuple[Section, ...]
    left_out: tuple[tuple[str, str], ...] = ()
    rules: str = ""
    rules_tokens: int = 0
    rule_paths: tuple[str, ...] = ()
    map: str = ""
    map_tokens: int = 0
    likely: tuple[str, ...] = ()
    """Files that may be meant, where it is not clear which."""
    missed: tuple[tuple[str, str], ...] = ()
    """What was left out although the person looks at it or spoke of it."""

    @property
    def told(self) -> tuple[tuple[str, str], ...]:
        """What the person hears with the turn: `(what, sentence without it)`."""
        parts = {section.path for section in self.sections}
        return tuple((what, f"is not {'all ' * (what in parts)}shown: {why}") for what, why in self.missed)

    @property
    def tokens(self) -> int:
        return sum(section.tokens for section in self.sections) + self.rules_tokens + self.map_tokens
