"""What a message says goes wrong is answered with the repair of a cause that is there."""

from __future__ import annotations

from textwrap import dedent

import pytest
from intent.support import PATH

from spark_tui.intent.answering.described_bugs import or_repaired
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.defects.causes import CAUSES
from spark_tui.intent.defects.described import described
from spark_tui.intent.defects.symptoms import known_symptoms, tells_symptom, why
from spark_tui.intent.planning.answers import Answer
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CASES = [
    # code, message, a line of the result
    (
        """
        def place(size):
            return random.randint(0, size)
        """,
        "off by one in place, it goes past the end",
        "    return random.randint(0, size - 1)",
    ),
    (
        """
        def total(scores):
            for score in scores:
                result = 0
                result += score
            return result
        """,
        "total only returns the last score",
        "def total(scores):\n    result = 0\n    for score in scores:\n        result += score",
    ),
    (
        """
        def first_over(scores, limit):
            for score in scores:
                if score > limit:
                    return score
                return None
        """,
        "first_over only looks at the first score",
        "            return score\n    return None",
    ),
    (
        """
        def has(items, wanted):
            for item in items:
                if item == wanted:
                    return True
                else:
                    return False
        """,
        "it stops after the first item",
        "            return True\n    return False",
    ),
    (
        """
        def count(text):
            counts = {}
            for word in text.split():
                counts[word] = 1
            return counts
        """,
        "every word is counted only once",
        "        counts[word] = counts.get(word, 0) + 1",
    ),
    (
        """
        def best(scores):
            best = 0
            for score in scores:
                if score < best:
                    best = score
            return best
        """,
        "best always returns 0",
        "if score > best:",
    ),
    (
        """
        def age(begin, end):
            return (end - begin).seconds / 3600
        """,
        "age leaves out the days",
        "    return (end - begin).total_seconds() / 3600",
    ),
    (
        """
        def port(text):
            port = int(text)
            if port < 0 and port > 65535:
                raise ValueError(text)
            return port
        """,
        "port accepts 70000",
        "if port < 0 or port > 65535:",
    ),
    (
        """
        def is_yes(answer):
            return answer == "y" or "yes"
        """,
        "is_yes is always true",
        'return answer in ("y", "yes")',
    ),
    (
        """
        class Basket:
            items = []

            def __init__(self, owner):
                self.owner = owner

            def add(self, item):
                self.items.append(item)
        """,
        "all baskets share the same items",
        "    def __init__(self, owner):\n        self.items = []",
    ),
    (
        """
        def merge(a, b):
            a.update(b)
            return a
        """,
        "merge changes the dict that was passed in",
        "    a = dict(a)\n    a.update(b)",
    ),
    (
        """
        def clean(name):
            name.strip()
            return name.title()
        """,
        "names keep their spaces, the text is not changed by the strip",
        "    name = name.strip()",
    ),
    (
        """
        def listed(parts):
            ", ".join(parts)
        """,
        "listed always gives None",
        '    return ", ".join(parts)',
    ),
    (
        """
        class Box:
            def __init__(self, width, height):
                self.width = width
                self.height = width
        """,
        "the height is always the same as the width",
        "self.height = height",
    ),
    (
        """
        def celsius(fahrenheit):
            return fahrenheit - 32 * 5 / 9
        """,
        "the formula is wrong, brackets are missing",
        "return (fahrenheit - 32) * 5 / 9",
    ),
    (
        """
        def average(scores):
            return sum(scores) // len(scores)
        """,
        "the average loses its decimals",
        "return sum(scores) / len(scores)",
    ),
    (
        """
        def seconds(text):
            minutes, rest = text.split(":")
            return minutes * 60 + rest
        """,
        'seconds("1:30") returns a very long string',
        "return int(minutes) * 60 + int(rest)",
    ),
    (
        """
        def buttons(labels):
            actions = []
            for label in labels:
                actions.append(lambda: print(label))
            return actions
        """,
        "every button prints the last label",
        "actions.append(lambda label=label: print(label))",
    ),
    (
        """
        import time


        async def poll(client):
            while True:
                time.sleep(5)
                await client.ping()
        """,
        "poll blocks the whole server while it waits",
        "await asyncio.sleep(5)",
    ),
    (
        """
        def note(path, text):
            with open(path, "w") as log:
                log.write(text)
        """,
        "the log file only has the last entry",
        'with open(path, "a") as log:',
    ),
    (
        """
        def stem(name):
            return name.rstrip(".txt")
        """,
        "stem eats letters at the end of the name",
        'return name.removesuffix(".txt")',
    ),
    (
        """
        def fetch(client, url, timeout=5):
            return client.get(url, timeout=10)
        """,
        "the timeout parameter is ignored",
        "return client.get(url, timeout=timeout)",
    ),
    (
        """
        def greet(user):
            if user.name is None:
                name = "guest"
            name = user.name
            return f"Hello {name}"
        """,
        "greet says Hello None for guests",
        "    else:\n        name = user.name",
    ),
    (
        """
        def groups(rows):
            found = {}
            for key, value in rows:
                found[key].append(value)
            return found
        """,
        "groups crashes with a KeyError the first time it sees a key",
        "found.setdefault(key, []).append(value)",
    ),
    (
        """
        def wait(job):
            tries = 0
            while tries < 5:
                job.poke()
            return job
        """,
        "wait never ends",
        "        job.poke()\n        tries += 1",
    ),
    (
        """
        def full_name(person):
            return person.first + person.last
        """,
        "there is no space between first and last name",
        'return person.first + " " + person.last',
    ),
    (
        """
        def last(items, n):
            return items[-n - 1 :]
        """,
        "last(items, 2) gives three items",
        "return items[-n :]",
    ),
]


