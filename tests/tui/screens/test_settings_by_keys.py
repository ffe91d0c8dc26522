"""The settings screen: each value with where it comes from, changed in a file of one's choice, in force at
once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support.fake_session import CART, FakeSession
from support.workbench_app import bench, press, running, screen_text, settle
from textual.pilot import Pilot

from spark_tui.config import paths, settings
from spark_tui.tui.app import SparkApp
from spark_tui.tui.screens import settings_effects
from spark_tui.tui.screens.lists.settings_page import SettingsPage
from spark_tui.tui.screens.pickers.picker import Picker
from spark_tui.tui.settings import settings_list
from spark_tui.tui.settings.live_settings import kind_of
from spark_tui.tui.settings.startup import Startup

SIZE = (110, 34)
OWN = '# mine\n[ui]\ntheme = "fjord"  # cold\n'


def settings_app(
    root: Path, own: str = OWN, flags: Mapping[str, Any] | None = None
) -> tuple[SparkApp, FakeSession]:
    file = paths.user_config_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(own)

    def load() -> settings.LoadedSettings:
        return settings.load(root, flags=flags, environ={})

    loaded = load()
    session = FakeSession({"cart.py": CART}, {}, loaded.settings)
    start = Startup(
        session.root, loaded.settings, lambda: session, loaded.origin, load=load, shared_root=root
    )
    return SparkApp(start, environ={}), session


async def at(pilot: Pilot[Any], key: str, name: str = "") -> SettingsPage:
    """The page, with the keys on one entry."""
    await settle(pilot)
    if not isinstance(pilot.app.screen, SettingsPage):
        await press(pilot, "f5")
    page = pilot.app.screen
    assert isinstance(page, SettingsPage)
    page.go_to(next(n for n, e in enumerate(page.listing.entries) if (e.key, e.name) == (key, name)))
    await pilot.pause()
    return page


def own() -> str:
    return paths.user_config_file().read_text()


async def test_a_list_of_values_starts_on_the_one_in_force(tmp_path: Path) -> None:
    app, _ = settings_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await at(pilot, "ui.theme")
        await press(pilot, "enter")
        assert isinstance(app.screen, Picker)
        assert app.screen.rows.chosen is not None
        assert app.screen.rows.chosen.value == "fjord"


async def test_every_setting_stands_there_with_its_type_and_where_it_comes_from(tmp_path: Path) -> None:
    app, _ = settings_app(tmp_path, flags={"model.pace": "off"})
    async with app.run_test(size=(SIZE[0], 40)) as pilot:
        page = await at(pilot, "ui.theme")
        assert [e.key for e in page.listing.entries] == [key for key, _, _, _ in settings.documented()]
        text = screen_text(app)
        assert [line for line in text.split("\n") if "theme" in line and "fjord" in line and "yours" in line]
        assert [
            line
            for line in text.split("\n")
            if "pace" in line and "off" in line and "the command line" in line
        ]
        assert [
            line
            for line in text.split("\n")
            if "max_tokens" in line and "number" in line and "default" in line
        ]
        assert "the name of a theme file" in text
        assert "SPARK_UI_THEME" in text


async def test_the_model_that_the_wafer_panel_answers_for_counts_at_once(tmp_path: Path) -> None:
    app, _ = settings_app(tmp_path)
    async with running(app):
        await settings_effects.keep(bench(app), {"wafer.model": "llama-3.1-70b"})
        assert bench(app).wafer.model == "llama-3.1-70b"
        assert 'model = "llama-3.1-70b"' in own()


async def test_a_theme_is_chosen_worn_and_written_with_the_comment_kept(tmp_path: Path) -> None:
    app, _ = settings_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await at(pilot, "ui.theme")
        await press(pilot, "enter", *"ember", "enter")
        assert own() == OWN.replace("fjord", "ember")
        assert app.themes.theme.name == "ember"
        assert "saved in" in screen_text(app)


async def test_a_number_is_typed_and_counts_for_the_next_turn(tmp_path: Path) -> None:
    app, session = settings_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await at(pilot, "model.max_tokens")
        await press(pilot, "enter", "ctrl+u", *"77", "enter")
        assert own() == OWN + "\n[model]\nmax_tokens = 77\n"
        assert session.settings.max_tokens == 77


@pytest.mark.parametrize(
    ("key", "typed", "said"),
    [
        ("model.max_tokens", "many", "must be a whole number"),
        ("model.max_tokens", "0", "must be at least 1"),
        ("model.pace", "quick", "the pace cannot be"),
    ],
)
async def test_an_invalid_value_is_reported_and_not_written(
    tmp_path: Path, key: str, typed: str, said: str
) -> None:
    app, _ = settings_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await at(pilot, key)
        await press(pilot, "enter", "ctrl+u", *typed, "enter")
        assert said in screen_text(app)
        assert own() == OWN


async def test_yes_and_no_turn_and_a_value_is_taken_out_again(tmp_path: Path) -> None:
    app, _ = settings_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await at(pilot, "ui.mouse")
        await press(pilot, "enter")
        assert "mouse = false\n" in own()
        await press(pilot, "delete")
        assert own() == OWN
        assert bench(app).preferences.loaded.settings.mouse


async def test_the_repositorys_file_is_written_where_that_is_chosen_and_takes_no_server(
    tmp_path: Path,
) -> None:
    app, _ = settings_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await at(pilot, "edit.format")
        await pilot.press("tab")
        assert "the repository's file" in screen_text(app)
        await press(pilot, "enter", *"udiff", "enter")
        shared = paths.repository_config_file(tmp_path)
        assert shared.read_text() == '[edit]\nformat = "udiff"\n'
        assert own() == OWN
        await at(pilot, "model.connect")
        await press(pilot, "enter", *"http://evil/v1", "enter")
        assert "cannot be set in a repository" in screen_text(app)
        assert shared.read_text() == '[edit]\nformat = "udiff"\n'


async def test_a_key_is_rebound_at_once_and_its_pair_stands_in_the_list(tmp_path: Path) -> None:
    app, _ = settings_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await at(pilot, "keys")
        await press(pilot, "enter", *"theme", "space", "equals_sign", "space", "F", "8", "enter")
        assert own() == OWN + '\n[keys]\ntheme = "F8"\n'
        assert bench(app).keymap.shown("theme") == "F8"
        assert (await at(pilot, "keys", "theme")).entry.text == "F8"
        await press(pilot, "escape", "f8")
        assert app.themes.theme.name != "fjord"


async def test_what_goes_before_a_written_value_is_named(tmp_path: Path) -> None:
    app, _ = settings_app(tmp_path, flags={"ui.view": "split"})
    async with app.run_test(size=SIZE) as pilot:
        await at(pilot, "ui.view")
        await press(pilot, "enter", *"unif", "enter")
        assert "saved, but the command line overrides it" in screen_text(app)


async def test_esc_leaves_what_was_typed_then_the_page(tmp_path: Path) -> None:
    app, _ = settings_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await at(pilot, "model.name")
        await pilot.press("enter", *"xyz", "escape")
        assert isinstance(app.screen, SettingsPage)
        await pilot.press("escape")
        assert app.screen is bench(app)
        assert own() == OWN


def test_every_type_has_a_word_and_every_value_a_text() -> None:
    for entry in settings_list.entries(settings.LoadedSettings(settings.Settings(), {}, ())):
        assert kind_of(entry.key) in ("text", "number", "yes or no", "list", "table", "choice")
        if entry.kind != "table":
            again = settings_list.parsed(entry, entry.text)
            assert (tuple(again) if isinstance(again, list) else again) == entry.value


async def test_the_description_is_wrapped_again_when_the_terminal_gets_another_size(tmp_path: Path) -> None:
    app, _ = settings_app(tmp_path)
    async with running(app, size=(160, 34)) as pilot:
        page = await at(pilot, "edit.max_file_bytes")
        for width in (60, 160):
            await pilot.resize_terminal(width, 34)
            await settle(pilot)
            words = "".join(text for text, _ in settings_list.about(page.entry, width)[0])
            assert words.strip() in screen_text(app)


@pytest.mark.parametrize("keys", [tuple("theme"), ("slash", *"mouse")])
async def test_letters_find_a_setting(tmp_path: Path, keys: tuple[str, ...]) -> None:
    app, _ = settings_app(tmp_path)
    async with running(app, SIZE) as pilot:
        page = await at(pilot, "model.name")
        await press(pilot, *keys)
        assert isinstance(app.screen, Picker)
        assert "`" not in screen_text(app)
        await press(pilot, "enter")
        assert app.screen is page
        assert page.entry.key == f"ui.{''.join(keys[-5:])}"


@pytest.mark.parametrize("size", [(80, 24), SIZE])
async def test_no_name_of_a_setting_is_cut_off(tmp_path: Path, size: tuple[int, int]) -> None:
    app, _ = settings_app(tmp_path)
    async with running(app, size) as pilot:
        page = await at(pilot, "model.name")
        for entry in page.listing.entries:
            row = settings_list.row(entry, None, size[0], False, {})
            assert entry.key.rpartition(".")[2] in row[2][0]


async def test_a_narrow_screen_shows_the_values_too(tmp_path: Path) -> None:
    app, _ = settings_app(tmp_path)
    async with running(app, (40, 14)) as pilot:
        await at(pilot, "model.max_tokens")
        assert "max_tokens          2048" in screen_text(app)


async def test_the_check_that_was_set_is_the_one_that_f9_runs(tmp_path: Path) -> None:
    app, _ = settings_app(tmp_path)
    async with running(app, SIZE) as pilot:
        await at(pilot, "check.command")
        await press(pilot, "enter", *"true", "enter", "escape", "f9")
        assert "check true" in screen_text(app)
