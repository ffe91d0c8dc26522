# ruff: noqa: E501 - one case a line reads better unbroken
"""Members of classes are written, kept and taken away as an order means them."""

from __future__ import annotations

import difflib

import pytest
from apps import APPS

from spark_tui.refactor.known import PLAIN, known

Lines = tuple[str, ...]


def made(app: str, instruction: str) -> tuple[Lines, Lines]:
    """The lines that go and those that come, of the one edit that is plain."""
    lines = tuple(APPS[app].split("\n")[:-1])
    found = known(lines, instruction)
    assert [one.plain for one in found] == [PLAIN]
    new = list(lines)
    for hunk in reversed(found[0].hunks):
        new[hunk.first : hunk.last] = hunk.new
    told = [line for line in difflib.ndiff(lines, new) if line[:1] in "-+" and line[2:].strip()]
    return tuple(one[2:].strip() for one in told if one[0] == "-"), tuple(
        one[2:].strip() for one in told if one[0] == "+"
    )


@pytest.mark.parametrize(
    ("app", "instruction", "gone", "come"),
    [
        ('league', 'add a lost counter to Team, starting at 0', (), ('self.lost = 0',)),
        ('league', 'give Team a drawn counter', (), ('self.drawn = 0',)),
        ('league', 'Team needs a counter for losses', (), ('self.losses = 0',)),
        ('league', 'teams should also have a list of players, empty at first', (), ('self.players = []',)),
        ('league', 'also keep track of fouls in Team (start with 0)', (), ('self.fouls = 0',)),
        ('game', 'add a health attribute to the player with 100', (), ('self.health = 100',)),
        ('game', 'players start with 3 keys, add that', (), ('self.keys = 3',)),
        ('library', 'add a last_opened attribute, None in the beginning, to Shelf', (), ('self.last_opened = None',)),
        ('library', 'shelf needs an empty dict called fines', (), ('self.fines = {}',)),
        ('league', 'get rid of city', ('def __init__(self, name, city):', 'self.city = city', 'return "%s from %s has %d points" % (self.name, self.city, self.points)', 'league = [Team("Reds", "Rome"), Team("Blues", "Bern")]'), ('def __init__(self, name):', 'return "%s has %d points" % (self.name, self.points)', 'league = [Team("Reds"), Team("Blues")]')),
        ('league', 'drop the goals attribute from Team', ('self.goals = 0',), ()),
        ('league', 'we dont need goals in Team any more', ('self.goals = 0',), ()),
        ('league', "teams don't have goals anymore, remove it", ('self.goals = 0',), ()),
        ('library', 'remove shelf_code from Shelf', ('def __init__(self, room, books=None, shelf_code=""):', 'self.shelf_code = shelf_code'), ('def __init__(self, room, books=None):',)),
        ('library', 'delete the opened attribute', ('self.opened = False',), ()),
        ('game', 'add a drop(thing) method to Player', (), ('def drop(self, thing):', 'self.inventory.remove(thing)')),
        ('library', 'add remove(book) to Shelf', (), ('def remove(self, book):', 'self.books.remove(book)')),
        ('library', 'Shelf needs an is_empty method', (), ('def is_empty(self):', 'return not self.books')),
        ('library', 'add is_empty to shelf please', (), ('def is_empty(self):', 'return not self.books')),
        ('game', 'Player should have a has(thing) method', (), ('def has(self, thing):', 'return thing in self.inventory')),
        ('game', 'add add_score(points) to Player', (), ('def add_score(self, points):', 'self.score += points')),
        ('game', 'add a clear_inventory method', (), ('def clear_inventory(self):', 'self.inventory.clear()')),
        ('library', 'size as a property', ('print(shelf.room, shelf.size())',), ('@property', 'print(shelf.room, shelf.size)')),
        ('library', 'make label a property please', ('print(book.label())',), ('@property', 'print(book.label)')),
        ('game', 'is_rich without the brackets, as property', ('if player.is_rich():',), ('@property', 'if player.is_rich:')),
        ('library', 'turn Shelf.size into a property and fix the calls', ('print(shelf.room, shelf.size())',), ('@property', 'print(shelf.room, shelf.size)')),
        ('library', 'tags: list[str] with an empty list as default', ('from dataclasses import dataclass', 'tags: list'), ('from dataclasses import dataclass, field', 'tags: list[str] = field(default_factory=list)')),
        ('library', 'tags should default to an empty list', ('from dataclasses import dataclass', 'tags: list'), ('from dataclasses import dataclass, field', 'tags: list = field(default_factory=list)')),
        ('library', 'add a pages field to Book, int, default 0', (), ('pages: int = 0',)),
        ('library', 'Book also needs a publisher (string)', (), ('publisher: str',)),
        ('library', 'give tags in Book a default of an empty list', ('from dataclasses import dataclass', 'tags: list'), ('from dataclasses import dataclass, field', 'tags: list = field(default_factory=list)')),
        ('library', 'add a field lent to Book, False by default', (), ('lent: bool = False',)),
        ('library', 'the method add should rather be add_book', ('def add(self, book):',), ('def add_book(self, book):',)),
        ('cafe', 'Order needs a discount, starting with 0', (), ('self.discount = 0',)),
        ('cafe', 'please add a counter named served to the kitchen', (), ('self.served = 0',)),
        ('cafe', 'the kitchen should have a set of allergens', (), ('self.allergens = set()',)),
        ('cafe', 'add an open flag to Kitchen', (), ('self.open = False',)),
        ('cafe', 'kitchen gets a dict stock, empty at the beginning', (), ('self.stock = {}',)),
        ('cafe', "orders don't need a guest any more", ('def __init__(self, table, guest="anon"):', 'self.guest = guest', 'return f"table {self.table} for {self.guest}: {self.total()}"'), ('def __init__(self, table):', 'return f"table {self.table}: {self.total()}"')),
        ('cafe', 'remove temperature from the kitchen', ('self.temperature = 180',), ()),
        ('cafe', 'kill the temperature attribute', ('self.temperature = 180',), ()),
        ('cafe', 'drop guest in Order', ('def __init__(self, table, guest="anon"):', 'self.guest = guest', 'return f"table {self.table} for {self.guest}: {self.total()}"'), ('def __init__(self, table):', 'return f"table {self.table}: {self.total()}"')),
        ('cafe', 'add clear_queue to Kitchen', (), ('def clear_queue(self):', 'self.queue.clear()')),
        ('cafe', 'Kitchen needs a method queue_size', (), ('def queue_size(self):', 'return len(self.queue)')),
        ('cafe', 'write a method set_temperature(value) for the kitchen', (), ('def set_temperature(self, value):', 'self.temperature = value')),
        ('cafe', 'can Order have a clear() method', (), ('def clear(self):', 'self.lines.clear()')),
        ('cafe', 'Order.is_paid method please', (), ('def is_paid(self):', 'return self.paid')),
        ('cafe', 'total should be a property of Order', ('return f"table {self.table} for {self.guest}: {self.total()}"', 'print(order.bill(), order.total())'), ('@property', 'return f"table {self.table} for {self.guest}: {self.total}"', 'print(order.bill(), order.total)')),
        ('cafe', 'turn bill into a property', ('print(order.bill(), order.total())',), ('@property', 'print(order.bill, order.total())')),
        ('weather', 'Reading also needs a humidity, float, default 0.5', (), ('humidity: float = 0.5',)),
        ('weather', 'wind defaults to 1.0', ('wind: float = 0.0',), ('wind: float = 1.0',)),
        ('weather', 'get rid of note in Reading', ('note: Optional[str] = None',), ()),
    ],
)  # fmt: skip
def test_an_order_is_done_as_it_is_meant(app: str, instruction: str, gone: Lines, come: Lines) -> None:
    assert made(app, instruction) == (gone, come)
