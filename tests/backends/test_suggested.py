"""What the lines around suggest: rests of like lines with names put in each other's place, and what is due."""

from spark_tui.backends.suggested import AFTER_ALIKE, DUE, LIKE, MOST, MOST_CHARS, SAME_WORDS, suggested

ABOVE = ["def a(width):", "    return width * 2", "", "def b(height):", "    return height * 2", "", "def c(width):"]
BEHIND = ["    return width * 2", "    return width * 3"]


def texts(above, behind, typed, by=None):
    return [one.text for one in suggested(above, behind, typed) if by is None or one.by == by]


def test_lines_that_begin_alike_suggest_their_rests_and_each_once():
    found = texts(ABOVE, BEHIND, "    return width")
    assert found.count(" * 2") == 1
    assert {" * 2", " * 3"} <= set(found)
    assert texts(["x = 1"], [], "x = 1") == [], "nothing is left of it"
    assert texts(["zebra = 1"], [], "y") == []
    assert len(texts([f"name_{n} = {n}" for n in range(40)], [], "name_")) == MOST


def test_a_line_behind_alike_lines_is_the_first_and_has_the_names_of_this_place():
    above = ["left = load(left_path)", "left.scale(2)", "right = load(right_path)"]
    best = suggested(above, [], "rig")[0]
    assert (best.text, best.by) == ("ht.scale(2)", AFTER_ALIKE)
    assert suggested(above, [], "")[0].text == "right.scale(2)", "nothing is typed yet"


def test_names_keep_the_case_of_their_place():
    above = ["FORWARD = forward()", "done(Forward)", "BACKWARD = backward()"]
    assert "one(Backward)" in texts(above, [], "d")
    above = ["class Cat:", "    name = 'cat'", "class Dog:"]
    assert texts(above, [], "    na")[0] == "me = 'dog'"


def test_where_the_line_differs_from_another_in_one_name_that_name_is_put_through():
    assert "ze = low.count" in texts(["high.size = high.count"], [], "low.si", by=LIKE)


def test_more_differing_names_than_two_are_another_line():
    assert texts(["one(two, three, four)"], [], "a(b, c, ", by=LIKE) == []


def test_the_same_words_inside_a_line_suggest_what_follows_them():
    found = suggested(["if count(self.items, start):"], [], "other = count(self.items")
    assert (", start):", SAME_WORDS) in [(one.text, one.by) for one in found]
    assert texts(["recount(a)"], [], "x = count", by=SAME_WORDS) == [], "only whole words"


def test_a_constructor_takes_what_is_set_behind_it():
    behind = [
        "        self.width = width",
        "        self.depth: int = depth",
        "        self.count = 0",
        "    def next(self):",
    ]
    found = texts(["class Box:"], [*behind, "        self.late = late"], "    def __init__(", by=DUE)
    assert found == ["self, width, depth):", "self, width, depth) -> None:"]


def test_a_parameter_that_is_not_set_yet_is_due():
    above = ["    def __init__(self, width, depth=1):", "        self.width = width"]
    assert texts(above, [], "        self.", by=DUE) == ["depth = depth"]
    above = ["    def __init__(", "        self,", "        depth: int,", "    ) -> None:"]
    assert texts(above, [], "        self.de", by=DUE) == ["pth = depth"]
    assert texts(["class Box:"], [], "    self.", by=DUE) == []


def test_lines_of_data_are_like_nothing():
    data = "values = [" + "1, " * MOST_CHARS + "]"
    assert texts([data], [], "values = ") == []
    assert texts([data[:40]], [], "values = ") != []
    assert texts(["values = 1"], [], data) == []
