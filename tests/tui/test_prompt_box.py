from __future__ import annotations

import pytest
from support.fake_session import CART, FakeSession
from support.workbench_app import SIZE, answered, app_for, bench, press, running, screen_text, settle
from textual.events import AppBlur, Key
from textual.events import Paste as TextualPaste

from spark_tui.tui.app import SparkApp
from spark_tui.tui.screens.pickers.picker import Picker


async def test_at_opens_the_files_and_puts_the_chosen_one_in(app: SparkApp) -> None:
    async with running(app) as pilot:
        await press(pilot, "s", "e", "e", "space", "@")
        await press(pilot, "r", "d", "m", "enter")
        assert bench(app).prompt.text == "see @README.md "


async def test_an_at_inside_a_word_opens_nothing(app: SparkApp) -> None:
    async with running(app) as pilot:
        await press(pilot, "m", "e", "@")
        assert app.screen is bench(app)
        assert bench(app).prompt.text == "me@"


async def test_slash_finds_a_command_and_does_it(app: SparkApp) -> None:
    async with running(app) as pilot:
        await press(pilot, "/")
        await press(pilot, *"unchanged", "enter")
        assert bench(app).code.folded
        assert bench(app).prompt.text == ""


async def test_the_whole_name_of_a_command_is_that_command(app: SparkApp) -> None:
    async with running(app) as pilot:
        await press(pilot, "/", *"theme")
        assert isinstance(app.screen, Picker)
        assert [choice.label for choice in app.screen.rows.found[:2]] == ["/theme", "/theme mono"]


async def test_leaving_the_commands_leaves_the_prompt_as_it_was(app: SparkApp) -> None:
    async with running(app) as pilot:
        await press(pilot, "/", "r", "escape")
        assert app.screen is bench(app)
        assert bench(app).prompt.text == ""


async def test_a_path_behind_a_slash_goes_into_the_prompt(app: SparkApp) -> None:
    async with running(app) as pilot:
        await press(pilot, "/", *"etc/hosts", "enter", *"?")
        assert bench(app).prompt.text == "/etc/hosts?"


@pytest.mark.parametrize("name", ["undo", "discard"])
async def test_a_name_of_no_command_does_nothing_whose_letters_are_strewn_alike(
    name: str, app: SparkApp
) -> None:
    async with running(app) as pilot:
        bench(app).controller.review.can_redo = True  # the help of /redo names the undo
        await press(pilot, "/", *name)
        assert isinstance(app.screen, Picker)
        row = app.screen.rows.found[0]
        assert (row.label, row.detail) == (
            f"/{name}",
            {"undo": "not possible now", "discard": "no command"}[name] + ": into the prompt",
        )
        await press(pilot, "enter")
        assert bench(app).prompt.text == f"/{name}"


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("stats zz", "no command"),
        ("quit now", "no such argument"),
        ("commit x", "not possible now"),
        ("connect a b", "no such argument"),
    ],
)
async def test_a_command_that_cannot_be_like_this_leaves_its_list(
    typed: str, why: str, app: SparkApp
) -> None:
    async with running(app) as pilot:
        await press(pilot, "/", *("space" if letter == " " else letter for letter in typed))
        assert isinstance(app.screen, Picker)
        assert app.screen.rows.found[0].detail == f"{why}: into the prompt"
        await press(pilot, "enter")
        assert app.screen is bench(app)
        assert bench(app).prompt.text == f"/{typed}"


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ("/stats", "there is no command /stats"),
        ("/stats zz", "there is no command /stats"),
        ("/quit now", "/quit does not take now"),
        ("/theme zz", "there is no theme `zz`: there are "),
        ("/undo", "nothing was written in this session"),
    ],
)
async def test_a_command_that_is_sent_as_a_prompt_is_no_instruction(
    sent: str, said: str, app: SparkApp, session: FakeSession
) -> None:
    async with running(app) as pilot:
        bench(app).prompt.insert(sent)
        await press(pilot, "enter")
        assert said in screen_text(app)
        assert not [call for call in session.calls if call[0] == "turn"]


async def test_a_sentence_that_begins_with_a_path_is_an_instruction(
    app: SparkApp, session: FakeSession
) -> None:
    async with running(app) as pilot:
        bench(app).prompt.insert("/stats returns 404 for a missing id")
        await press(pilot, "enter")
        assert [call for call in session.calls if call[0] == "turn"]


