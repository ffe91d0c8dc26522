"""Events on their way from a backend's thread to the loop, with the text that the output format makes of
them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from spark_tui import events
from spark_tui.serve.rendering.output_formats import OutputFormat, OutputText


class TurnInbox:
    """Filled on the worker's thread, emptied on the loop's."""

    def __init__(self, answer: OutputFormat | None) -> None:
        self.answer = answer
        self.items: deque[events.Token | events.PrefillProgress | events.Doubt | OutputText] = deque()

    def take(self, came: Iterable[events.Event]) -> bool:
        """Take events; True where they are urgent a look now."""
        urgent = False
        for event in came:
            if isinstance(event, events.Token):
                self.items.append(event)
                if self.answer is not None and event.text:
                    self.items.extend(self.answer.feed(event.text))
            elif isinstance(event, (events.PrefillProgress, events.Doubt)):
                self.items.append(event)
                if isinstance(event, events.PrefillProgress) and event.done >= event.total:
                    # The first token comes with the next pass: they travel together.
                    continue
            else:
                continue
            urgent = True
        return urgent

    def finish(self) -> None:
        """The text is complete; what the output format held back is certain now."""
        if self.answer is not None:
            self.items.extend(self.answer.finish())
