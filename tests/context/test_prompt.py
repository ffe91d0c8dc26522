"""What the model is shown, and what is said about the rest."""

import pytest

from spark_tui.context.file_list import no_such_file
from spark_tui.context.mentions import Mention, find_mentions
from spark_tui.context.prompt import build_context
from spark_tui.context.repo_map import RepoMap
from spark_tui.context.shown_context import ContextLimits, ContextRequest
from spark_tui.errors import Refused

CART = [
    "class Cart:",
    "    def add(self, sku):",
    "        self.lines[sku] = 1",
    "",
    "    def total(self):",
    "        return price(self)",
]
BIG = [line for n in range(40) for line in (f"def function_{n}(a, b):", f"    return a + {n} + b", "")]
FILES = {
    "a.py": ["one", "two", "three"],
    "b.py": ["b"] * 100,
    "empty.py": [],
    "shop/cart.py": CART,
    "shop/price.py": ["def price(cart):", "    return 1"],
    "shop/AGENTS.md": ["Use tabs."],
    "AGENTS.md": ["Use spaces."],
    ".env": ["KEY=1"],
    "deploy/secrets.yaml": ["a: 1"],
}


def read(path):
    if path == "locked.py":
        raise Refused("the file is not readable")
    return FILES.get(path)


def shown(text, in_view="", budget=0, mapped=False, extra=None, limits=None, links=None, **ask):
    files = {**FILES, **(extra or {})}

    def reading(path):
        return files[path] if path in files else read(path)

    repo_map = RepoMap(reading, lambda path: 1) if mapped else None
    return build_context(
        ContextRequest(text, in_view, **ask),
        limits or ContextLimits(budget),
        read_lines=reading,
        count_tokens=lambda t: len(t.split()),
        paths=lambda: sorted(files),
        real=lambda path: (links or {}).get(path, path),
        repo_map=repo_map,
    )


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("fix @a.py", [Mention("a.py")]),
        ("fix @src/a.py:10-40, please", [Mention("src/a.py", 10, 40)]),
        ("lines @a.py:40-10", [Mention("a.py", 10, 40)]),
        ("@a.py:7.", [Mention("a.py", 7, 7)]),
        ("see @a.py. And @a.py", [Mention("a.py")]),
        ('the file @"my notes.txt":3', [Mention("my notes.txt", 3, 3)]),
        ("mail me@example.com about x@y", []),
        ("a lone @ sign", []),
        ("all of @src/**/*.py", [Mention("src/**/*.py")]),
        ("what does @Cart.add do?", [Mention("Cart.add")]),
    ],
)
def test_mentions(text, mentions):
    assert list(find_mentions(text)) == mentions


def test_named_and_mentioned_files_come_before_the_file_in_view_and_once():
    assert [s.path for s in shown("like @b.py", "a.py").sections] == ["b.py", "a.py"]
    assert [s.path for s in shown("in @a.py:2-3", "a.py").sections] == ["a.py"]
    assert [s.path for s in shown("like @b.py", "a.py", files=("empty.py",)).sections] == [
        "empty.py",
        "b.py",
        "a.py",
    ]


def test_a_range_shows_those_lines_and_says_where_they_stand():
    (section,) = shown("@a.py:2-3").sections
    assert (section.text, section.first_line, section.total_lines) == ("two\nthree\n", 2, 3)


def test_what_is_left_out_is_said():
    result = shown("@nope.py @a.py:9 @b.py @locked.py", budget=50)
    assert [s.path for s in result.sections] == []
    assert dict(result.left_out) == {
        "nope.py": "no such file",
        "a.py": "has 3 lines, not 9",
        "b.py": "100 tokens do not fit in the remaining 48",
        "locked.py": "the file is not readable",
    }


