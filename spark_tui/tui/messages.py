"""The messages that widgets post: the user's intents, with plain values."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message


@dataclass
class Intent(Message):
    """A key or command asks for an action of the registry."""

    action: str


@dataclass
class Submitted(Message):
    """Enter in the prompt, or Tab with text in it: `later`, after the turn that runs. The prompt has been
    emptied."""

    text: str
    later: bool = False


class DraftChanged(Message):
    """The text in the prompt changed."""


@dataclass
class HunkPicked(Message):
    """A hunk was clicked or picked in a list."""

    hunk_id: int


@dataclass
class ProblemPicked(Message):
    """A problem was picked in the list of hunks: to be shown, or to be fixed."""

    number: int
    fix: bool = False


class ViewMoved(Message):
    """The person scrolled or moved in the code pane."""


@dataclass
class TextTyped(Message):
    """A key changed the code pane while typing. `pause`: a proposal is wanted once the keys are quiet;
    `changed`: the text is different."""

    pause: bool
    changed: bool = False


@dataclass
class CopyRequested(Message):
    """Text of the code pane is to be in the clipboard."""

    text: str
