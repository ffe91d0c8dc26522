# ruff: noqa: E501 - tables read better unbroken
"""What was done in some places, wanted in more, in fewer, in others, or nowhere."""

from __future__ import annotations

import pytest
from steer_texts import COPY, GAME, PIPE, SHAPES, SHOP, behind, put, tree

from spark_tui.engine.layout import WindowHunk
from spark_tui.refactor.known import between
from spark_tui.steers.spread import spread
from spark_tui.steers.stands import Stands

UTF = ("open(path) as", 'open(path, encoding="utf-8") as')
UTF_TOO = ('open(path, "w") as', 'open(path, "w", encoding="utf-8") as')
FROZEN = ("@dataclass\nclass Item", "@dataclass(frozen=True)\nclass Item")
FROZEN_TOO = ("@dataclass\nclass Order", "@dataclass(frozen=True)\nclass Order")
FLUSHED = [
    (f"{one})\n", f"{one}, flush=True)\n")
    for one in ('print("items:", len(order.items)', 'print("total:", total(order)', 'print("note:", order.note')
]
GAIN = ("self.score += points", "self.score += max(0, points)")
LOSS = ("self.score -= points", "self.score -= max(0, points)")
STRIPPED = [
    (f"{name} = parts[{at}]", f"{name} = parts[{at}].strip()") for at, name in enumerate(("name", "city", "team"))
]
CHECK = "        if (x, y) not in self.cells:\n            raise KeyError((x, y))\n"
GOT = ("    def get(self, x, y):\n", f"    def get(self, x, y):\n{CHECK}")
CLEARED = ("    def clear(self, x, y):\n", f"    def clear(self, x, y):\n{CHECK}")
WIDE = ("self.width = int(width)", "self.width = abs(int(width))")
HIGH = ("self.height = int(height)", "self.height = abs(int(height))")

ONE = (
    "    def submit(self, job):\n        self.queue.put_nowait(job)",
    "    def submit(self, job):\n        self.queue.put_nowait((0, job))",
)
MANY = (
    "        for job in jobs:\n            self.queue.put_nowait(job)",
    "        for job in jobs:\n            self.queue.put_nowait((0, job))",
)
STOP = [
    (
        f"    async def stop(self):\n        {first}",
        f'    async def stop(self):\n        logger.info("stop")\n        {first}',
    )
    for first in ("self.task", "for")
]
ROUND = [
    (f"        return {one}\n", f"        return round({one}, 2)\n")
    for one in ("math.pi * self.radius ** 2", "2 * math.pi * self.radius", "self.side ** 2", "4 * self.side")
]
LIMIT = ('"--limit", type=int', '"--limit", type=int, default=10')
WIDTH = ('"--width", type=int', '"--width", type=int, default=10')
ERR = [
    (f"print({one})", f"print({one}, file=sys.stderr)")
    for one in ("error", 'f"{count} lines"', 'f"took {time.time() - start}"')
]
SOURCE = ("open(source) as", 'open(source, encoding="utf-8") as')
TARGET = ('open(target, "w") as', 'open(target, "w", encoding="utf-8") as')


@pytest.mark.parametrize(
    ("text", "stood", "said", "more"),
    [
        (SHOP, [UTF], "the saving one needs that as well, umlauts there too", [UTF_TOO]),
        (SHOP, [UTF], "and when writing", [UTF_TOO]),
        (SHOP, [UTF], "both opens please", [UTF_TOO]),
        (SHOP, [UTF], "ah and do save_items too", [UTF_TOO]),
        (SHOP, [FROZEN], "Order the same way", [FROZEN_TOO]),
        (SHOP, [FROZEN], "the other dataclass too", [FROZEN_TOO]),
        (SHOP, FLUSHED[:1], "all three prints", FLUSHED[1:]),
        (SHOP, FLUSHED[:1], "the last one as well", FLUSHED[2:]),
        (SHOP, FLUSHED[:1], "every print in describe actually", FLUSHED[1:]),
        (GAME, [GAIN], "miss needs the same", [LOSS]),
        (GAME, [GAIN], "for misses as well", [LOSS]),
        (GAME, STRIPPED[:1], "city and team too, they come with blanks", STRIPPED[1:]),
        (GAME, STRIPPED[:1], "the team as well", STRIPPED[2:]),
        (GAME, STRIPPED[:1], "every column please", STRIPPED[1:]),
        (GAME, STRIPPED[:1], "team too. city obviously not", STRIPPED[2:]),
        (GAME, STRIPPED[:1], "city can have blanks as well, do that one too (team is fine)", STRIPPED[1:2]),
        (GAME, [GOT], "same check in clear", [CLEARED]),
        (GAME, [GOT], "clear needs it too. but not put, that may overwrite", [CLEARED]),
        (GAME, [WIDE], "height as well ofc", [HIGH]),
        (PIPE, [ONE], "submit_all the same", [MANY]),
        (PIPE, [ONE], "same in the other submit method", [MANY]),
        (PIPE, STOP[:1], "in Pool.stop too", STOP[1:]),
        (SHAPES, ROUND[:1], "and the perimeter", ROUND[1:2]),
        (SHAPES, ROUND[:1], "the square's area as well", ROUND[2:3]),
        (COPY, [LIMIT], "width too", [WIDTH]),
        (COPY, ERR[:1], "the timing line too", ERR[2:]),
        (COPY, ERR[:1], "the other two prints as well", ERR[1:]),
        (COPY, [SOURCE], "same for dst", [TARGET]),
        (COPY, [SOURCE], "and the one we write to", [TARGET]),
    ],
)  # fmt: skip
def test_what_was_done_is_done_where_the_words_point(text, stood, said, more):
    assert behind(text, stood, said) == tree(put(text, *stood, *more))


