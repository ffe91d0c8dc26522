from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from spark_tui.tui.settings.keys import _SHARING, ACTIONS, keymap, parse_key, shown

DOCS = Path(__file__).parents[3] / "docs" / "keys.md"


def test_no_two_actions_of_the_same_place_share_a_key() -> None:
    for action in ACTIONS:
        for other in ACTIONS:
            if action.id < other.id and other.place == action.place:
                assert not set(action.keys) & set(other.keys), (action.id, other.id)


def test_a_key_that_counts_anywhere_is_hidden_only_on_purpose() -> None:
    hidden = {
        (a.id, b.id, key)
        for a in ACTIONS
        for b in ACTIONS
        for key in set(a.keys) & set(b.keys)
        if a.place == "anywhere" and b.place != "anywhere"
    }
    assert hidden == set()


def test_a_rebound_action_has_its_new_key_and_not_the_old() -> None:
    keys = keymap({"accept": "Ctrl+T, y"})
    assert keys.action("code", "ctrl+t") == "accept"
    assert keys.action("code", "a") is None
    assert keys.shown_all("accept") == "Ctrl+T y"
    assert keys.shown_all("rename") == "/rename", "what has no key is reached by its command"
    assert keys.problems == ()


def test_a_rebinding_takes_its_key_away_from_a_default() -> None:
    keys = keymap({"accept": "n"})
    assert keys.action("code", "n") == "accept"
    assert keys.keys["hunk.next"] == ()


def test_a_conflict_of_two_rebindings_is_reported_and_the_first_gets_the_key() -> None:
    keys = keymap({"accept": "x", "reject": "x"})
    assert keys.action("code", "x") == "accept"
    assert keys.action("code", "r") == "reject"
    assert keys.problems == ("x cannot be bound to `reject`: it is bound to `accept`",)


def test_the_same_key_at_two_places_is_no_conflict() -> None:
    keys = keymap({"prompt.search": "ctrl+t", "resume": "ctrl+t"})
    assert keys.problems == ()
    assert keys.action("prompt", "ctrl+t") == "prompt.search"
    assert keys.action("code", "ctrl+t") == "resume"


def test_stop_keeps_its_key_whatever_is_rebound() -> None:
    keys = keymap({"stop": "x", "accept": "escape"})
    assert keys.action("code", "escape") == "stop"
    assert keys.action("prompt", "escape") == "stop"
    assert len(keys.problems) == 2


def test_an_unknown_action_suggests_the_nearest() -> None:
    assert keymap({"acept": "x"}).problems == ("there is no action `acept`; did you mean `accept`?",)


def test_what_is_no_key_is_reported_and_the_default_stays() -> None:
    keys = keymap({"accept": "hyper+banana"})
    assert keys.action("code", "a") == "accept"
    assert "is not a key" in keys.problems[0]


def test_an_empty_rebinding_takes_the_key_away() -> None:
    assert keymap({"theme": ""}).keys["theme"] == ()


@given(st.sampled_from(sorted({key for action in ACTIONS for key in action.keys})))
def test_a_key_as_it_is_shown_can_be_written_in_the_settings(key: str) -> None:
    assert parse_key(shown(key)) == key


@given(
    st.dictionaries(st.sampled_from([a.id for a in ACTIONS] + ["nothing"]), st.text("abn.,+ctrl", max_size=8))
)
def test_no_rebinding_leaves_two_actions_on_one_key(rebound: dict[str, str]) -> None:
    keys = keymap(rebound).keys
    by_id = {action.id: action for action in ACTIONS}
    for one, its in keys.items():
        for other, others in keys.items():
            if one < other and by_id[other].place == by_id[one].place:
                assert not set(its) & set(others)
            if one != other and one in rebound and by_id[other].place in _SHARING[by_id[one].place]:
                assert other in rebound or not set(its) & set(others)


def test_every_action_is_documented_with_its_keys() -> None:
    documented = re.findall(
        r"^\| `([\w.]+)` \| (.*?) \| (.*?) \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE
    )
    keys = keymap()
    assert documented == [(a.id, keys.shown_all(a.id), a.help) for a in ACTIONS]
