"""The members of a JSON body, each read with its type and bounds.

Comes in: a decoded body of unknown shape. Goes out: values, or a `Problem` that names the member. Must not know: what
the members mean.
"""

from __future__ import annotations

from typing import Any

from spark_tui.serve.problems import invalid


def names(text: str) -> frozenset[str]:
    """The words of the text."""
    return frozenset(text.split())


class Members:
    """A body. `ignored` are the names that have no effect on this server."""

    def __init__(self, body: Any, known: frozenset[str], without_effect: frozenset[str]) -> None:
        if not isinstance(body, dict):
            raise invalid("the body must be a JSON object", None, "invalid_type")
        self._body = body
        unknown = body.keys() - known
        self.ignored = sorted(name[:64] for name in unknown if name not in without_effect) if unknown else []

    def has(self, name: str) -> bool:
        return self._body.get(name) is not None

    def get(self, name: str) -> Any:
        return self._body.get(name)

    def text(self, name: str, default: str) -> str:
        value = self._body.get(name)
        if value is None:
            return default
        if not isinstance(value, str):
            raise invalid(f"`{name}` must be a string", name, "invalid_type")
        return value

    def flag(self, name: str, default: bool) -> bool:
        value = self._body.get(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise invalid(f"`{name}` must be true or false", name, "invalid_type")
        return value

    def number(self, name: str, default: int, *, low: int) -> int:
        value = self._body.get(name)
        if value is None:
            return default
        if not isinstance(value, int) or isinstance(value, bool):
            raise invalid(f"`{name}` must be a whole number", name, "invalid_type")
        if value < low:
            raise invalid(f"`{name}` must be at least {low}", name)
        return value

    def real(self, name: str, default: float, *, low: float, high: float) -> float:
        value = self._body.get(name)
        if value is None:
            return default
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            raise invalid(f"`{name}` must be a number", name, "invalid_type")
        if not low <= value <= high:
            raise invalid(f"`{name}` must be from {low:g} to {high:g}", name)
        return float(value)

    def list(self, name: str) -> list[Any]:
        value = self._body.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise invalid(f"`{name}` must be a list", name, "invalid_type")
        return value

    def object(self, name: str) -> dict[str, Any]:
        value = self._body.get(name)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise invalid(f"`{name}` must be an object", name, "invalid_type")
        return value

    def only(self, name: str, value: int) -> None:
        """The member is known, and only one value of it is served."""
        given = self._body.get(name)
        if given is not None and given != value:
            raise invalid(f"`{name}` must be {value} on this server", name, "unsupported_value")