def test_only_omitted_files_that_were_mentioned_are_reported():
    result = shown("@nope.py @x/*.py @property total", "shop/cart.py", budget=400, mapped=True)
    assert result.told == (
        ("x/*.py", "is not shown: matches no files"),
        ("nope.py", "is not shown: no such file"),
    )
    small = shown("let it be", "shop/cart.py", limits=ContextLimits(0, 8, 50))
    assert "of its 3 windows" in dict(small.left_out)["shop/cart.py"]
    assert small.told == ()
    twice = shown("@shop/cart.py @shop/cart.py:2-2", limits=ContextLimits(0, 8, 50))
    assert len(twice.sections) == 2
    assert twice.left_out[-1] == ("shop/cart.py", "1 of its 3 windows")
    ((path, what),) = shown("make `function_20` faster", "big.py", budget=300, extra={"big.py": BIG}).told
    assert (path, what.split(":")[0]) == ("big.py", "is not all shown")


def test_of_a_file_that_does_not_fit_the_parts_that_matter_are_shown():
    result = shown("make `function_20` faster", "big.py", budget=300, extra={"big.py": BIG, "AGENTS.md": []})
    (section,) = result.sections
    assert "def function_20(" in section.text
    assert section.text.startswith("def ")
    assert section.tokens <= 300
    ((path, why),) = result.left_out
    assert path == "big.py"
    assert "of its" in why


def test_an_empty_file_is_shown_as_empty():
    for limits in (ContextLimits(), ContextLimits(0, 100, 50)):
        (section,) = shown("", "empty.py", limits=limits).sections
        assert (section.text, section.total_lines, section.tokens) == ("", 0, 0)


def test_rules_go_from_the_root_to_the_leaf_and_the_later_ones_win():
    result = shown("x", "shop/cart.py")
    assert result.rule_paths == ("AGENTS.md", "shop/AGENTS.md")
    assert "the later ones win" in result.rules
    assert result.rules.index("Use spaces.") < result.rules.index("Use tabs.")
    assert shown("x", "a.py").rules == "Use spaces."


def test_of_rules_that_do_not_fit_the_widest_go_first_and_it_is_said():
    result = shown("x", "shop/cart.py", budget=60)
    assert result.rule_paths == ("shop/AGENTS.md",)
    assert result.left_out[0][0] == "AGENTS.md"


def test_a_glob_shows_what_matches_but_no_secret_and_nothing_ignored():
    result = shown("@shop/*.py", extra={".sparkignore": ["price.py"]})
    assert [s.path for s in result.sections] == ["shop/cart.py"]
    assert "1 of them may hold secrets" in dict(result.left_out)["shop/*.py"]
    assert dict(shown("@nothing/*.py").left_out) == {"nothing/*.py": "matches no files"}


def test_a_glob_that_shows_nothing_is_no_reason_to_guess_another_file():
    hidden = shown("let `total` round in @deploy/*", mapped=True)
    assert hidden.sections == ()
    assert shown("let `total` round in @nothing/*.py", mapped=True).sections == ()


def test_a_file_whose_name_reads_as_a_glob_can_be_named():
    result = shown("@app/[id].py", extra={"app/[id].py": ["x"], "app/i.py": ["y"]})
    assert [s.path for s in result.sections] == ["app/[id].py"]


def test_a_name_that_no_edit_can_say_is_left_out():
    result = shown("x", files=("a\nb.py",), extra={"a\nb.py": ["x"]})
    assert result.sections == ()
    assert "line break" in dict(result.left_out)["a\nb.py"]


def test_a_folder_stands_for_the_files_in_it():
    found = shown("look at @shop/")
    assert [section.path for section in found.sections] == ["shop/AGENTS.md", "shop/cart.py", "shop/price.py"]
    assert shown("look at @nowhere/").left_out[-1] == ("nowhere/*", "matches no files")
    assert find_mentions("@./shop/")[0].path == "shop/*"


def test_one_file_has_one_name():
    result = shown("@./shop/cart.py like @shop//cart.py and @a.py/../shop/cart.py", "shop/cart.py")
    assert [s.path for s in result.sections] == ["shop/cart.py"]
    assert result.rule_paths == ("AGENTS.md", "shop/AGENTS.md")
    assert dict(shown("@../x.py").left_out) == {"../x.py": "no such file"}


