"""The figures of the status line: tokens a second, time to the first token, drafts, context. A figure is
`None` where nothing was measured."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from spark_tui import events

BUCKET_SECONDS = 0.25
KEPT_BUCKETS = 24
LEAST_SECONDS, LEAST_TOKENS = 0.1, 8
"""An answer of less has no rate: it would mostly measure the clock."""


class TurnMetrics:
    """Rates are counted in buckets of a quarter second; the newest bucket is still filling."""

    def __init__(self) -> None:
        self.tokens = 0
        self.drafted = 0
        self.first_token: float | None = None
        self.context_tokens = 0
        self.exact = False
        """Whether the turn is an exact edit: it has no tokens that count."""
        self.delivered = False
        """Whether the turn hands over what a job has made: nothing of it is worth a figure."""
        self.prefill: tuple[int, int] | None = None
        self.cost = 0.0
        """Of the last leg, by the configured prices."""
        self.session_cost = 0.0
        self.file_rate = 0.0
        """Tokens of the edited files a second, copied ones included, once the turn has ended; 0: none."""
        self.own_rate = 0.0
        """Tokens a second of the engine, where the text is shown slower; 0: as it comes."""
        self._started = 0.0
        self._last = self._heard = 0.0
        """When the last token came, and when anything came."""
        self._buckets: deque[tuple[int, int]] = deque(maxlen=KEPT_BUCKETS)
        self._calling = False
        self._characters = 0
        """Of the edit that a call writes: four count as a token."""

    def start(self, now: float) -> None:
        self.tokens = self.drafted = 0
        self.first_token = self.prefill = None
        self.exact = self.delivered = False
        self.cost = self.file_rate = self.own_rate = 0.0
        self._started = self._last = self._heard = now
        self._calling = False
        self._buckets.clear()

    def note(self, batch: Iterable[events.Event], now: float) -> None:
        """Count one batch. Text that came without token ids (a remote model) is counted as it arrives."""
        if self.delivered:
            return
        count = 0
        for event in batch:
            self._heard = now
            if isinstance(event, events.Reasoning):
                self._last = now
            if isinstance(event, events.Token) and not self.exact:
                count += 1
                self.drafted += event.drafted
            elif isinstance(event, (events.ToolCalled, events.ToolFinished)):
                self._calling = isinstance(event, events.ToolCalled)
            elif isinstance(event, events.HunkText) and self._calling:
                written, self._characters = divmod(self._characters + len(event.text), 4)
                count += written
            elif isinstance(event, events.PrefillProgress):
                self.prefill = (event.done, event.total)
                self.context_tokens = event.total
            elif isinstance(event, events.Finished):
                usage = event.usage
                self.cost = usage.cost
                self.session_cost += usage.cost
                seconds = event.timing.generation
                self.file_rate = usage.file_tokens / seconds if seconds >= LEAST_SECONDS else 0.0
                if usage.prompt_tokens:
                    read = self.prefill[1] if self.prefill else usage.prompt_tokens
                    self.context_tokens = read + usage.output_tokens
                if event.timing.first_token:
                    self.first_token = event.timing.first_token
        if not count:
            return
        if self.first_token is None:
            self.first_token = now - self._started
        self.tokens += count
        self._last = now
        bucket = int(now / BUCKET_SECONDS)
        if self._buckets and self._buckets[-1][0] == bucket:
            self._buckets[-1] = (bucket, self._buckets[-1][1] + count)
        else:
            self._buckets.append((bucket, count))

    def look_back(self, last: events.Finished | events.Failed | None) -> None:
        """The turn is from an earlier run; only the times in its end event are known."""
        took = last.timing.first_token if isinstance(last, events.Finished) else 0.0
        self.first_token = None if self.delivered else took or None
        self._buckets.clear()

    def rate(self, now: float) -> float | None:
        """Tokens a second over the last second; 0 where none came in it."""
        if not self._buckets or self.first_token is None:
            return None
        if now - self._last > 1.0:
            return 0.0
        recent = int(now / BUCKET_SECONDS) - 4
        counted = [count for bucket, count in self._buckets if bucket >= recent]
        first = max(self._started + self.first_token, recent * BUCKET_SECONDS)
        return sum(counted) / max(now - first, BUCKET_SECONDS)

    def silence(self, now: float) -> float:
        """Seconds since anything came."""
        return now - self._heard

    def seconds(self) -> float:
        """From the start of the turn to its last token."""
        return self._last - self._started

    def mean(self) -> float | None:
        if self.first_token is None or self.tokens < LEAST_TOKENS:
            return None
        span = self._last - self._started - self.first_token
        return self.tokens / span if span >= LEAST_SECONDS else None

    def history(self) -> list[int]:
        """Tokens of each quarter second, oldest first, with the gaps as zeros."""
        if not self._buckets:
            return []
        by_bucket = dict(self._buckets)
        last = self._buckets[-1][0]
        first = max(self._buckets[0][0], last - KEPT_BUCKETS + 1)
        return [by_bucket.get(bucket, 0) for bucket in range(first, last + 1)]


_BARS = "▁▂▃▄▅▆▇█"


def sparkline(values: list[int], cells: int) -> str:
    """The last `cells` values as bars; the largest of them is the full height."""
    shown = values[-cells:]
    top = max(shown, default=0)
    if not top:
        return ""
    return "".join(_BARS[round(value / top * (len(_BARS) - 1))] for value in shown)
