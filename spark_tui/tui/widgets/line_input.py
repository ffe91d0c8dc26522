"""A line of text to edit, drawn by the widget that shows it."""

from __future__ import annotations

from spark_tui.tui.text.safe_text import one_line


def without_last_word(text: str) -> str:
    """The text without its last word, as the shell counts words."""
    kept, space, _ = text.rstrip().rpartition(" ")
    return kept + space


class LineInput:
    """A text and a caret."""

    def __init__(self, text: str = "") -> None:
        self.text = text
        self.at = len(text)

    def key(self, key: str, character: str | None) -> bool:
        """Whether the key was for the text."""
        match key:
            case "left":
                self.at = max(self.at - 1, 0)
            case "right":
                self.at = min(self.at + 1, len(self.text))
            case "home" | "ctrl+a":
                self.at = 0
            case "end" | "ctrl+e":
                self.at = len(self.text)
            case "backspace":
                kept = self.text[: max(self.at - 1, 0)]
                self.text, self.at = kept + self.text[self.at :], len(kept)
            case "delete":
                self.text = self.text[: self.at] + self.text[self.at + 1 :]
            case "ctrl+w" | "alt+backspace":
                kept = without_last_word(self.text[: self.at])
                self.text, self.at = kept + self.text[self.at :], len(kept)
            case "ctrl+u":
                self.text, self.at = self.text[self.at :], 0
            case "ctrl+k":
                self.text = self.text[: self.at]
            case _ if character and character.isprintable():
                self.insert(character)
            case _:
                return False
        return True

    def insert(self, text: str) -> None:
        text = one_line(text)
        self.text, self.at = self.text[: self.at] + text + self.text[self.at :], self.at + len(text)

    def pieces(self, cells: int) -> list[tuple[str, str]]:
        """The part around the caret that fits."""
        first = max(self.at - cells + 2, 0)
        before, under, after = self.text[first : self.at], self.text[self.at :][:1], self.text[self.at + 1 :]
        room = max(cells - len(before) - 1, 0)
        return [(before, "pane"), (under or " ", "pane.caret"), (after[:room], "pane")]