def test_what_sparkignore_names_is_not_shown_for_being_in_view():
    extra = {"shop/.sparkignore": ["price.py"]}
    result = shown("x", "shop/price.py", extra=extra)
    assert result.sections == ()
    assert "is in .sparkignore" in dict(result.left_out)["shop/price.py"]
    assert [s.path for s in shown("in @shop/price.py", "shop/price.py", extra=extra).sections] == [
        "shop/price.py"
    ]


@pytest.mark.parametrize("limits", [ContextLimits(), ContextLimits(0, 100, 50)])
@pytest.mark.parametrize(
    "said", ["put @property on total", "use @functools.cache for total", "add @app.route('/x') to it"]
)
def test_a_decorator_takes_no_files_place(limits, said):
    result = shown(said, "shop/cart.py", limits=limits, mapped=True)
    assert [s.path for s in result.sections] == ["shop/cart.py"]
    assert any("neither a file nor a symbol" in why for _, why in result.left_out)


def test_a_file_that_is_not_there_is_not_replaced_by_the_one_in_view():
    result = shown("rename qty in @crat.py", "shop/cart.py", limits=ContextLimits(0, 100, 50))
    assert result.sections == ()
    assert dict(result.left_out)["crat.py"] == "no such file (did you mean shop/cart.py?)"


def test_a_file_in_view_that_only_a_hunk_creates_is_said_not_to_be_written():
    assert dict(shown("add a test", "shop/new.py").left_out) == {"shop/new.py": "not on the disk yet"}


def test_a_secret_is_shown_only_when_it_is_named():
    result = shown("x", ".env")
    assert result.sections == ()
    assert "may hold secrets" in dict(result.left_out)[".env"]
    assert [s.path for s in shown("read @.env").sections] == [".env"]
    assert "secrets.yaml" not in shown("secrets a", "a.py", mapped=True).map


def test_what_a_secret_defines_is_in_no_map_and_no_symbol():
    extra = {".env.py": ["def hush():", "    return 'KEY'"]}
    result = shown("let @hush be quiet, and hush", "a.py", mapped=True, extra=extra)
    assert [s.path for s in result.sections] == ["a.py"]
    assert "hush" not in result.map


LINKED = {"notes.txt": ["KEY=1"], "shop/more.py": ["KEY=1"], "AGENTS.md": ["KEY=1"]}
LINKS = dict.fromkeys(LINKED, ".env")


@pytest.mark.parametrize("limits", [ContextLimits(), ContextLimits(0, 100, 50)])
def test_a_secret_is_not_shown_by_another_name(limits):
    for text, in_view in (("read @notes.txt", ""), ("x", "notes.txt"), ("read @shop/*", ""), ("@**", "a.py")):
        result = shown(text, in_view, limits=limits, extra=LINKED, links=LINKS)
        assert not any("KEY" in section.text for section in result.sections)
        assert "KEY" not in result.rules
        assert any("may hold secrets" in why for _, why in result.left_out)


def test_a_link_to_a_secret_that_is_named_is_not_replaced_by_the_file_in_view():
    result = shown("change @notes.txt", "a.py", limits=ContextLimits(0, 100, 50), extra=LINKED, links=LINKS)
    assert result.sections == ()
    assert dict(result.left_out)["notes.txt"].startswith("is a link to .env")


def test_a_link_to_what_sparkignore_names_is_not_shown_for_being_in_view_but_where_it_is_named():
    more = {"extra": {"b.txt": ["x"], ".sparkignore": ["b.py"]}, "links": {"b.txt": "b.py"}}
    assert shown("x", "b.txt", **more).sections == ()
    assert shown("@*.txt", **more).sections == ()
    assert [s.path for s in shown("read @b.txt", **more).sections] == ["b.txt"]


def test_a_symbol_is_shown_where_it_is_defined():
    (section,) = shown("explain @Cart.add", mapped=True).sections
    assert (section.path, section.first_line) == ("shop/cart.py", 2)
    assert section.text == "\n".join(CART[1:3]) + "\n"
    assert [s.path for s in shown("explain @nothing_here", mapped=True).sections] == []


def test_where_nothing_is_named_the_file_that_defines_the_names_is_shown():
    (section,) = shown("let `total` round", mapped=True).sections
    assert section.path == "shop/cart.py"
    assert "total" in section.why
    assert shown("write a poem", mapped=True).sections == ()


