"""When a server says to come back, from the headers of its refusal."""

from __future__ import annotations

import email.utils
import re
import time
from collections.abc import Mapping

_SPAN = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_IN_WORDS = re.compile(
    r"(?:try again|retry) (?:in|after) ((?:\d+(?:\.\d+)?(?:ms|[smhd]))+)(?![a-z])"
    r"|(?:try again|retry) (?:in|after) (\d+ [smh])(?:econd|inute|our)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,12}(?:\.\d*)?")
_BUDGETS = ("requests", "tokens")
_LONGEST = 1e7


def seconds(headers: Mapping[str, str], now: float | None = None) -> float:
    """Seconds to wait; 0 where the server does not say."""
    if (text := headers.get("retry-after-ms", "").strip()).isdecimal():
        return min(int(text[:12]) / 1000, _LONGEST)
    text = headers.get("retry-after", "").strip()
    if not text:
        spent = [name for name in _BUDGETS if headers.get(f"x-ratelimit-remaining-{name}", "").strip() == "0"]
        return max((_span(headers.get(f"x-ratelimit-reset-{name}", "")) for name in spent), default=0.0)
    if _NUMBER.fullmatch(text):
        return min(float(text), _LONGEST)
    try:
        at = email.utils.parsedate_to_datetime(text).timestamp()
    except (ValueError, OverflowError):
        return 0.0
    return min(max(at - (time.time() if now is None else now), 0.0), _LONGEST)


def in_words(text: str) -> float:
    """Seconds to wait, as a message says: `try again in 1m30.5s`; 0 where it does not."""
    found = _IN_WORDS.search(text)
    return _span((found[1] or found[2].replace(" ", "")).lower()) if found else 0.0


def spoken(amount: float) -> str:
    """`12 s`, `5 min`, `1 h 30 min`."""
    if amount < 90:
        return f"{max(amount, 0):.0f} s"
    minutes = round(amount / 60)
    hours, rest = divmod(minutes, 60)
    return f"{minutes} min" if not hours else f"{hours} h" + (f" {rest} min" if rest else "")


def _span(text: str) -> float:
    """`1m30.5s`, as rate-limit headers say it."""
    found = _SPAN.findall(text)
    if not found or _SPAN.sub("", text).strip():
        return 0.0
    return min(sum(float(number) * _UNITS[unit] for number, unit in found), _LONGEST)
