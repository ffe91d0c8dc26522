"""What stands in an answer that is not JSON: the page of a web server, or a text."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

_MOST_READ = 1 << 16
_LONGEST_TITLE = 80
_PAGE = re.compile(
    r"\s*(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body|title)\b", re.IGNORECASE | re.DOTALL
)
_TITLE = re.compile(r"<title[^>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)
_HEADING = re.compile(r"<h1[^>]*>(.*?)</h1", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class OtherBody:
    """`page` says what page it is: `an HTML page, "Sign in"`. `text` is that of a body that is no page."""

    page: str = ""
    text: str = ""

    @property
    def words(self) -> str:
        return self.page or f'the text "{" ".join(self.text.split())[:_LONGEST_TITLE]}"'


def read(body: bytes) -> OtherBody | None:
    """None where the body is empty, or no text."""
    text = body[:_MOST_READ].decode("utf-8", "replace").strip()
    if not _PAGE.match(text):
        return OtherBody(text=text) if text and "\ufffd" not in text else None
    found = _TITLE.search(text) or _HEADING.search(text)
    title = " ".join(html.unescape(_TAG.sub(" ", found[1])).split()) if found else ""
    return OtherBody(page="an HTML page" + (f', "{title[:_LONGEST_TITLE]}"' if title else ""))