def test_the_map_leaves_out_what_is_shown_and_ranks_what_it_uses_first():
    result = shown("total", "shop/cart.py", mapped=True)
    assert "shop/cart.py" not in result.map
    assert result.map.startswith("shop/price.py\n  1: def price(cart):")
    assert result.map_tokens == len(result.map.split())


def test_the_map_stays_within_its_share_and_says_what_has_no_place():
    many = {f"m{n}.py": [f"def f{n}(): pass"] for n in range(200)}
    result = shown("f7", "a.py", budget=2000, mapped=True, extra=many)
    assert 0 < result.map_tokens <= 160
    assert "m7.py" in result.map
    assert "do not fit" in dict(result.left_out)["the map"]


def test_everything_together_stays_within_the_budget():
    for budget in range(20, 400, 7):
        result = shown("@a.py @b.py total", "shop/cart.py", budget=budget, mapped=True)
        assert result.tokens <= budget


SMALL = ContextLimits(0, 40, 20)


def areas(count):
    return [line for n in range(count) for line in (f"def area_{n}(width):", f"    return width * {n}", "")]


LONG = areas(30)


def test_a_small_window_reads_whole_definitions_one_request_each():
    result = shown("use `width` everywhere", "long.py", limits=SMALL, extra={"long.py": LONG[:60]})
    assert len(result.sections) > 1
    assert all(s.text.startswith("def ") and s.tokens <= 40 for s in result.sections)
    assert "".join(s.text for s in result.sections) == "".join(line + "\n" for line in LONG[:60])


def test_a_small_window_goes_where_the_names_the_lines_the_selection_or_the_cursor_are():
    def first(text, **ask):
        (section,) = shown(text, "long.py", limits=SMALL, extra={"long.py": LONG}, **ask).sections
        return range(section.first_line, section.first_line + section.text.count("\n"))

    assert 3 * 17 + 1 in first("double the result in area_17")
    assert 44 in first("change line 44")
    assert 80 in first("do it better", selection=(80, 81))
    assert 60 in first("do it better", cursor=60)
    assert 1 in first("do it better")


def test_a_small_model_is_not_asked_about_the_file_in_view_where_another_is_named():
    assert [s.path for s in shown("like @b.py", "a.py", limits=SMALL).sections] == ["b.py"]
    assert [s.path for s in shown("like that", "a.py", limits=SMALL).sections] == ["a.py"]


def test_a_file_in_view_with_one_endless_line_does_not_stand_in_the_way_of_others():
    endless = {"min.js": ["a " * 40 * 9]}
    result = shown("let `total` round", "min.js", limits=SMALL, extra=endless, mapped=True)
    assert [s.path for s in result.sections] == ["shop/cart.py"]
    assert result.missed == (("min.js", "its lines are longer than the model can read"),)
    assert shown("write a poem", "min.js", limits=SMALL, extra=endless, mapped=True).sections == ()


def test_an_edit_of_more_windows_than_are_read_says_how_many_are_missed():
    result = shown("use `width` everywhere", "long.py", limits=SMALL, extra={"long.py": areas(400)})
    assert len(result.sections) == 8
    assert "more windows match" in result.left_out[-1][1]


@pytest.mark.parametrize(
    ("path", "names", "near"),
    [
        ("shop/crt.py", ("shop/cart.py", "shop/prices.py"), "shop/cart.py"),
        ("cart.py", ("shop/cart.py", "shop/prices.py"), "shop/cart.py"),
        ("shop/crat.py", ("old/cart.py", "shop/cart.py"), "shop/cart.py"),
        ("x.py", ("y.py", "z.py"), ""),
        ("shop/cart.py", (), ""),
    ],
)
def test_a_path_that_does_not_exist_names_the_nearest_file(path, names, near):
    assert no_such_file(path, names) == (f"no such file (did you mean {near}?)" if near else "no such file")


def test_a_deleted_file_that_git_lists_is_not_suggested_for_itself():
    assert "deleted on disk" in no_such_file("a.py", ("a.py", "b.py"))