async def test_a_command_with_a_slash_of_its_own_is_found_in_the_list(app: SparkApp) -> None:
    async with running(app) as pilot:
        await press(pilot, "/", *"/theme")
        assert isinstance(app.screen, Picker)
        assert app.screen.rows.found[0].label == "/theme"


async def test_a_command_that_would_do_nothing_now_is_found_and_says_why(app: SparkApp) -> None:
    async with running(app) as pilot:
        await press(pilot, "ctrl+p", *"undo")
        assert isinstance(app.screen, Picker)
        assert "not now" in app.screen.rows.found[0].detail
        await press(pilot, "enter")
        assert "nothing was written in this session; /sessions opens an earlier one" in screen_text(app)


async def test_a_theme_is_found_by_name(app: SparkApp) -> None:
    async with running(app) as pilot:
        await press(pilot, "ctrl+p")
        await press(pilot, *"ember", "enter")
        assert app.themes.theme.name == "ember"


async def test_draft_and_history_outlive_the_screen(session: FakeSession) -> None:
    first = app_for(session)
    async with first.run_test(size=SIZE) as pilot:
        await answered(pilot)
        await pilot.press("h", "a", "l", "f")
    second = app_for(FakeSession({"cart.py": CART}, {}))
    async with running(second) as pilot:
        assert bench(second).prompt.text == "half"
        await pilot.press("alt+up")
        assert bench(second).prompt.text == "guard it"
        await pilot.press("alt+down")
        assert bench(second).prompt.text == "half"
        await press(pilot, "ctrl+r")
        await press(pilot, *"guar", "enter")
        assert bench(second).prompt.text == "guard it"


async def test_an_arrow_goes_to_earlier_prompts_where_it_cannot_move_the_cursor(session: FakeSession) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        await answered(pilot, "one")
        await answered(pilot, "two")
        await press(pilot, "h", "a", "ctrl+j", "l", "f", "up")
        assert bench(app).prompt.text == "ha\nlf"
        await pilot.press("up")
        assert bench(app).prompt.text == "two"
        await pilot.press("up")
        assert bench(app).prompt.text == "one"
        await press(pilot, "down", "down")
        assert bench(app).prompt.text == "ha\nlf"


async def test_messages_that_come_back_after_a_restart_leave_the_draft(session: FakeSession) -> None:
    async with running(app_for(session)) as pilot:
        await pilot.press("h", "a", "l", "f")
    again = FakeSession({"cart.py": CART}, {})
    again.outbox.give_back(again.outbox.accept("queued", "queue"))
    second = app_for(again)
    async with running(second) as pilot:
        assert bench(second).prompt.text == "queued\nhalf"


async def test_a_large_paste_is_attached_and_sent_whole(session: FakeSession, app: SparkApp) -> None:
    pasted = "".join(f"line {n}\r\n" for n in range(40))
    async with running(app) as pilot:
        await pilot.press("x")
        app.post_message(TextualPaste(pasted))
        await settle(pilot)
        assert bench(app).prompt.text == "x[paste 1: 40 lines]"
        await press(pilot, "enter")
        sent = session.calls[0][1]
        assert "line 0\nline 1\n" in sent
        assert "line 39\n" in sent
        assert "› x[paste: 40 lines]" in screen_text(app)
        assert "line 39" not in screen_text(app)
        await pilot.press("alt+up")
        assert bench(app).prompt.text == "x[paste 1: 40 lines]", "a text that comes back is attached again"
        assert bench(app).prompt.draft.count("line 39") == 1


@pytest.mark.parametrize("key", ["backspace", "ctrl+w"])
async def test_what_is_attached_is_deleted_as_a_whole(session: FakeSession, app: SparkApp, key: str) -> None:
    async with running(app) as pilot:
        await press(pilot, "x", "space")
        app.post_message(TextualPaste("line\n" * 40))
        await settle(pilot)
        assert bench(app).prompt.text == "x [paste 1: 40 lines]"
        await press(pilot, key, "y", "enter")
        assert session.calls[-1][1] == "x y"


