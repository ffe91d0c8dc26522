# ruff: noqa: E501 - tables read better unbroken
"""One more of what is set in a row."""

from __future__ import annotations

import pytest

from spark_tui.refactor.known import PLAIN, known

CODE = """\
def login(response, token, store):
    cookie = response.cookies
    cookie["sid"] = token
    cookie["sid"]["httponly"] = True
    cookie["sid"]["path"] = "/"
    return cookie


def build(window):
    window.title = "Pong"
    window.resizable = False
    return window


def cached(fn, store):
    def wrapper(*args):
        return store.get(args)

    wrapper.clear = store.clear
    return wrapper


def plain(size):
    label = size
    return label
"""
LINES = tuple(CODE.splitlines())


def made(say: str) -> list[str] | None:
    found = known(LINES, say)
    if not found or found[0].plain != PLAIN:
        return None
    return [line.strip() for hunk in found[0].hunks for line in hunk.new]


@pytest.mark.parametrize(
    ("say", "lines"),
    [
        ("set secure and samesite=Strict on the cookie too", ['cookie["sid"]["secure"] = True', 'cookie["sid"]["samesite"] = "Strict"']),
        ("also set secure on the cookie", ['cookie["sid"]["secure"] = True']),
        ('add domain="a.example" and secure to the cookie', ['cookie["sid"]["domain"] = "a.example"', 'cookie["sid"]["secure"] = True']),
        ("scripts can steal it. also set secure on the cookie", ['cookie["sid"]["secure"] = True']),
        ("attach the store to the wrapper as well so tests can look at it, wrapper.cache", ["wrapper.cache = store"]),
        ("expose store on the wrapper as wrapper.store", ["wrapper.store = store"]),
        ("also set fullscreen on the window", ["window.fullscreen = True"]),
    ],
)  # fmt: skip
def test_one_more_is_set_as_those_beside_it(say: str, lines: list[str]) -> None:
    assert made(say) == lines


@pytest.mark.parametrize(
    "say",
    [
        "also set httponly on the cookie",
        "set a cookie on the response",
        "also set it on the label",
        "attach the store to the wrapper, label.cache",
        "attach the shop to the wrapper, wrapper.cache",
        "also set the speed on the ball",
        "set secure=maybe on the cookie too",
        "attach the store to the wrapper, wrapper.clear",
    ],
)
def test_what_stands_in_no_row(say: str) -> None:
    assert made(say) is None
