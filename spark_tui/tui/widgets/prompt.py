"""The prompt: text of several lines that Enter sends.

The text leaves the box at the moment of Enter, so that what is typed next is the next message. A message that
cannot be delivered is given back.
"""

from __future__ import annotations

import re

from textual import events
from textual.widgets import TextArea

from spark_tui.tui.messages import DraftChanged, Submitted
from spark_tui.tui.settings.keys import Keymap, keymap
from spark_tui.tui.text.pasted_text import FENCED, is_large, size_of
from spark_tui.tui.text.safe_text import visible
from spark_tui.tui.widgets.typeahead import Typeahead

_MOST_ROWS = 8
_ROWS_AROUND = 8
"""Of a screen: two each of the code, the transcript and the status, and the titles."""


class PromptBox(TextArea):
    DEFAULT_CSS = """
    PromptBox { height: auto; border: none; padding: 0; scrollbar-size: 0 0;
             background: $surface; color: $foreground; }
    PromptBox .text-area--cursor { background: $accent; color: $background; }
    PromptBox .text-area--selection { background: $selection; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(
            id=id,
            soft_wrap=True,
            show_line_numbers=False,
            compact=True,
            highlight_cursor_line=False,
            tab_behavior="focus",
        )
        self.cursor_blink = False
        self.keymap: Keymap = keymap()
        self.typeahead = Typeahead()
        self.sent: list[str] = []
        self.queues = False
        """Whether Tab keeps the text for later: only while something runs, after which it would come."""
        self.resumes = False
        """Whether a stopped turn can go on: on an empty prompt the key of it does that."""
        self._back = 0
        self._draft = self._suggested = ""
        self._attached: dict[str, str] = {}

    def fit(self, height: int) -> None:
        """Have no more rows than a screen of this height has place for."""
        self.styles.max_height = max(min(height - _ROWS_AROUND, _MOST_ROWS), 1)

    def on_resize(self) -> None:
        self.scroll_cursor_visible()

    async def _on_key(self, event: events.Key) -> None:
        if self.typeahead.takes(event):
            return
        if self.screen is not self.app.screen:
            # Typed faster than the screen that was asked for could be laid over this one.
            event.stop()
            event.prevent_default()
            self.app.screen.post_message(events.Key(event.key, event.character))
            return
        action = self.keymap.action("prompt", event.key)
        if action is not None and self._moves_inside(event.key):
            action = None
        if action is None and event.key == "question_mark" and not self.text:
            action = "help"
        if action is None and event.character == "/" and not self.text:
            action = "commands"
        if action is None and self.keymap.action("code", event.key) == "suspend":
            # With something to undo the key does that.
            action = None if self.text or self.history._undo_stack else "suspend"
        if action is None and (bindings := self._bindings.key_to_bindings.get(event.key)):
            # Here, in order: on its way up to the app the key would fall behind the next ones.
            event.stop()
            event.prevent_default()
            await self.run_action(bindings[0].action)
            return
        if action is None:
            at_word = event.character == "@" and self._starts_a_word()
            await super()._on_key(event)
            if at_word:
                self._ask_for("mention")
            return
        event.stop()
        event.prevent_default()
        match action:
            case "submit":
                self._send()
            case "queue" if self.text.strip() and self.queues:
                self._send(later=True)
            case "queue":
                self._ask_for("pane.next")
            case "newline":
                self.insert("\n")
            case "prompt.previous":
                self._recall(1)
            case "prompt.next":
                self._recall(-1)
            case _ if self.resumes and not self.text and self.keymap.action("code", event.key) == "resume":
                self._ask_for("resume")
            case _:
                self._ask_for(action)

    def _moves_inside(self, key: str) -> bool:
        """Whether an arrow moves the cursor within the text. What it moves to is on the screen, wrapped."""
        at, there = self.cursor_location, self.navigator
        return (key == "up" and not there.is_first_wrapped_line(at)) or (
            key == "down" and not there.is_last_wrapped_line(at)
        )

    def _ask_for(self, action: str) -> None:
        self.typeahead.ask(self, action, in_the_prompt=True)

    def _starts_a_word(self) -> bool:
        row, column = self.cursor_location
        before = self.document.get_line(row)[:column]
        return before.endswith(" ") or not before

    async def _on_paste(self, event: events.Paste) -> None:
        """Controls in pasted text are shown as marks, like any other text."""
        event.prevent_default()
        event.stop()
        text = event.text.replace("\r\n", "\n").replace("\r", "\n")
        if is_large(text):
            self.insert(self._keep_beside(text))
        else:
            self.insert("\n".join(visible(line) for line in text.split("\n")))

    def _keep_beside(self, text: str) -> str:
        """Keep it outside of the prompt; returns the name that is shown instead."""
        name = f"[paste {len(self._attached) + 1}: {size_of(text)}]"
        self._attached[name] = text
        return name

    def action_delete_left(self) -> None:
        if not self._delete_attached():
            super().action_delete_left()

    def action_delete_word_left(self) -> None:
        if not self._delete_attached():
            super().action_delete_word_left()

    def _delete_attached(self) -> bool:
        """Before the cursor, what is attached goes as a whole: a part of its name would be sent as words."""
        row, column = self.cursor_location
        before = self.document.get_line(row)[:column]
        name = next((name for name in self._attached if before.endswith(name)), "")
        if name and self.selection.is_empty:
            self.delete((row, column - len(name)), (row, column))
            return True
        return False

    @property
    def draft(self) -> str:
        """The text with what was attached, as it would be sent."""
        text = self.text
        for name, attached in self._attached.items():
            text = text.replace(name, f"\n```\n{attached}\n```\n")
        return text

    @property
    def message(self) -> str:
        """What Enter would send."""
        return self.draft.rstrip(" ")  # what completes a name ends with a space

    def _send(self, *, later: bool = False) -> None:
        text = self.message
        if not text.strip():
            if self._suggested:
                self.suggest(self._suggested)
            return
        self._suggested = ""
        self._attached.clear()
        self.remember(text)
        self.text = ""
        self.post_message(Submitted(text, later))

    def remember(self, text: str) -> None:
        if not self.sent or self.sent[-1] != text:
            self.sent.append(text)
        self._back = 0

    def give_back(self, text: str) -> None:
        """Put an undelivered message back before what was typed since."""
        self.replace_text(f"{text}\n{self.draft}" if self.text.strip() else text)

    def replace_text(self, text: str) -> None:
        """Another text. What was attached to it is attached again."""
        self._attached.clear()

        def attached(block: re.Match[str]) -> str:
            return self._keep_beside(block[1]) if is_large(block[1]) else block[0]

        self.text = FENCED.sub(attached, text)
        self.move_cursor(self.document.end)

    def suggest(self, text: str) -> None:
        """A text that typing replaces, and that Enter brings back if it was deleted."""
        self._suggested = text
        self.replace_text(text)
        self.select_all()

    def _recall(self, step: int) -> None:
        """Through earlier prompts; the draft waits at the front."""
        back = self._back + step
        if not 0 <= back <= len(self.sent):
            return
        if self._back == 0:
            self._draft = self.draft
        self._back = back
        self.replace_text(self.sent[-back] if back else self._draft)

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self.post_message(DraftChanged())
