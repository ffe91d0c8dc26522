"""The tool that proposes hunks as a patch, in any format."""

from __future__ import annotations

from collections.abc import Iterator

from spark_tui.edits.emitter_options import ReadLines
from spark_tui.edits.parser import Parser
from spark_tui.errors import ExitCode
from spark_tui.events import Event, HunkClosed, Prose
from spark_tui.tools.edit_calls import EditCall


class ApplyPatch(EditCall):
    """`apply_patch(patch)`: a patch in any format that the parser knows."""

    order = ("patch",)

    def __init__(self, read_lines: ReadLines, last_id: int) -> None:
        super().__init__(read_lines, last_id)
        self.parser = Parser("auto", read_lines, last_id=last_id, read_base=self._base)
        self.parser.complete = True  # `finish` only follows on the whole argument

    def new_id(self) -> int:
        return self.parser.emitter.new_id()

    def text(self, name: str, text: str) -> Iterator[Event]:
        del name
        yield from _edits(self.parser.feed(text))

    def ended(self, name: str) -> Iterator[Event]:
        del name
        yield from _edits(self.parser.finish())
        if not self.parser.edits and not self.parser.failures:
            message = "there is no edit in this patch"
            yield self.parser.emitter.fail("", message, code=ExitCode.MALFORMED)

    def finish(self) -> Iterator[Event]:
        yield from ()

    def interrupt(self) -> Iterator[Event]:
        yield from self.parser.interrupt()

    def fail(self, message: str) -> Iterator[Event]:
        hunks = [event.hunk_id for event in self.parser.interrupt() if isinstance(event, HunkClosed)]
        if hunks or not self.parser.failures:
            hunk_id = hunks[0] if hunks else 0
            yield self.parser.emitter.fail("", message, code=ExitCode.MALFORMED, hunk_id=hunk_id)


def _edits(stream: Iterator[Event]) -> Iterator[Event]:
    return (event for event in stream if not isinstance(event, Prose))
