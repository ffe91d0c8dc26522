"""Every key of the workbench in one table: its action, where it applies, and whether it can be rebound. Help,
the footer, the palette and docs/keys.md are generated from this table."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from spark_tui.tui.key_names import parse_key, shown

Place = Literal["prompt", "code", "edit", "found", "anywhere"]
"""`code` is the code pane and the list of hunks; `edit` is the code pane while text is typed into it; `found`
while what was looked for is marked in it: its keys go before those of `code`."""
_SHARING: dict[Place, tuple[Place, ...]] = {
    "prompt": ("prompt", "anywhere"),
    "code": ("code", "anywhere"),
    "edit": ("edit", "anywhere"),
    "found": ("found", "anywhere"),
    "anywhere": ("prompt", "code", "edit", "found", "anywhere"),
}


@dataclass(frozen=True, slots=True)
class Action:
    """`label` is for the footer, `help` a sentence for `?` and the palette. A fixed action keeps its keys."""

    id: str
    keys: tuple[str, ...]
    place: Place
    label: str
    help: str
    group: str
    fixed: bool = False


def _a(id: str, keys: str, place: Place, label: str, help: str, group: str, fixed: bool = False) -> Action:
    return Action(id, tuple(keys.split()), place, label, help, group, fixed)


ACTIONS: tuple[Action, ...] = (
    _a(
        "submit",
        "enter",
        "prompt",
        "send",
        "Send the prompt; while the model writes or after a stop: steer the turn",
        "Prompt",
    ),
    _a(
        "queue",
        "tab",
        "prompt",
        "queue",
        "While the model writes: queue the prompt; after a stop: send it as a new turn; else go to the code",
        "Prompt",
    ),
    _a(
        "withdraw",
        "alt+q",
        "anywhere",
        "take back",
        "Take the last queued message back into the prompt",
        "Prompt",
    ),
    _a(
        "newline",
        "ctrl+j alt+enter shift+enter",
        "prompt",
        "new line",
        "Start a new line in the prompt",
        "Prompt",
    ),
    _a("prompt.previous", "alt+up", "prompt", "earlier", "Show the previous prompt", "Prompt"),
    _a("prompt.next", "alt+down", "prompt", "later", "Show the next prompt", "Prompt"),
    _a("prompt.search", "ctrl+r", "prompt", "search", "Search the prompts sent in this repository", "Prompt"),
    _a(
        "stop",
        "escape",
        "anywhere",
        "stop",
        "Stop the model; else close what is open; twice: rewind the turn to a hunk",
        "Model",
        True,
    ),
    _a("resume", "ctrl+r", "code", "resume", "Resume the stopped turn", "Model"),
    _a("retry", "t", "code", "retry", "Send the last instruction again; tell what did not fit", "Model"),
    _a(
        "choose",
        "m",
        "code",
        "choose",
        "Choose between the edits that the last instruction may have meant",
        "Model",
    ),
    _a("hunk.next", "n", "code", "next", "Go to the next hunk", "Review"),
    _a("hunk.previous", "p", "code", "previous", "Go to the previous hunk", "Review"),
    _a(
        "breaks",
        "f12 ctrl+right_square_bracket",
        "code",
        "what breaks",
        "Go to the place that the hunk would break; again: the next one, then back",
        "Review",
    ),
    _a("file.next", "right_square_bracket", "code", "next file", "Go to the next file with hunks", "Review"),
    _a(
        "file.previous",
        "left_square_bracket",
        "code",
        "previous file",
        "Go to the previous file with hunks",
        "Review",
    ),
    _a(
        "accept",
        "a",
        "code",
        "accept",
        "Accept the hunk and go to the next; twice: keep a partial one",
        "Review",
    ),
    _a("reject", "r", "code", "reject", "Reject the hunk (drop a partial one) and go to the next", "Review"),
    _a(
        "accept.file",
        "A",
        "code",
        "accept file",
        "Accept undecided hunks of this file, not partial ones; twice: marked ones too",
        "Review",
    ),
    _a("reject.file", "R", "code", "reject file", "Reject all undecided hunks of this file", "Review"),
    _a(
        "accept.all",
        "ctrl+a",
        "code",
        "accept all",
        "Accept undecided hunks of all files, not partial ones; twice: marked ones too",
        "Review",
    ),
    _a("reopen", "o", "code", "reopen", "Take back the decision on the hunk", "Review"),
    _a("split", "s", "code", "split", "Split the hunk into the smallest possible hunks", "Review"),
    _a("lines", "space", "code", "by line", "Choose lines of the hunk", "Review"),
    _a("edit", "e", "code", "edit hunk", "Edit the new lines of the hunk", "Review"),
    _a("comment", "c", "code", "comment", "Comment on the hunk; the model gets the comment", "Review"),
    _a("diff", "enter", "code", "diff", "Show what would be written, as a diff", "Review"),
    _a("write", "w", "code", "write", "Write the accepted hunks to the files", "Files"),
    _a("commit", "C", "code", "commit", "Commit what was written", "Files"),
    _a("undo", "u", "code", "undo", "Undo the last write", "Files"),
    _a("redo", "ctrl+y", "code", "redo", "Redo the last undo", "Files"),
    _a("save", "ctrl+s", "anywhere", "save", "Save what you typed; no hunk of the model is written", "Files"),
    _a("open", "f", "code", "open", "Open a file of the repository", "Files"),
    _a("copy", "y", "code", "copy", "Copy the new lines of the hunk to the clipboard", "Files"),
    _a(
        "refactor",
        "x",
        "code",
        "exact edit",
        "Change code exactly, without the model: every operation, completed as you type",
        "Exact edits",
    ),
    _a("rename", "", "code", "rename", "Rename a symbol in the whole repository", "Exact edits"),
    _a(
        "signature",
        "",
        "code",
        "signature",
        "Change the parameters of a function; calls follow",
        "Exact edits",
    ),
    _a("imports", "", "code", "imports", "Remove unused imports and sort the rest", "Exact edits"),
    _a("extract", "", "code", "extract", "Make a function, variable or constant of code", "Exact edits"),
    _a("test", "", "code", "test", "Write a test of it; a model fills in what it checks", "Exact edits"),
    _a("type", "i", "code", "type", "Type in the file; on a new line of a hunk: edit the hunk", "Typing"),
    _a("type.undo", "ctrl+z", "edit", "undo", "Undo the last typing", "Typing"),
    _a("type.redo", "ctrl+y ctrl+shift+z", "edit", "redo", "Redo the last undo", "Typing"),
    _a("type.cut", "ctrl+x", "edit", "cut", "Cut the selection, else the line", "Typing"),
    _a("type.copy", "alt+c", "edit", "copy", "Copy the selection, else the line", "Typing"),
    _a("type.paste", "ctrl+v", "edit", "paste", "Paste the last cut or copy", "Typing"),
    _a("type.all", "ctrl+a", "edit", "all", "Select everything", "Typing"),
    _a(
        "type.word.delete",
        "ctrl+w alt+backspace",
        "edit",
        "delete word",
        "Delete the word before the cursor",
        "Typing",
    ),
    _a("type.line.end.delete", "ctrl+k", "edit", "delete to end", "Delete the rest of the line", "Typing"),
    _a(
        "ghost.take",
        "tab",
        "edit",
        "take",
        "Accept the ghost text; else show the next edit that is offered, then take it; else indent",
        "Typing",
    ),
    _a(
        "ghost.word",
        "ctrl+right",
        "edit",
        "take word",
        "Accept one word of the ghost text; else move one word right",
        "Typing",
    ),
    _a(
        "offer.jump",
        "alt+j",
        "anywhere",
        "likely next",
        "Go to what is likely next after an edit: a caller, a test, the docs; again: the one after",
        "Typing",
    ),
    _a("offers", "alt+o", "anywhere", "offers", "Offer next edits while you type, or no longer", "Typing"),
    _a("line.down", "j down", "code", "down", "One line down", "Moving"),
    _a("line.up", "k up", "code", "up", "One line up", "Moving"),
    _a("page.down", "pagedown ctrl+d", "code", "page down", "One page down", "Moving"),
    _a("page.up", "pageup ctrl+u", "code", "page up", "One page up", "Moving"),
    _a("top", "g home", "code", "top", "To the first line", "Moving"),
    _a("bottom", "G end", "code", "bottom", "To the last line", "Moving"),
    _a("line.go", "colon", "code", "line", "Go to a line by its number", "Moving"),
    _a(
        "find",
        "ctrl+f",
        "anywhere",
        "find",
        "Find text in the file; Enter stays at the match, Esc goes back",
        "Moving",
    ),
    _a(
        "find.slash",
        "slash",
        "code",
        "find",
        "Find text in the file; Enter stays at the match, Esc goes back",
        "Moving",
    ),
    _a("find.next", "n", "found", "next match", "Go to the next match; Esc ends the search", "Moving"),
    _a("find.previous", "N", "found", "previous match", "Go to the previous match", "Moving"),
    _a("left", "h left", "code", "left", "Scroll left", "Moving"),
    _a("right", "l right", "code", "right", "Scroll right", "Moving"),
    _a("follow", "full_stop", "code", "follow", "Follow the model's cursor again", "Moving"),
    _a("pane.next", "tab", "code", "next pane", "Go to the next pane, or show or take a next edit", "Moving"),
    _a("pane.previous", "shift+tab", "anywhere", "previous pane", "Go to the previous pane", "Moving"),
    _a("view", "v", "code", "view", "Switch the diff view: unified, split, or by screen width", "Screen"),
    _a("fold", "z", "code", "fold", "Fold unchanged lines", "Screen"),
    _a(
        "wafer",
        "f2",
        "anywhere",
        "wafer",
        "Show what a wafer would do with the model's forward passes",
        "Screen",
    ),
    _a(
        "wafer.model", "alt+w", "anywhere", "next model", "Switch the wafer panel to the next model", "Screen"
    ),
    _a(
        "transcript",
        "f3",
        "anywhere",
        "transcript",
        "Enlarge the transcript and unfold it",
        "Screen",
    ),
    _a("theme", "f4", "anywhere", "theme", "Switch to the next theme", "Screen"),
    _a(
        "settings",
        "f5",
        "anywhere",
        "settings",
        "Show and change the settings, and where each comes from",
        "Screen",
    ),
    _a("sessions", "f6", "anywhere", "sessions", "Open another session", "Screen"),
    _a("model", "f7", "anywhere", "model", "Switch to another model", "Screen"),
    _a("jobs", "f8", "anywhere", "jobs", "List the background jobs and review their hunks", "Screen"),
    _a("delegate", "", "anywhere", "delegate", "Hand an instruction to a background job", "Screen"),
    _a("check", "f9", "anywhere", "check", "Run the check and list its problems", "Screen"),
    _a("connect", "", "anywhere", "connect", "Connect to a server and use one of its models", "Screen"),
    _a("redraw", "ctrl+l", "anywhere", "redraw", "Redraw the screen", "Screen"),
    _a("suspend", "ctrl+z", "code", "to the shell", "Suspend to the shell; `fg` returns", "Screen"),
    _a("palette", "ctrl+p", "anywhere", "commands", "Find a command by name", "Screen"),
    _a("help", "f1", "anywhere", "keys", "Show every key", "Screen"),
    _a("help.short", "question_mark", "code", "keys", "Show every key", "Screen"),
    _a("interrupt", "ctrl+c", "anywhere", "quit", "Stop the model; twice: quit", "Screen", True),
    _a("quit", "ctrl+q", "anywhere", "quit", "Quit; asks first if something would be lost", "Screen"),
)
BY_ID = {action.id: action for action in ACTIONS}


@dataclass(frozen=True)
class Keymap:
    """Keys as they are in force. `problems` are sentences about rebindings that could not be taken."""

    keys: Mapping[str, tuple[str, ...]]
    problems: tuple[str, ...] = ()

    def action(self, place: Place, key: str) -> str | None:
        """What `key` does at `place`; a key of the place itself goes before one that counts anywhere."""
        return self._table.get((place, key)) or self._table.get(("anywhere", key))

    def shown(self, action_id: str) -> str:
        """The first key of an action, for people."""
        keys = self.keys[action_id]
        return shown(keys[0]) if keys else "—"

    def shown_all(self, action_id: str) -> str:
        return " ".join(shown(key) for key in self.keys[action_id]) or "—"

    @property
    def _table(self) -> dict[tuple[Place, str], str]:
        table: dict[tuple[Place, str], str] | None = self.__dict__.get("_made")
        if table is None:
            table = {
                (BY_ID[action_id].place, key): action_id
                for action_id, keys in self.keys.items()
                for key in keys
            }
            self.__dict__["_made"] = table
        return table


def keymap(rebound: Mapping[str, str] | None = None) -> Keymap:
    """The defaults with the person's rebindings; one that cannot be taken is left out and reported.

    A rebinding takes its key away from a default that has it at the same place; two rebindings that want the
    same key are a conflict, and the first one gets it.
    """
    keys = {action.id: action.keys for action in ACTIONS}
    problems: list[str] = []
    owners: dict[tuple[Place, str], str] = {}
    for action_id, text in (rebound or {}).items():
        wanted = _wanted(action_id, text, problems)
        if wanted is None:
            continue
        action = BY_ID[action_id]
        taken: list[str] = []
        for key in wanted:
            owner = next(
                (owners[place, key] for place in _SHARING[action.place] if (place, key) in owners), None
            )
            fixed = _fixed_owner(action.place, key)
            if owner or fixed:
                problems.append(
                    f"{shown(key)} cannot be bound to `{action_id}`: it is bound to `{owner or fixed}`"
                )
                continue
            owners[action.place, key] = action_id
            taken.append(key)
        if taken or not wanted:
            keys[action_id] = tuple(taken)
    for (place, key), action_id in owners.items():
        for other in ACTIONS:
            if (
                other.id != action_id
                and other.place in _SHARING[place]
                and owners.get((other.place, key)) != other.id
            ):
                keys[other.id] = tuple(k for k in keys[other.id] if k != key)
    return Keymap(keys, tuple(problems))


def _fixed_owner(place: Place, key: str) -> str | None:
    return next((a.id for a in ACTIONS if a.fixed and key in a.keys and a.place in _SHARING[place]), None)


def _wanted(action_id: str, text: str, problems: list[str]) -> list[str] | None:
    if action_id not in BY_ID:
        near = difflib.get_close_matches(action_id, BY_ID, n=1)
        problems.append(
            f"there is no action `{action_id}`" + (f"; did you mean `{near[0]}`?" if near else "")
        )
        return None
    if BY_ID[action_id].fixed:
        problems.append(f"`{action_id}` cannot be rebound")
        return None
    wanted: list[str] = []
    # A comma separates keys, and is one: alone it means itself.
    for part in [text] if text.strip() == "," else text.split(","):
        if not part.strip():
            continue
        key = "comma" if part.strip() == "," else parse_key(part)
        if key is None:
            problems.append(f"`{part.strip()}` (for `{action_id}`) is not a key")
            return None
        wanted.append(key)
    return wanted
