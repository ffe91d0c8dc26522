from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from rich.color import Color, ColorSystem
from support.fake_session import FakeSession
from support.workbench_app import app_for

from spark_tui.config import paths
from spark_tui.config.settings import Settings
from spark_tui.tui.settings.themes import COLORS, PLAIN, STYLES, Theme, ThemeCatalog, ThemeProblems, parse

NAMES = sorted(file.stem for file in paths.themes_dir().glob("*.yaml"))
DOCS = Path(__file__).parents[3] / "docs" / "themes.md"


def carried(name: str, *, of_256: bool = False) -> Theme:
    theme = ThemeCatalog([paths.themes_dir()], of_256=of_256).get(name)
    assert theme is not None
    return theme


def table() -> dict[str, object]:
    return {"name": "mine", "colors": dict.fromkeys(COLORS, "#808080")}


def luminance(color: str) -> float:
    parts = [part / 255 for part in Color.parse(color).get_truecolor()]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", NAMES)
def test_a_carried_theme_is_sound(name: str) -> None:
    assert carried(name).name == name


def test_there_are_light_contrast_colour_blind_and_sixteen_colour_themes() -> None:
    assert {"spark-dark", "spark-light", "high-contrast", "colour-blind", "ansi-16"} <= set(NAMES)
    assert len(NAMES) >= 8
    assert not carried("spark-light").dark
    assert carried("ansi-16").ansi


WITH_COLORS = pytest.mark.parametrize("name", [name for name in NAMES if name != "ansi-16"])
NO_TEXT = {"rule", "selection", "cursor", *(color for color in COLORS if "ground" in COLORS[color])}
"""Colours of grounds and of lines between panes."""


WITH_256_TOO = pytest.mark.parametrize("of_256", [False, True])


@WITH_COLORS
@WITH_256_TOO
def test_text_can_be_read_on_every_ground_of_the_theme(name: str, of_256: bool) -> None:
    colors = carried(name, of_256=of_256).colors
    least = 7.0 if name == "high-contrast" else 4.5
    for ground in ("ground", "surface", "cursor", "added_ground", "removed_ground"):
        for ink in COLORS:
            if ink not in NO_TEXT:
                assert contrast(colors[ink], colors[ground]) >= least, (ink, ground)
    for ink, ground in (("ink", "selection"), ("ground", "accent")):
        assert contrast(colors[ink], colors[ground]) >= least, "what was found"


@WITH_COLORS
@WITH_256_TOO
def test_what_is_drawn_on_a_ground_of_its_own_can_be_read(name: str, of_256: bool) -> None:
    least = 7.0 if name == "high-contrast" else 4.5
    palette = carried(name, of_256=of_256).palette
    for style_name, style in palette.items():
        if style.color and style.bgcolor and not style_name.endswith("rule"):
            assert contrast(style.color.name, style.bgcolor.name) >= least, style_name
    # Colours of syntax could not be read on every one of these.
    assert all(palette[word].color for word in ("new.word", "old.word", "selection"))


@WITH_COLORS
def test_where_there_are_256_colours_grounds_stay_what_they_are(name: str) -> None:
    """Rich would draw dark ones black or navy; the changed words would vanish in some light ones."""
    colors = carried(name, of_256=True).colors
    for ground in ("cursor", "added_ground", "removed_ground"):
        assert colors[ground] != "#00005f"
    for line in ("added", "removed"):
        assert colors[f"{line}_word"] not in (colors[f"{line}_ground"], colors["ground"])
    for value in colors.values():
        shown = Color.parse(value).downgrade(ColorSystem.EIGHT_BIT).get_truecolor()
        assert shown == Color.parse(value).get_truecolor(), "Rich writes it as it is"


@pytest.mark.parametrize("named", sorted(COLORS))
def test_a_colour_with_a_name_stays_among_256(tmp_path: Path, named: str) -> None:
    bad = table()
    bad["colors"] = {**bad["colors"], named: "blue"}  # type: ignore[dict-item]
    (tmp_path / "mine.yaml").write_text(json.dumps(bad))
    catalog = ThemeCatalog((tmp_path,), of_256=True)
    theme = catalog.get("mine")
    assert theme is not None and theme.colors[named] == "blue", catalog.problems


