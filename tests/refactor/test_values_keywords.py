# ruff: noqa: E501 - tables read better unbroken
"""Keyword arguments that an order spells: every call that takes them gets them, where the words leave one reading."""

from __future__ import annotations

import pytest

from spark_tui.refactor.known import PLAIN, known

CODE = """\
import json
import subprocess
import threading
from pathlib import Path

import requests


def load(path):
    with open(path) as f:
        return json.load(f)


def save(path, data, mode="w"):
    with open(path, mode, encoding="utf-8") as f:
        json.dump(data, f)


def fetch(url):
    return requests.get(url).json()


def push(url, body):
    requests.post(url, json=body)
    return requests.post(url + "/done", json={})


def tag():
    out = subprocess.run(["git", "describe"])
    return out.stdout


def draw(canvas, colour, width=1):
    canvas.line(colour, width)


def main():
    Path("out").mkdir()
    worker = threading.Thread(target=fetch, args=("http://x",))
    worker.start()
    draw(None, "red")
    print(json.dumps(load("a.json")))
    print("done")
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
        ("put timeout=5 on every requests.post", ["requests.post(url, json=body, timeout=5)", 'return requests.post(url + "/done", json={}, timeout=5)']),
        ("timeout=5 on all post calls", ["requests.post(url, json=body, timeout=5)", 'return requests.post(url + "/done", json={}, timeout=5)']),
        ("fetch hangs sometimes. timeout=10 there", ["return requests.get(url, timeout=10).json()"]),
        ("set timeout=10 in fetch", ["return requests.get(url, timeout=10).json()"]),
        ('load breaks on windows. encoding="utf-8"', ['with open(path, encoding="utf-8") as f:']),
        ('encoding="utf-8" in load', ['with open(path, encoding="utf-8") as f:']),
        ("give the mkdir exist_ok=True and parents=True", ['Path("out").mkdir(exist_ok=True, parents=True)']),
        ("exist_ok=True for mkdir", ['Path("out").mkdir(exist_ok=True)']),
        ("mkdir fails the second time, exist_ok=True", ['Path("out").mkdir(exist_ok=True)']),
        ("pass check=True and text=True to subprocess.run", ['out = subprocess.run(["git", "describe"], check=True, text=True)']),
        ("tag swallows errors, use check=True", ['out = subprocess.run(["git", "describe"], check=True)']),
        ("in tag, set capture_output=True", ['out = subprocess.run(["git", "describe"], capture_output=True)']),
        ("make the thread daemon=True", ['worker = threading.Thread(target=fetch, args=("http://x",), daemon=True)']),
        ("the program never ends. daemon=True on the Thread", ['worker = threading.Thread(target=fetch, args=("http://x",), daemon=True)']),
        ("pretty print the json in save, indent=2", ["json.dump(data, f, indent=2)"]),
        ("add indent=2 and sort_keys=True to json.dumps", ['print(json.dumps(load("a.json"), indent=2, sort_keys=True))']),
        ("json.dumps with indent=2 and sort_keys", ['print(json.dumps(load("a.json"), indent=2, sort_keys=True))']),
        ("set sort_keys to True in save", ["json.dump(data, f, sort_keys=True)"]),
        ("call draw with width=3", ['draw(None, "red", width=3)']),
        ("pass width=3 in main", ['draw(None, "red", width=3)']),
        ("use end=\"\" in every print", ['print(json.dumps(load("a.json")), end="")', 'print("done", end="")']),
    ],
)  # fmt: skip
def test_calls_that_take_what_is_spelled(say: str, lines: list[str]) -> None:
    assert made(say) == lines


@pytest.mark.parametrize(
    "say",
    [
        "timeout=5",
        "put timeout=5 on requests.post",
        'encoding="utf-8" in save',
        "colour=5 in main",
        "speed=3 in main",
        "attribute timeout=5 in fetch",
        "new field timeout=5 in load",
        "timeout=5 instead of no limit in fetch",
        "timeout=5 only when the url is far, in fetch",
        "flush=True on the prints but the last",
        "set the config timeout=5 in fetch",
        "store timeout=5 in fetch",
        "retries=3 and timeout=5 in fetch",
        "every call in main should log, width=3",
        "check=True in main",
        "sort_keys in save",
        "indent=2 in load",
        "without timeout=5 in fetch",
        "daemon=5 > 3 in main",
        "timeout== 5 in fetch",
    ],
)
def test_calls_that_nobody_means(say: str) -> None:
    assert made(say) is None


def test_texts_are_quoted_as_in_the_file() -> None:
    lines = CODE.replace('"', "'").splitlines()
    found = known(lines, 'encoding="utf-8" in load')
    assert [(one.plain, one.hunks[0].new) for one in found] == [
        (PLAIN, ("    with open(path, encoding='utf-8') as f:",))
    ]
