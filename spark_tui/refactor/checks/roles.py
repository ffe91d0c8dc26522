"""Exceptions by what they are about: *network errors* are those of the library with which the file asks other machines.

Comes in: a source and a text. Goes out: the text with the names of exceptions in the place of such words, and these
words. Must not know: orders, what is caught.
"""

from __future__ import annotations

import re

from spark_tui.refactor.source import Source

_WHAT = r"(?:errors?|exceptions?|problems?|failures?|troubles?|issues?)"
_NETWORK = re.compile(
    rf"\b(?:any |all |the )?(?:network|internet|http|web|requests?|url) {_WHAT}\b(?! handl)|\b(?:any |all |the )?errors? (?:of|from|in) (?:the )?(?:network|requests?|requests library)\b",
    re.I,
)
_CONNECTION = re.compile(rf"\b(?:connection|connect) {_WHAT}\b", re.I)
_TIMEOUT = re.compile(
    rf"\b(?:requests |http |network )?(?:time-?outs?|timed out)(?: {_WHAT})\b|\b(?<=catch )timeouts\b", re.I
)
_FILE = re.compile(rf"\b(?:file|io|i/o|os|disk|filesystem) {_WHAT}\b", re.I)
_JSON = re.compile(rf"\b(?:json|decoding|decode) {_WHAT}\b", re.I)
_MANY = re.compile(r"\b(?P<one>[A-Z]\w*(?:Error|Exception))s\b")
_LIBRARIES = (
    (r"^\s*import (?:[\w., ]+, )?requests\b", "requests.RequestException", "requests.ConnectionError", "requests.Timeout"),
    (r"^\s*import (?:[\w., ]+, )?httpx\b", "httpx.HTTPError", "httpx.ConnectError", "httpx.TimeoutException"),
    (r"^\s*import (?:[\w., ]+, )?aiohttp\b", "aiohttp.ClientError", "aiohttp.ClientConnectionError", "TimeoutError"),
    (r"^\s*import urllib\.(?:error|request)\b", "urllib.error.URLError", "urllib.error.URLError", "TimeoutError"),
    (r"", "OSError", "ConnectionError", "TimeoutError"),
)  # fmt: skip


def with_names(src: Source, text: str) -> tuple[str, list[str]]:
    """The text with names, and the words in whose place they stand."""
    taken: list[str] = []
    names = next(names for known, *names in _LIBRARIES if re.search(known, src.text, re.M))
    decoding = "json.JSONDecodeError" if re.search(r"^import json\b", src.text, re.M) else "ValueError"
    for pattern, name in ((_NETWORK, names[0]), (_CONNECTION, names[1]), (_TIMEOUT, names[2]), (_FILE, "OSError"), (_JSON, decoding)):  # fmt: skip
        match = pattern.search(text)
        if match is not None:
            taken.append(match[0])
            text = text[: match.start()] + name + text[match.end() :]
    return _MANY.sub(lambda match: match["one"], _full(src, text)), taken + [one[0] for one in _MANY.finditer(text)]


def _full(src: Source, text: str) -> str:
    """*RequestException* where only `requests` is known."""
    if not re.search(_LIBRARIES[0][0], src.text, re.M) or re.search(r"from requests\S* import", src.text):
        return text
    return re.sub(
        r"(?<![\w.])(RequestException|HTTPError|ConnectionError|ConnectTimeout|ReadTimeout)\b", r"requests.\1", text
    )
