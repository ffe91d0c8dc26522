# ruff: noqa: E501 - tables of instructions read better unbroken
"""What was answered is looked at, and what is taken apart is made clean."""

from __future__ import annotations

import pytest
from checks_texts import CLEAN, SCRAPE, changed


@pytest.mark.parametrize(
    ("said", "gone", "come"),
    [
        ('get_page: raise_for_status after the request', '', '    response.raise_for_status()'),
        ('check the status of the response in get_page', '', '    response.raise_for_status()'),
        ('get_page should raise for a bad status', '', '    response.raise_for_status()'),
    ],
)  # fmt: skip
def test_scrape(said: str, gone: str, come: str) -> None:
    assert changed(SCRAPE, said) == (gone, come)


@pytest.mark.parametrize(
    ("said", "gone", "come"),
    [
        ('strip the value in read_config', '', '            value = value.strip()'),
        ('strip key and value', '', '            key = key.strip()\n            value = value.strip()'),
        ('read_config crashes on empty lines, skip them', '', '            if not line.strip():\n                continue'),
        ("don't crash if dst already exists", '    os.mkdir(dst)', '    os.makedirs(dst, exist_ok=True)'),
        ('LIMIT from env CLEAN_DAYS', 'LIMIT = 30', 'LIMIT = int(os.environ.get("CLEAN_DAYS", "30"))'),
    ],
)  # fmt: skip
def test_clean(said: str, gone: str, come: str) -> None:
    assert changed(CLEAN, said) == (gone, come)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (CLEAN, "check the status of the response in clean"),
        (SCRAPE, "strip key and value"),
        (SCRAPE, "remove raise_for_status in get_page"),
    ],
)
def test_what_has_no_place_is_left(code: str, said: str) -> None:
    assert changed(code, said) is None