@pytest.mark.parametrize(
    ("text", "stood", "said", "less"),
    [
        (SHOP, [UTF, UTF_TOO], "reading only, the writer is replaced next week anyway", [UTF_TOO]),
        (SHOP, [UTF, UTF_TOO], "hm leave the writing side as is", [UTF_TOO]),
        (SHOP, [UTF, UTF_TOO], "not in load_items, that file is ours and ascii", [UTF]),
        (SHOP, [UTF, UTF_TOO], "load_items was never a problem, i just checked. so only save_items", [UTF]),
        (SHOP, [FROZEN, FROZEN_TOO], "Order gets its note set later so not that one", [FROZEN_TOO]),
        (SHOP, FLUSHED, "only the first print", FLUSHED[1:]),
        (SHOP, FLUSHED, "not for the note", FLUSHED[2:]),
        (SHOP, FLUSHED, "without the total line, that one is going away", FLUSHED[1:2]),
        (GAME, STRIPPED, "city has none, leave it", STRIPPED[1:2]),
        (GAME, STRIPPED, "only name and team", STRIPPED[1:2]),
        (GAME, STRIPPED, "skip the city, gets cleaned later", STRIPPED[1:2]),
        (GAME, [WIDE, HIGH], "width alone is enough", [HIGH]),
        (PIPE, [ONE, MANY], "leave submit_all out of it, it gets removed", [MANY]),
        (SHAPES, ROUND, "squares don't need it", ROUND[2:]),
        (SHAPES, ROUND, "only circles, squares are exact anyway", ROUND[2:]),
        (SHAPES, ROUND, "not the perimeters", [ROUND[1], ROUND[3]]),
        (COPY, [LIMIT, WIDTH], "width has no sensible default, drop it there", [WIDTH]),
        (COPY, ERR, "only the error, people pipe the rest", ERR[1:]),
        (COPY, ERR, "keep the count on stdout", ERR[1:2]),
    ],
)  # fmt: skip
def test_what_is_not_wanted_somewhere_is_taken_back_there(text, stood, said, less):
    assert behind(text, stood, said) == tree(put(text, *(one for one in stood if one not in less)))


@pytest.mark.parametrize(
    "said", ["that goes into clear, not get", "wrong method, clear was the one i meant", "not in get, in clear"]
)
def test_it_is_done_there_in_place_of_here(said):
    assert behind(GAME, [GOT], said) == tree(put(GAME, CLEARED))


def test_it_is_done_in_the_method_of_that_name_in_another_class():
    assert behind(PIPE, STOP[:1], "in Pool, not in Worker") == tree(put(PIPE, STOP[1]))


def test_a_decorator_goes_where_it_was_among_others():
    text = (
        "@route('/a')\ndef get_a():\n    pass\n\n\n@route('/b')\ndef get_b():\n    pass\n\n\ndef plain():\n    pass\n"
    )
    stood = ("@route('/a')\n", "@route('/a')\n@login\n")
    made = tree(put(text, stood, ("@route('/b')\n", "@route('/b')\n@login\n")))
    assert behind(text, [stood], "everywhere actually") == made


