"""What answers cost, from the prices of the settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from spark_tui.errors import ConfigError
from spark_tui.events import AnswerEnded, PrefillProgress

_PER = 1e6


@dataclass(frozen=True, slots=True)
class Price:
    """Of a million tokens: of the prompt, of the answer, and of the prompt where the server had it cached."""

    prompt: float
    output: float
    cached: float

    def of(self, prompt: int, cached: int, output: int) -> float:
        cached = min(cached, prompt)
        return ((prompt - cached) * self.prompt + cached * self.cached + output * self.output) / _PER


Prices = Sequence[tuple[str, Price]]
"""Model name or pattern, and its price; the first that fits counts."""


def priced(prices: Prices, ended: AnswerEnded, model: str, prompt: PrefillProgress) -> AnswerEnded:
    """The end of an answer with its cost; as it was where the model has no price."""
    names = model.lower(), model.lower().rsplit("/", 1)[-1]
    for pattern, price in prices:
        if any(fnmatchcase(name, pattern.lower()) for name in names):
            return replace(ended, cost=price.of(prompt.total, prompt.reused, ended.output_tokens))
    return ended


def read_prices(table: Mapping[str, str]) -> Prices:
    """Prices as the settings hold them: `in/out` or `in/out/cached`."""
    return tuple((name, _price(name, text)) for name, text in table.items())


def _price(name: str, text: str) -> Price:
    try:
        parts = [float(part) for part in text.split("/")]
    except ValueError:
        parts = []
    if len(parts) not in (2, 3) or not all(0 <= part < _PER for part in parts):
        raise ConfigError(
            f"`model.prices.{name}` cannot be {text!r}",
            where="settings",
            hint="Write what a million tokens cost as in/out or in/out/cached: 1.25/10/0.125",
        )
    return Price(parts[0], parts[1], parts[2] if len(parts) == 3 else parts[0])
