"""Reads the members of a JSON body, each with its type and bounds, or raises an `ApiError` that names it."""

from __future__ import annotations

from typing import Any, TypeVar

from spark_tui.serve.api_errors import ApiError, invalid

_Kind = TypeVar("_Kind")


class JsonFields:
    """A body, or an object inside one. `ignored` are the names that have no effect on this server."""

    def __init__(
        self, body: Any, known: frozenset[str], without_effect: frozenset[str], *, prefix: str = ""
    ) -> None:
        """`prefix` stands before the names in problems."""
        if not isinstance(body, dict):
            raise invalid("the body must be a JSON object", None, "invalid_type")
        self._body = body
        self._prefix = prefix
        unknown = body.keys() - known
        self.ignored = sorted((prefix + name)[:64] for name in unknown - without_effect) if unknown else []

    def has(self, name: str) -> bool:
        return self._body.get(name) is not None

    def get(self, name: str) -> Any:
        return self._body.get(name)

    def text(self, name: str, default: str) -> str:
        return self._read(name, default, str, "a string")

    def flag(self, name: str, default: bool) -> bool:
        return self._read(name, default, bool, "true or false")

    def number(self, name: str, default: int, *, low: int | None = None) -> int:
        value = self._read(name, default, int, "a whole number")
        if low is not None and value < low:
            raise self._wrong(name, f"at least {low}", "invalid_value")
        return value

    def real(self, name: str, default: float, *, low: float, high: float) -> float:
        value = self.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            value = float(max(min(value, high + 1), low - 1))
        elif value is None:
            value = default
        elif not isinstance(value, float):
            raise self._wrong(name, "a number")
        if not low <= value <= high:
            raise self._wrong(name, f"from {low:g} to {high:g}", "invalid_value")
        return value

    def object(self, name: str) -> dict[str, Any]:
        return self._read(name, {}, dict, "an object")

    def objects(self, name: str) -> list[dict[str, Any]]:
        value = self._read(name, [], list, "a list")
        for at, item in enumerate(value):
            if not isinstance(item, dict):
                raise self._wrong(f"{name}[{at}]", "an object")
        return value

    def texts(self, name: str) -> dict[str, str]:
        """An object whose values are strings."""
        value = self.object(name)
        for key, text in value.items():
            if not isinstance(text, str):
                raise self._wrong(f"{name}.{key[:64]}", "a string")
        return value

    def options(self, name: str, known: frozenset[str]) -> JsonFields:
        """An object whose members are read as those of the body are."""
        inside = JsonFields(self.object(name), known, frozenset(), prefix=f"{self._prefix}{name}.")
        self.ignored += inside.ignored
        return inside

    def only_one(self, name: str) -> None:
        """The member is known, and only 1 is served."""
        if self.number(name, 1) != 1:
            raise invalid(f"`{name}` must be 1 on this server", name, "unsupported_value")

    def only_text(self, name: str) -> None:
        """The member is a format of the answer, and only plain text is served."""
        if self.object(name).get("type", "text") != "text":
            raise self._wrong(f"{name}.type", '"text" on this server', "unsupported_value")

    def _read(self, name: str, default: _Kind, kind: type[_Kind], expected: str) -> _Kind:
        value = self._body.get(name)
        if value is None:
            return default
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self._wrong(name, expected)
        return value

    def _wrong(self, name: str, expected: str, code: str = "invalid_type") -> ApiError:
        named = self._prefix + name
        return invalid(f"`{named}` must be {expected}", named, code)
