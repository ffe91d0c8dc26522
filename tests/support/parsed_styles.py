"""Textual parses the styles of all widgets anew in each app; tests start hundreds of apps with the same."""

from typing import Any

import pytest
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

_parsed: dict[tuple[Any, ...], list[RuleSet]] = {}


def share_parsed_styles(patch: pytest.MonkeyPatch) -> None:
    """What was parsed for one app is taken for the next one with the same text and variables."""
    parse = Stylesheet._parse_rules

    def parse_once(self: Stylesheet, css: str, *words: Any, **more: Any) -> list[RuleSet]:
        key = (css, words, frozenset(more.items()), frozenset(self._variables.items()))
        if key not in _parsed:
            _parsed[key] = parse(self, css, *words, **more)
        return _parsed[key]

    patch.setattr(Stylesheet, "_parse_rules", parse_once)