async def test_a_paste_arrives_while_the_terminal_has_not_the_focus(app: SparkApp) -> None:
    async with running(app) as pilot:
        app.post_message(AppBlur())
        await settle(pilot)
        app.post_message(TextualPaste("rename it"))
        await settle(pilot)
        assert bench(app).prompt.text == "rename it"


async def test_no_key_of_the_prompt_is_promised_in_the_code(app: SparkApp) -> None:
    async with running(app) as pilot:
        await press(pilot, *"rename it")
        assert "Enter send" in screen_text(app)
        await press(pilot, "tab")
        assert "Enter send" not in screen_text(app)


async def test_a_small_paste_shows_its_controls_as_marks(app: SparkApp) -> None:
    async with running(app) as pilot:
        app.post_message(TextualPaste("a\x1b[2Jb"))
        await settle(pilot)
        assert bench(app).prompt.text == "a␛[2Jb"


async def test_what_is_typed_is_read_ahead_with_the_place_that_is_looked_at(
    session: FakeSession, app: SparkApp
) -> None:
    async with running(app) as pilot:
        await bench(app).open_file.show_file("cart.py")
        bench(app).code.go_to(13)
        await press(pilot, "a", "b")
        assert session.warmed == [("a", "cart.py", None, 14), ("ab", "cart.py", None, 14)]
        await press(pilot, "enter")
        assert session.looked_at == (None, 14)


async def test_backspace_stays_in_order_with_the_keys_after_it(app: SparkApp) -> None:
    async with running(app) as pilot:
        prompt = bench(app).prompt
        for key in ("x", "backspace", "y", "z"):
            prompt.post_message(Key(key, key if len(key) == 1 else None))
        await settle(pilot)
        assert prompt.text == "yz"


async def test_what_was_pasted_is_read_ahead_as_it_is_sent(session: FakeSession, app: SparkApp) -> None:
    async with running(app) as pilot:
        app.post_message(TextualPaste("\n".join(f"line {n}" for n in range(40))))
        await settle(pilot)
        assert "[paste 1: 40 lines]" in bench(app).prompt.text
        assert "line 39" in session.warmed[-1][0]


async def test_tab_with_a_draft_keeps_it_and_goes_to_the_code_while_nothing_runs(
    session: FakeSession, app: SparkApp
) -> None:
    async with running(app) as pilot:
        await press(pilot, "a", "tab")
        assert bench(app).focused is bench(app).code
        assert bench(app).prompt.text == "a"
        assert session.calls == []


async def test_keys_after_a_slash_are_for_the_commands_however_fast_they_come(session: FakeSession) -> None:
    app = app_for(session)
    async with running(app) as pilot:
        prompt = bench(app).prompt
        for key in ("/", "h", "e", "l", "p"):
            prompt.post_message(Key(key, key))
        await settle(pilot)
        assert isinstance(app.screen, Picker)
        assert "command › help" in screen_text(app)
        assert prompt.text == ""
        await pilot.press("escape")
        assert prompt.text == ""
        assert not [call for call in session.calls if call[0] == "turn"]


async def test_ctrl_z_in_an_empty_prompt_goes_to_the_shell_and_else_takes_typing_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = app_for(FakeSession({"cart.py": CART}, {}))
    suspended = list[str]()
    monkeypatch.setattr(app, "action_suspend", lambda: suspended.append("to the shell"))
    async with running(app) as pilot:
        await pilot.press("h", "i", "ctrl+u")
        assert bench(app).prompt.text == ""
        await press(pilot, "ctrl+z")
        assert (bench(app).prompt.text, suspended) == ("hi", [])
        await press(pilot, "enter")
        await press(pilot, "ctrl+z")
        assert suspended == ["to the shell"]


@pytest.mark.parametrize("size", [(40, 12), (60, 16), (80, 24), (120, 40)])
@pytest.mark.parametrize("keys", [(), ("f2",)])
async def test_of_a_long_prompt_the_end_is_in_view(
    app: SparkApp, size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    async with app.run_test(size=size) as pilot:
        bench(app).prompt.insert("\n".join("abcdefghijk"))
        await settle(pilot)
        await press(pilot, *keys)
        await settle(pilot)
        lines = screen_text(app).split("\n")
        assert lines[-3].strip() == "k" or lines[-3].startswith(" › k")
        assert "/ commands" in lines[-1] or "Ctrl+J" in lines[-1]
