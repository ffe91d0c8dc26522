"""The text of the pages: every key, the welcome text, and the plain diff, as rows of `(text, style name)`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import overload

from rich.cells import cell_len

from spark_tui.tui.code.hunk_view import DOUBT_MARK, MARKS, WORDS
from spark_tui.tui.settings.keys import ACTIONS, Keymap
from spark_tui.tui.text.safe_text import visible, wrap

Row = list[tuple[str, str]]
_PLACES = {
    "prompt": "in the prompt",
    "code": "in code and hunks",
    "edit": "while typing in a file",
    "found": "after a search",
    "anywhere": "anywhere",
}


def help_rows(keymap: Keymap, cells: int = 200) -> list[Row]:
    """Every action of the registry by group, then the marks; what does not fit is wrapped."""
    rows: list[Row] = []
    keys_cells = max(cell_len(keymap.shown_all(action.id)) for action in ACTIONS) + 2
    keys_cells = min(keys_cells, max(cells // 2 - 3, 12))
    room = max(cells - 3 - keys_cells, 20)
    for group in dict.fromkeys(action.group for action in ACTIONS):
        actions = [action for action in ACTIONS if action.group == group]
        usual, _ = Counter(action.place for action in actions).most_common(1)[0]
        rows += [[], [(f" {group}", "title"), (f"  {_PLACES[usual]}", "number")]]
        for action in actions:
            keys = keymap.shown_all(action.id)
            if cell_len(keys) >= keys_cells:  # on a narrow screen: a row of its own
                rows.append([("   ", "text"), (keys, "open")])
                keys = ""
            pad = " " * (keys_cells - cell_len(keys))
            rows += _key_row(keys + pad, action.help, room)
            if action.place == usual:
                continue
            place = f"  {_PLACES[action.place]}"
            if cell_len(rows[-1][-1][0]) + cell_len(place) > room:
                rows.append([(" " * (1 + keys_cells), "text")])
            rows[-1].append((place, "number"))
    rows += [[], [(" Marks", "title")]]
    seen: dict[str, str] = {}
    for state, mark in MARKS.items():
        seen[mark] = f"{seen[mark]}, {WORDS[state]}" if mark in seen else WORDS[state]
    seen[DOUBT_MARK] = "undecided, and it may be wrong: the status line says why"
    for mark, words in seen.items():
        rows += _key_row(f"{mark:<{keys_cells}}", words, room)
    return [*rows, []]


def _key_row(key: str, words: str, room: int) -> list[Row]:
    first, *more = wrap(words, room)
    below = [[(" " * (3 + cell_len(key)), "text"), (text, "text")] for text in more]
    return [[("   ", "text"), (key, "open"), (first, "text")], *below]


def welcome_rows(keymap: Keymap, root: str) -> list[Row]:
    """The rows shown before a file is open; each is centred as a whole."""
    pairs = (
        ((keymap.shown("submit"), "send"), (keymap.shown("queue"), "go to the code")),
        ((keymap.shown("stop"), "stop the model"), (keymap.shown("help"), "list every key")),
        (("@", "name a file"), ("/", "commands")),
    )
    rows: list[Row] = [
        [("✦", "open")],
        [],
        [(f"Say below what to change in {visible(root)}.", "title")],
        [("For example: rename total to amount everywhere", "title.soft")],
        [],
        [("Edits appear in the file as they stream;", "title.soft")],
        [("nothing is written until you say so.", "title.soft")],
        [],
    ]
    for pair in pairs:
        rows.append([])
        for key, what in pair:
            rows[-1] += [(f"{key:>7}  ", "open"), (f"{what:<17}", "number")]
    return rows


class DiffRows(Sequence[Row]):
    """A plain diff, a line a row; a row is made when it is looked at, for a diff may have 50,000."""

    def __init__(self, patch: str) -> None:
        self._lines = patch.removesuffix("\n").split("\n")

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> list[Row]: ...
    def __getitem__(self, at: int | slice) -> Row | list[Row]:
        if isinstance(at, slice):
            return [_diff_row(line) for line in self._lines[at]]
        return _diff_row(self._lines[at])


def diff_rows(patch: str) -> Sequence[Row]:
    return DiffRows(patch) if patch.strip() else [[(" nothing would be written", "title.soft")]]


def _diff_row(line: str) -> Row:
    if line.startswith(
        ("diff ", "index ", "--- ", "+++ ", "new file", "deleted file", "similarity", "rename ")
    ):
        style = "title" if line.startswith("diff ") else "number"
    elif line.startswith("@@"):
        style = "open"
    else:
        style = {"+": "new", "-": "old"}.get(line[:1], "text")
    return [(f" {visible(line)}", style)]
