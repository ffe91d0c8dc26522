"""An error that is not raised any more, but logged or printed, with what it said."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """import logging

log = logging.getLogger(__name__)


class Shop:
    def set_price(self, name, value):
        if value < 0:
            raise ValueError(f"negative: {value}")
        self.prices[name] = value

    def load(self, rows):
        for row in rows:
            if not row:
                raise KeyError
            self.rows.append(row)

    def close(self):
        raise RuntimeError("closed")
"""


@pytest.mark.parametrize(
    ("said", "slots", "line", "ways"),
    [
        (
            "log a warning instead of raising in set_price",
            {"level": "warning", "function": "set_price"},
            '            log.warning(f"negative: {value}")\n            return\n',
            2,
        ),
        (
            "don't raise in load, just log it",
            {"function": "load"},
            '                log.error("load failed")\n                continue\n',
            2,
        ),
        (
            "log an error rather than the RuntimeError",
            {"level": "error"},
            '    def close(self):\n        log.error("closed")\n',
            1,
        ),
        (
            "print and return instead of raising in set_price",
            {"function": "set_price"},
            '            print(f"negative: {value}")\n            return\n',
            1,
        ),
    ],
)
def test_what_an_error_says_is_logged_instead(said: str, slots: dict[str, str], line: str, ways: int) -> None:
    assert line in changed(CODE, said, "try_log", **slots)
    assert len(answer_to(CODE, said, "try_log", **slots).ways) == ways


def test_what_fails_is_still_tried() -> None:
    assert "try:" in changed(
        CODE, "log a warning if close fails", "try_log", level="warning", function="close"
    )