def test_what_belongs_together_is_kept_or_taken_back_together():
    """A flag, and the check that reads it."""
    stood = [
        ("        self.cells = {}\n", "        self.cells = {}\n        self._shut = False\n"),
        ("    def put(self, x, y, what):\n", "    def put(self, x, y, what):\n        if self._shut:\n            raise ValueError\n"),
        ("        return self.cells[x, y]", "        return self.cells.get((x, y))"),
    ]  # fmt: skip
    assert behind(GAME, stood, "only the get part for now") == tree(put(GAME, stood[2]))


def test_one_name_for_another_is_carried_to_the_functions_that_have_it():
    stood = [
        (
            "    def hit(self, points):\n        self.score += points",
            "    def hit(self, gain):\n        self.score += gain",
        )
    ]
    more = (
        "    def miss(self, points):\n        self.score -= points",
        "    def miss(self, gain):\n        self.score -= gain",
    )
    assert behind(GAME, stood, "everywhere please") == tree(put(GAME, *stood, more))


@pytest.mark.parametrize(
    "said",
    ["forget it", "hm no, it was fine before", "never mind, product wants it the way it was", "nah leave it, too risky right now", "scratch that - the reviewer hates it",
     "please revert, we ship tomorrow", "drop that again", "actually no, undo it. sorry", "on second thought leave that function as it was", "wait no, don't do that",
     "changed my mind, keep the old version", "no need, someone else does that already", "i take that back", "callers count on it. undo", "nvm", "hmm leave that out, it works as it is", "sorry, wrong file. revert", "roll that back", "we don't want that after all", "let's leave it", "cancel that, out of scope",
     "eh keep it how it was", "oh wait that's wrong, restore the original", "hm no. the old one please", "undo the last thing", "that breaks replays, doesn't it? undo"],
)  # fmt: skip
def test_what_is_not_wanted_at_all_is_taken_back(said):
    assert behind(GAME, [GAIN], said) == tree(GAME)


@pytest.mark.parametrize(
    "said",
    ["only if points is positive", "use abs there as well", "raise instead of clamping", "also return the score", "too slow", "same but with min", "both arguments should be ints",
     "before adding, check the type", "also drop the lives parameter", "in percent", "each one costs 2", "and the highscore too", "not for bots", "skip it when dead"],
)  # fmt: skip
def test_what_speaks_of_no_place_is_left_alone(said):
    assert behind(GAME, [GAIN], said) in (None, tree(put(GAME, GAIN)))


@pytest.mark.parametrize(
    ("stood", "said"),
    [
        ([SOURCE], "also count bytes"),
        ([SOURCE], "same encoding as the locale"),
        ([SOURCE], "every line should be stripped too"),
        ([SOURCE], "also newline=''"),
        (ERR[:1], "print the type too"),
        (ERR[:1], "and exit code 2"),
        ([LIMIT, WIDTH], "only positive ones"),
        ([LIMIT, WIDTH], "not 7 there"),
    ],
)
def test_words_that_the_places_do_not_have_are_no_place(stood, said):
    now = put(COPY, *stood)
    standing = [WindowHunk(one.first, one.last, one.new) for one in between(COPY.splitlines(), now.splitlines())]
    assert spread(Stands(COPY.splitlines(), standing), said) is None


def test_what_says_once_more_that_a_place_is_left_out_says_no_more():
    now = put(PIPE, ONE, MANY)
    standing = [WindowHunk(one.first, one.last, one.new) for one in between(PIPE.splitlines(), now.splitlines())]
    stands = Stands(PIPE.splitlines(), standing)
    assert spread(stands, "not in submit_all, that one stays") == spread(stands, "not in submit_all") == standing[:1]


def test_half_of_what_was_done_with_a_statement_is_not_done_elsewhere():
    text = "def one(con, a):\n    con.execute(f'get {a}')\n\n\ndef two(con, b):\n    con.execute(f'drop {b}')\n"
    stood = ("con.execute(f'get {a}')", "con.execute('get ?', (a,))")
    assert behind(text, [stood], "the other query too") in (None, tree(put(text, stood)))


def test_a_guard_goes_behind_the_statement_behind_which_it_stands():
    text = "def show(key):\n    item = store.get(key)\n    return item.name\n\n\ndef erase(key):\n    item = store.get(key)\n    store.remove(item)\n    log(key)\n    return key\n"
    guard = "    item = store.get(key)\n    if item is None:\n        raise KeyError(key)\n"
    shown = ("    item = store.get(key)\n    return item", f"{guard}    return item")
    erased = ("    item = store.get(key)\n    store", f"{guard}    store")
    assert behind(text, [shown], "erase as well") == tree(put(text, shown, erased))
