"""Counters, gauges and histograms in the text format that Prometheus reads."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
Labels = tuple[tuple[str, str], ...]


class Metrics:
    """All metrics of one server. Label values come from fixed sets only, so that their number is bounded."""

    def __init__(self) -> None:
        self._help: dict[str, tuple[str, str]] = {}
        self._counts: dict[str, dict[Labels, float]] = {}
        self._gauges: dict[str, Callable[[], float]] = {}
        self._histograms: dict[str, tuple[list[int], list[float]]] = {}

    def counter(self, name: str, text: str, read: Callable[[], float] | None = None) -> None:
        """`read`: somebody else counts."""
        self._help[name] = ("counter", text)
        if read is None:
            self._counts[name] = {}
        else:
            self._gauges[name] = read

    def gauge(self, name: str, text: str, read: Callable[[], float]) -> None:
        self._help[name] = ("gauge", text)
        self._gauges[name] = read

    def histogram(self, name: str, text: str) -> None:
        self._help[name] = ("histogram", text)
        self._histograms[name] = ([0] * (len(_SECONDS) + 1), [0.0])

    def add(self, name: str, value: float = 1.0, **labels: str) -> None:
        rows, key = self._counts[name], tuple(labels.items())
        rows[key] = rows.get(key, 0.0) + value

    def observe(self, name: str, seconds: float) -> None:
        buckets, total = self._histograms[name]
        buckets[bisect_left(_SECONDS, seconds)] += 1
        total[0] += seconds

    def value(self, name: str, **labels: str) -> float:
        """One counter or gauge, as it stands."""
        if name in self._gauges:
            return self._gauges[name]()
        return self._counts[name].get(tuple(labels.items()), 0.0)

    def text(self) -> str:
        out: list[str] = []
        for name, (kind, words) in self._help.items():
            out += [f"# HELP {name} {words}", f"# TYPE {name} {kind}"]
            if name in self._gauges:
                out.append(f"{name} {self._gauges[name]():.12g}")
            elif kind == "counter":
                out += [
                    f"{name}{_labels(key)} {value:.12g}"
                    for key, value in (self._counts[name] or {(): 0.0}).items()
                ]
            else:
                out += self._rows(name)
        return "\n".join(out) + "\n"

    def _rows(self, name: str) -> list[str]:
        buckets, total = self._histograms[name]
        out, running = [], 0
        for bound, count in zip((*(f"{b:g}" for b in _SECONDS), "+Inf"), buckets, strict=True):
            running += count
            out.append(f'{name}_bucket{{le="{bound}"}} {running}')
        return [*out, f"{name}_sum {total[0]:.9g}", f"{name}_count {running}"]


def _labels(key: Labels) -> str:
    def escaped(text: str) -> str:
        return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")

    return "{" + ",".join(f'{name}="{escaped(value)}"' for name, value in key) + "}" if key else ""