def repaired(code: str, message: str, found: Answer | None = None) -> Answer:
    repo = Repository(DictTree({PATH: dedent(code).lstrip("\n")}))
    return or_repaired(found or Answer("write"), Situation(repo, PATH, instruction=message))


@pytest.mark.parametrize(("code", "message", "wanted"), CASES, ids=[message for _, message, _ in CASES])
def test_cause_is_repaired_and_marked(code: str, message: str, wanted: str) -> None:
    answer = repaired(code, message)
    assert answer.kind == "edit", answer
    way = answer.ways[0]
    repo = Repository(DictTree({PATH: dedent(code).lstrip("\n")}))
    text = way.plan.texts(repo)[PATH]
    assert text is not None and wanted in text
    compile(text, PATH, "exec")
    assert way.marked


@pytest.mark.parametrize(
    "message",
    [
        "add a docstring to total",
        "rename scores to points",
        "return early if scores is empty",
        "use enumerate",
        "raise a ValueError when the limit is negative",
        "what does total do?",
    ],
)
def test_order_is_no_symptom(message: str) -> None:
    answer = repaired(CASES[0][0], message)
    assert answer.kind == "write" and not answer.ways


def test_a_second_bug_is_told_after_an_edit() -> None:
    code, message, wanted = CASES[1]
    repo = Repository(DictTree({PATH: dedent(code).lstrip("\n")}))
    last = Done("rename", {}, ())
    found = or_repaired(
        Answer("write"), Situation(repo, PATH, instruction=message, earlier=last, before=repo)
    )
    text = found.ways[0].plan.texts(repo)[PATH]
    assert text is not None and wanted in text


def test_nothing_is_repaired_without_its_cause() -> None:
    right = """
    def total(scores):
        result = 0
        for score in scores:
            result += score
        return result
    """
    assert not repaired(right, "total only returns the last score").ways


def test_every_symptom_has_causes_and_every_cause_a_symptom() -> None:
    known = {symptom for cause in CAUSES for symptom in cause.symptoms}
    assert known == set(known_symptoms().counts)
    assert all(why(symptom) for symptom in known)


def test_words_of_a_complaint_and_of_an_order_are_told_apart() -> None:
    assert tells_symptom("the total is always wrong for the last one") > 0
    assert tells_symptom("rename the function and add a parameter") < 0


def test_what_every_object_has_is_no_attribute_that_is_never_set() -> None:
    code = """
    class Sample:
        def __len__(self):
            return 0

        def copy(self):
            return self.__class__()

        def size(self):
            return self.lengh

        def grow(self):
            self.length = 1
    """
    situation = Situation(Repository(DictTree({PATH: dedent(code)})), PATH, instruction="copy is never set")
    made = [str(one.built.calls) for one in described(situation)]
    assert any("length" in calls for calls in made) and not any("__len__" in calls for calls in made)


def test_a_sleep_that_is_awaited_is_no_cause() -> None:
    code = "from asyncio import sleep\n\n\nasync def poll(client):\n    await sleep(5)\n"
    assert repaired(code, "poll blocks the whole server while it waits").kind == "write"
