"""Another function in the place of one: marked where it does not go with the rest of the call."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """import asyncio
import json
import os
import random
import socket
import subprocess
import time

NAMES = PATTERN


class Bed:
    def __init__(self, queue, database, plants):
        self.queue, self.database, self.plants = queue, database, plants

    async def work(self):
        await asyncio.sleep(1)
        return await self.queue.get()

    def wait(self):
        time.sleep(1)

    def arrange(self):
        self.plants.sort()

    def pick(self, count):
        return random.randint(1, count)

    def build(self, script):
        self.database.executescript(script)

    def move(self, start, zone):
        return start.replace(tzinfo=zone)

    def tell(self, message, **options):
        shown(message, **options)


async def all_of(jobs):
    return await asyncio.gather(*jobs, return_exceptions=True)


def backup(source, target):
    os.rename(source, target)


def reach(host):
    return socket.create_connection((host, 80), 1.0)


def run(command):
    return subprocess.run(command, check=True)


def signed(body):
    return "=" + body.hexdigest()


def load(path):
    return json.loads(path.read_text())


def parsed(line):
    match = NAMES.search(line)
    return match
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("asyncio.sleep", "time.sleep", "time.sleep is not to be awaited"),
        ("time.sleep", "asyncio.sleep", "asyncio.sleep has to be awaited"),
        ("get", "get_nowait", "get_nowait is not to be awaited"),
        ("sort", "sorted", "what sorted gives is not used"),
        ("randint", "randrange", "randrange was assumed to do what randint does"),
        ("executescript", "execute", "execute was assumed to do what executescript does"),
        ("replace", "astimezone", "astimezone was assumed to take tzinfo by name"),
        ("shown", "print", "print was assumed to write where shown does"),
        ("os.rename", "target.rename", "target is given to its own rename"),
        ("create_connection", "create_server", "socket.create_server does not take these values"),
        ("subprocess.run", "subprocess.check_output", "check_output was assumed to do what run does"),
        ("json.loads", "json.load", "load was assumed to do what loads does"),
        ("hexdigest", "digest", "digest gives bytes, not str"),
        ("asyncio.gather", "asyncio.wait", "asyncio.wait does not take return_exceptions"),
        ("os.rename", "os.replace", ""),
        ("get", "get_one", ""),
        ("NAMES.search", "NAMES.fullmatch", ""),
        ("randint", "uniform", ""),
    ],
)
def test_what_does_not_go_with_another_function_is_marked(old: str, new: str, said: str) -> None:
    way = answer_to(CODE, f"use {new} instead of {old}", "replace_call", old=old, new=new).ways[0]
    assert any(said in mark for mark in way.marked) if said else not way.marked


def test_a_method_with_the_name_of_a_local_stays_with_its_object() -> None:
    new = changed(CODE, "use match instead of search", "replace_call", old="search", new="match")
    assert new == CODE.replace("NAMES.search(line)", "NAMES.match(line)")


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ('line + "\\n"', "print(line, file=out)"),
        ('f"{line}\\n"', 'print(f"{line}", file=out)'),
    ],
)
def test_a_line_that_is_written_is_printed_to_the_same_stream(text: str, new: str) -> None:
    code = f"def note(line, out):\n    out.write({text})\n"
    said = "use print instead of out.write"
    assert changed(code, said, "replace_call", old="out.write", new="print") == code.replace(
        f"out.write({text})", new
    )


def test_what_may_be_no_text_is_printed_with_a_mark() -> None:
    code = "def note(line, out):\n    out.write(line)\n"
    way = answer_to(
        code, "use print instead of out.write", "replace_call", old="out.write", new="print"
    ).ways[0]
    assert any("print was assumed to write where out.write does" in mark for mark in way.marked)


@pytest.mark.parametrize(
    ("text", "marked"), [("use dict instead of Rows", True), ("in f, use dict instead of Rows", False)]
)
def test_a_use_that_is_no_call_stays_with_a_mark(text: str, marked: bool) -> None:
    code = "class Table(Rows):\n    pass\n\n\ndef f(rows):\n    return Rows(rows)\n"
    slots = {"new": "dict", "old": "Rows"} | ({} if marked else {"function": "f"})
    way = answer_to(code, text, "replace_call", **slots).ways[0]
    assert ("Rows is still used in line 1" in way.marked) is marked