def test_the_sixteen_colour_theme_names_no_other_colour() -> None:
    for value in carried("ansi-16").colors.values():
        color = Color.parse(value)
        assert color.is_default or (color.number is not None and color.number < 16)


def test_the_theme_without_colour_has_none() -> None:
    for style in PLAIN.palette.values():
        assert style.color is None or style.color.is_default
        assert style.bgcolor is None or style.bgcolor.is_default


def test_new_and_old_words_differ_without_colour() -> None:
    assert PLAIN.palette["new.word"].underline
    assert PLAIN.palette["old.word"].strike


def test_every_problem_of_a_file_is_named_at_once() -> None:
    bad = table()
    colors = dict(bad["colors"])  # type: ignore[call-overload]
    del colors["ink"]
    colors["acent"] = colors.pop("accent")
    colors["rule"] = "blurple"
    with pytest.raises(ThemeProblems) as caught:
        parse(bad | {"colors": colors, "styles": {"txt": "ink"}, "nme": 1, "dark": "yes"}, "mine")
    told = "\n".join(caught.value.problems)
    for piece in (
        "`ink`",
        "`acent`; did you mean `accent`?",
        "blurple",
        "`txt`",
        "`nme`; did you mean `name`?",
        "`dark`",
    ):
        assert piece in told


def test_a_style_can_be_given_with_attributes_and_own_colours() -> None:
    theme = parse(table() | {"styles": {"title": "bold #ff0000 on ground"}}, "mine")
    assert theme.palette["title"].bold
    assert theme.palette["title"].color == Color.parse("#ff0000")


def test_a_style_with_an_unknown_word_is_named() -> None:
    with pytest.raises(ThemeProblems, match="`blod` is neither an attribute nor a colour"):
        parse(table() | {"styles": {"title": "blod ink"}}, "mine")


@pytest.mark.parametrize("text", ["", "- a\n- b", "colors: 3", ": : :", "a: [", "\xff"])
def test_a_file_that_is_no_theme_is_a_sentence_and_no_crash(tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.yaml").write_text(text, encoding="latin-1")
    shelf = ThemeCatalog([tmp_path])
    assert shelf.get("bad") is None
    assert shelf.problems
    assert shelf.problems[0].startswith("bad.yaml")


def test_a_pipe_in_place_of_a_theme_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    shelf = ThemeCatalog([tmp_path])
    assert shelf.get("pipe") is None
    assert shelf.problems == ["pipe.yaml: this is not a file"]


def test_a_theme_of_ones_own_goes_before_a_carried_one(tmp_path: Path) -> None:
    text = (paths.themes_dir() / "spark-light.yaml").read_text(encoding="utf-8")
    (tmp_path / "spark-dark.yaml").write_text(text, encoding="utf-8")
    theme = ThemeCatalog([paths.themes_dir(), tmp_path]).get("spark-dark")
    assert theme is not None
    assert not theme.dark


def test_an_unknown_name_suggests_the_nearest() -> None:
    shelf = ThemeCatalog([paths.themes_dir()])
    assert shelf.get("spark-drak") is None
    assert "did you mean `spark-dark`?" in shelf.problems[0]


def test_every_colour_and_style_is_documented() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \| (.*?) \|", text, re.MULTILINE) == list(COLORS.items())
    for name in (*STYLES, *NAMES):
        assert f"`{name}`" in text, name


@pytest.mark.parametrize(
    ("term", "chosen", "taken"),
    [
        ("xterm", "spark-dark", "ansi-16"),
        ("xterm", "paper", "paper"),
        ("tmux-256color", "spark-dark", "spark-dark"),
    ],
)
def test_a_terminal_of_sixteen_colours_gets_a_theme_of_those(
    monkeypatch: pytest.MonkeyPatch, term: str, chosen: str, taken: str
) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.delenv("COLORTERM", raising=False)
    session = FakeSession({}, {})
    session.settings = Settings(theme=chosen)
    app = app_for(session, environ={"TERM": term})
    assert app.themes.theme.name == taken
