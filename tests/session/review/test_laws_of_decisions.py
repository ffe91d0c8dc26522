"""Whatever is asked and decided in whatever order: of hunks in the same lines one is accepted, each change
of another hunk is told, the model is shown what the hunks make of the file, and a killed session is as it
was."""

import random
import shutil
from collections import Counter
from itertools import combinations

import pytest
from support.scripted_backend import run
from support.small_repositories import written
from support.tool_backend import Call, ToolBackend

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest
from spark_tui.errors import SparkError
from spark_tui.session.review.messages import excludes
from spark_tui.session.session import Session
from spark_tui.tools.overlay import Overlay

PATH = "a.txt"


class Person:
    """Asks a model that sees what waits or one that does not, and decides."""

    def __init__(self, seed, home):
        self.random, self.home, self.count, self.id = random.Random(seed), home, 0, ""
        self.root = written(home / "root", {PATH: "".join(f"{n}\n" for n in range(5))})
        self.open()

    def open(self):
        self.sees = self.random.random() < 0.6
        settings = Settings(tools="auto" if self.sees else "off")
        self.session = Session(self.root, ToolBackend(), settings, self.home / "state", session_id=self.id)
        self.id = self.session.id

    @property
    def states(self):
        review = self.session.decisions.review
        return {known: (review.state(known), review.hunk(known)) for known in review.ids}

    def ask(self):
        lines = (self.shown() if self.sees else None) or (self.root / PATH).read_text().splitlines()
        start = self.random.randrange(len(lines))
        old = lines[start : start + self.random.choice([1, 1, 2, 4])]
        self.count += 1
        made = [f"new {self.count}"]
        new = self.random.choice([[*old, *made], [*made, *old], made * 2, old[1:], [old[0] + "x", *old[1:]]])
        before, after = ("".join(f"{line}\n" for line in side) for side in (old, new))
        block = f"{PATH}\n```\n<<<<<<< SEARCH\n{before}=======\n{after}>>>>>>> REPLACE\n```\n"
        self.session.backend.answers = [
            Call("edit", path=PATH, old=before, new=after) if self.sees else block
        ]
        was = self.states
        seen = run(self.session.turns.start, ContextRequest("edit", files=(PATH,)))
        self.check_told(was, [event for event in seen if isinstance(event, events.Decided)])

    def decide(self):
        chosen = self.random.choice([*self.states, 0])
        decision = self.random.choice(["accepted", "accepted", "rejected", "open"])
        if chosen:
            was = self.states
            others = self.session.decisions.decide(chosen, decision)
            self.check_told(was, [events.Decided(chosen, decision), *others])

    def split(self):
        for known in self.states:
            if self.random.random() < 0.1:
                try:
                    self.session.decisions.review.split(known)
                except SparkError as error:
                    assert "was replaced" in error.what

    def be_killed(self):
        if self.states:
            review, was = self.session.decisions.review, self.states
            replaced = dict(review.replaced)
            shutil.copytree(self.home / "state", self.home / "left")
            self.session.close()
            shutil.rmtree(self.home / "state")
            (self.home / "left").rename(self.home / "state")
            self.open()
            assert (self.states, self.session.decisions.review.replaced) == (was, replaced)

    def check_told(self, was, told):
        now, said = self.states, {one.hunk_id for one in told}
        assert not [known for known in was if now.get(known) != was[known] and known not in said]

    def check(self):
        accepted = [hunk for state, hunk in self.states.values() if state == "accepted"]
        turn = self.session.decisions._record_of
        for one, other in combinations(accepted, 2):
            assert turn(one.id) is turn(other.id) or not excludes(one, other)
        if self.states:
            self.shown()

    def shown(self):
        """The file with what waits, as a model sees it."""
        if not self.states:
            return None
        tree = self.session.decisions._records.last.tree
        pending = self.session.tools._pending("", tree)
        lines = Overlay(tree, pending).lines(PATH)
        unseen = {hunk.id for hunk in Overlay(tree, pending).unseen}
        wanted = Counter(tree.read_lines(PATH))
        for item in pending:
            if item.hunk.id not in unseen:
                wanted.subtract(item.hunk.old_lines)
                wanted.update(item.hunk.new_lines)
        assert {line: count for line, count in wanted.items() if count} == Counter(lines)
        return lines


@pytest.mark.parametrize("seed", range(12))
def test_laws_of_decisions(seed, tmp_path):
    person = Person(seed, tmp_path)
    acts = [person.ask, *[person.decide] * 3, person.split, person.be_killed]
    for _ in range(40):
        person.random.choice(acts)()
        person.check()
    person.session.close()
