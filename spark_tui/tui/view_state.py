"""Which actions apply in the current state, the labels of their keys in the footer and next to the prompt,
and the keys that act when they are pressed twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from spark_tui.tui.code.hunk_view import OPEN, HunkState
from spark_tui.tui.settings.keys import ACTIONS, BY_ID, NO_KEY, Keymap, Place

Hint = tuple[str, str]
"""`(key as written, what it does now)`."""


@dataclass(frozen=True, slots=True)
class ViewState:
    """Everything that the meaning of a key rests on."""

    place: Place = "prompt"
    busy: bool = False
    typed: bool = False
    queued: int = 0
    hunk: HunkState | None = None
    choosing: bool = False
    """Lines of the hunk are being left out."""
    splits: bool = True
    """The hunk can be made smaller."""
    breaks: bool = False
    """The hunk would break something, and the place is known."""
    hunks: int = 0
    open: int = 0
    left_out: bool = False
    """Marked hunks were just left out when all were accepted."""
    taken: int = 0
    written: bool = False
    undone: bool = False
    uncommitted: bool = False
    in_git: bool = True
    following: bool = True
    resumable: bool = False
    turns: int = 0
    delivered: bool = False
    """The last turn came from a job, or is what was typed: nobody sent it."""
    branching: int = 0
    choices: int = 0
    """How many edits there are to choose from."""
    goes_on: bool = False
    """The next message steers the turn."""
    unsaved: bool = False
    file: bool = True
    """A file is open in the code pane."""
    in_file: bool = False
    """What is typed goes into the file, not into a hunk."""
    ghost: bool = False
    offer: Literal["", "offered", "preview"] = ""
    """A next edit is offered, or its hunks are shown."""
    loading: bool = False
    finding: Literal["", "typing", "found"] = ""
    """Text is being looked for in the code, or was found and is marked there."""
    selected: bool = False
    """Text is selected with the mouse."""
    questioned: bool = False
    """A question of the model lies over the code."""
    transcript: Literal["", "back", "cut"] = ""
    """Somebody has scrolled back in it, or the last answer does not fit."""
    tall: bool = False
    """The transcript is enlarged."""
    next_pane: str = "prompt"
    """Where Tab goes from the code or the list of hunks."""


def _is_open(now: ViewState) -> bool:
    return now.hunk in OPEN and now.hunk != "streaming"


def _is_whole(now: ViewState) -> bool:
    return now.hunk in ("closed", "accepted", "edited", "rejected")


_COUNTS: dict[str, Callable[[ViewState], bool]] = {
    "accept": lambda now: _is_open(now) or now.hunk == "rejected" or now.choosing,
    "reject": lambda now: _is_open(now) or now.hunk in ("accepted", "edited"),
    "split": _is_whole,
    "lines": _is_whole,
    "edit": _is_whole,
    "breaks": lambda now: now.breaks,
    "reopen": lambda now: now.hunk in ("accepted", "edited", "rejected", "dropped", "written"),
    "resume": lambda now: now.resumable and not now.busy,
    "choose": lambda now: now.choices > 0 and not now.busy,
    "retry": lambda now: now.turns > 0 and not now.busy and not now.delivered,
    "diff": lambda now: now.hunk is not None or now.unsaved,
    "comment": lambda now: now.hunk is not None,
    "copy": lambda now: now.hunk is not None or now.selected,
    "accept.file": lambda now: now.open > 0 or now.left_out,
    "reject.file": lambda now: now.open > 0 or now.left_out,
    "accept.all": lambda now: now.open > 0 or now.left_out,
    "write": lambda now: now.taken > 0,
    "commit": lambda now: now.uncommitted,
    "undo": lambda now: now.written,
    "redo": lambda now: now.undone,
    "hunk.next": lambda now: now.hunks > 0,
    "hunk.previous": lambda now: now.hunks > 0,
    "file.next": lambda now: now.hunks > 0,
    "file.previous": lambda now: now.hunks > 0,
    "follow": lambda now: now.busy and not now.following,
    "submit": lambda now: now.typed,
    "withdraw": lambda now: now.queued > 0,
    "save": lambda now: now.unsaved,
    "ghost.take": lambda now: now.ghost or bool(now.offer),
    "ghost.word": lambda now: now.ghost,
    "find.next": lambda now: now.finding == "found",
    "find.previous": lambda now: now.finding == "found",
}
"""When an action would do something; one that is not here always would."""


def counts(action: str, now: ViewState) -> bool:
    """Whether the action would do something."""
    if action.startswith("type."):
        return now.place == "edit"
    return action not in _COUNTS or _COUNTS[action](now)


def why_not(action: str, now: ViewState) -> str:
    """The message if the action would do nothing."""
    if now.busy and action in ("resume", "retry"):
        return "the model is already writing"
    if now.hunk == "partial" and action in ("split", "lines", "edit"):
        return "this hunk is partial: resume it, drop it or keep it first"
    if now.hunk == "conflict" and action in ("split", "lines", "edit"):
        return "this hunk is in conflict with the text of the file: reject it first"
    if action == "retry":
        return "no instruction to send again here"
    if action == "breaks":
        return "nothing is known that this hunk would break"
    if action == "undo" and not now.turns:
        return "nothing was written in this session; /sessions opens an earlier one"
    if action == "write" and now.open:
        return "no hunk is accepted yet"
    if action == "commit" and now.taken:
        return "the accepted hunks are not written yet"
    if action.startswith(("hunk.", "file.")):
        return "there are no hunks yet"
    return f"nothing to {'choose' if action == 'lines' else action.split('.')[0]} here"


_CODE = [action.id for action in sorted(ACTIONS, key=lambda action: action.footer) if action.footer]
_FOR_PARTIAL = {"resume": "resume", "reject": "drop", "accept": "keep as it is"}
"""What there is to do about a partial hunk, before everything else."""
_NEEDS_FILE = frozenset(("type", "find.slash", "view", "fold"))

_FIRST = 4
"""The number of keys shown before the way out."""


def footer(now: ViewState, keymap: Keymap) -> list[Hint]:
    """The keys that count now, the most wanted first. What has no key is reached in another way."""
    return [hint for hint in _hints(now, keymap) if hint[0] != NO_KEY]


def _hints(now: ViewState, keymap: Keymap) -> list[Hint]:
    if now.questioned:
        return [keymap.hint("stop", "stop")]  # the question shows its own
    stop = [keymap.hint("stop", "stop")] if now.busy else _offer_keys(now, keymap)
    if now.finding == "typing":
        leave = [] if now.busy else [keymap.hint("stop", "go back")]
        return [*stop, ("Enter", "stay here"), ("↓", "next"), ("↑", "previous"), *leave]
    if now.place == "edit":
        return [*stop, *_typing_keys(now, keymap)]
    if now.place == "prompt":
        return [*stop, *_prompt_keys(now, keymap)]
    if now.choosing and not stop:
        return [
            keymap.hint("lines", "drop or keep the line"),
            keymap.hint("accept", "accept the rest"),
            keymap.hint("stop", "cancel"),
        ]
    useless = {"accept.file"} if now.open == 1 and not now.left_out else set()
    if now.hunk == "conflict":
        useless.add("accept")  # it says why not
    if not now.splits:
        useless.add("split")
    if not now.in_git:
        useless.add("commit")
    shown = [item for item in _CODE if counts(item, now) and item not in useless]
    if not now.file:
        shown = ["open", *(item for item in shown if item not in _NEEDS_FILE)]
    labels = {action: BY_ID[action].label for action in shown}
    if now.hunk == "partial":
        first = [action for action in _FOR_PARTIAL if action in shown]
        shown = [*first, *(action for action in shown if action not in first)]
        labels |= _FOR_PARTIAL
    if now.finding:
        # The same letter goes to the next place now.
        shown = [action for action in shown if action != "hunk.next"]
        matches = [keymap.hint(action) for action in ("find.next", "find.previous")]
        stop = [*(stop or [keymap.hint("stop", "end the search")]), *matches]
    hints = [keymap.hint(action, labels[action]) for action in shown]
    # The way out is placed where it fits on every screen.
    out = [keymap.hint("help.short", "keys")]
    if not stop:
        out.insert(0, keymap.hint("stop", "prompt"))
    if now.next_pane != "prompt" or stop:
        hints.append(keymap.hint("pane.next", now.next_pane))
    return [*stop, *hints[:_FIRST], *out, *hints[_FIRST:]]


def _offer_keys(now: ViewState, keymap: Keymap) -> list[Hint]:
    """While a next edit is offered, outside of the prompt."""
    if not now.offer or now.place == "prompt" or now.ghost:
        return []
    take = "take all" if now.offer == "preview" else "show the edit"
    return [keymap.hint("ghost.take", take), keymap.hint("stop", "dismiss")]


def _typing_keys(now: ViewState, keymap: Keymap) -> list[Hint]:
    """What counts most while text is typed; what a plain editor does comes last."""
    wanted = ["ghost.take", "ghost.word"] if now.ghost else ["save"] if now.unsaved else []
    leave = "hide" if now.ghost else "leave" if now.in_file else "leave and accept your edit"
    hints = [keymap.hint(action) for action in wanted]
    hints += [] if now.busy or (now.offer and not now.ghost) else [keymap.hint("stop", leave)]
    more = ("type.undo", "type.cut", "type.paste", "type.all")
    return [*hints, *(keymap.hint(action) for action in more)]


def _prompt_keys(now: ViewState, keymap: Keymap) -> list[Hint]:
    go = "hunks" if now.hunks else "code"
    hints: list[Hint] = [keymap.hint("newline", "new line")] if now.typed else []
    if now.queued:
        hints.append((keymap.shown("withdraw"), "take back the last" if now.queued > 1 else "take back"))
    if not (now.typed and (now.busy or now.goes_on)):
        if now.open:
            go = f"decide {now.open} hunk{'s' if now.open > 1 else ''}"
        elif now.taken:
            go = f"write {now.taken} accepted"
        if counts("resume", now) and not now.typed:
            hints.append(keymap.hint("resume", "resume"))
        hints.append(keymap.hint("queue", go))
    hints += [
        ("@", "files"),
        ("/", "commands"),
        keymap.hint("help", "keys"),
        keymap.hint("quit", "quit"),
        keymap.hint("prompt.previous", "earlier"),
        keymap.hint("theme", "theme"),
    ]
    return hints


def beside_prompt(now: ViewState, keymap: Keymap) -> list[Hint]:
    """What Enter, Tab and Esc do now, shown on the edge of the prompt."""
    submit, queue, stop = keymap.shown("submit"), keymap.shown("queue"), keymap.shown("stop")
    typed = now.typed and now.place == "prompt"  # elsewhere these keys do something else
    if now.busy:
        keys = [(submit, "steer"), (queue, "queue")] if typed else []
        return [*keys, (stop, "stop")]
    if now.loading:
        return [*([(submit, "send")] if typed else []), (stop, "cancel loading")]
    if now.branching:
        return [(submit, f"continue after hunk {now.branching}"), (stop, "cancel")]
    if now.goes_on and typed:
        return [(submit, "steer"), (queue, "new turn")]
    return [(submit, "send")] if typed else []


def beside_transcript(now: ViewState, keymap: Keymap) -> list[Hint]:
    """The keys that show what of the transcript is out of view: where somebody has scrolled back, and where
    the last answer does not fit; and the one that takes back that it is enlarged."""
    scroll = {"back": ["transcript.down"], "cut": ["transcript.up"]}.get(now.transcript, [])
    hints = [keymap.hint(action) for action in scroll if now.place == "prompt"]
    if now.tall or now.transcript == "cut":
        hints.append(keymap.hint("transcript", "shrink" if now.tall else "enlarge"))
    return hints


@dataclass
class Confirmations:
    """What the first press of a key asked; forgotten with any other action."""

    quit: bool = False
    commit: bool = False
    """Whether git still committed when the app was left."""
    rewind: bool = False
    write: bool = False
    """That what is accepted would break a place."""
    keep: int = 0
    """The partial hunk for which the status line explains what keeping it does."""
    marked: frozenset[int] = frozenset()
    """The marked hunks that were not accepted with the others, according to the status line."""
    marked_by: str = ""
    """The action that left them out."""

    def forget(self, *, but: str = "") -> None:
        """Forget what was asked, except by this action."""
        if but not in ("quit", "interrupt"):
            self.quit = False
        if but != "stop":
            self.rewind = False
        if but != "write":
            self.write = False
        if but != self.marked_by:
            self.marked = frozenset()
        if but != "accept":
            self.keep = 0
