"""Small public stand-ins for the slow parts, so that tests of the rooms above are instant."""

from collections.abc import Iterable

from spark_tui.errors import SparkError
from spark_tui.events import PrefillProgress, Token


class FakeBackend:
    """Yields the given texts as tokens; `error` is raised after them; what was asked is kept."""

    window = 4096

    def __init__(self, texts: Iterable[str] = (), *, format: str = "lines", error: SparkError | None = None):
        self.name = "fake"
        self.texts = list(texts)
        self.format = format
        self.error = error
        self.requests = []
        self.closed = False

    def format_for(self, request):
        return self.format

    def stream(self, request, stop):
        self.requests.append(request)
        yield PrefillProgress(10, 10, 4)
        for index, text in enumerate(self.texts):
            if stop.is_set():
                return
            yield Token(index, text)
        if self.error is not None:
            raise self.error

    def count_tokens(self, text):
        return len(text.split())

    def close(self):
        self.closed = True


class BuiltIn(FakeBackend):
    """Reads windows of this size, as the built-in model does: sessions make exact edits only."""

    small_window = (512, 512)
