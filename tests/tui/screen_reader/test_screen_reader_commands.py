from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from support.fake_session import FakeBackend, FakeSession

from spark_tui.backends import model_catalog
from spark_tui.backends.model_catalog import ModelOffer
from spark_tui.config import paths
from spark_tui.config import settings as config
from spark_tui.config.settings import Settings
from spark_tui.errors import NoBackend
from spark_tui.tui.screen_reader.commands import ModelCommands
from spark_tui.tui.settings.live_settings import LiveSettings

NEAR, FAR = (
    ModelOffer("small", "spark, 5.8M weights"),
    ModelOffer("large", "llama", connect="http://desk:8000/v1", model="large"),
)


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def session() -> FakeSession:
    return FakeSession({}, {})


@pytest.fixture
def tell(
    session: FakeSession, said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], list[str]]:
    """Say something, and get what is answered."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(model_catalog, "local_models", lambda settings: [NEAR])
    monkeypatch.setattr(model_catalog, "server_models", lambda settings, address: [FAR])

    def open_it(settings: Settings, progress: object) -> Any:
        if settings.model == "broken":
            raise NoBackend("it has no weights")
        return FakeBackend(settings.model or "small")

    preferences = LiveSettings(config.load(None), lambda: config.load(None), None)
    words = ModelCommands(session, said.append, preferences, open_it).words

    def say(text: str) -> list[str]:
        said.clear()
        word, _, rest = text.partition(" ")
        words[word](rest)
        return list(said)

    return say


def test_models_are_numbered_and_a_number_continues_with_one(
    tell: Callable[[str], list[str]], session: FakeSession
) -> None:
    session.settings = replace(session.settings, servers={"desk": "http://desk:8000/v1"})
    assert tell("/model") == [
        "Asking desk:8000.",
        "1: small, spark, 5.8M weights, in use.",
        "2: large, llama.",
        "Say /model and a number to switch to one.",
    ]
    assert tell("/model 2") == ["Loading large.", "large answers from now on."]
    assert session.backend.name == "large"
    assert session.settings.connect == "http://desk:8000/v1"
    assert tell("/model smal")[-1] == "small answers from now on."


def test_a_server_is_asked_for_its_models(tell: Callable[[str], list[str]]) -> None:
    assert tell("/connect desk:8000")[:2] == ["Asking desk:8000.", "1: large, llama."]


def test_a_model_that_cannot_be_opened_leaves_the_one_before(
    tell: Callable[[str], list[str]], session: FakeSession
) -> None:
    with pytest.raises(NoBackend):
        tell("/set model.name broken")
    assert session.backend.name == "fake-12m"


def test_a_setting_is_said_changed_and_taken_out(
    tell: Callable[[str], list[str]], session: FakeSession
) -> None:
    assert tell("/settings ui.view")[0].startswith("ui.view: auto, choice, default.")
    assert tell("/set ui.view split") == ["Saved in your settings."]
    assert session.settings.view == "split"
    assert 'view = "split"' in paths.user_config_file().read_text()
    tell("/set keys accept = y")
    assert session.settings.keys == {"accept": "y"}
    tell("/unset ui.view")
    assert session.settings.view == "auto"


def test_every_word_is_in_the_help(said: list[str], session: FakeSession) -> None:
    preferences = LiveSettings(config.load(None), lambda: config.load(None), None)
    words = ModelCommands(session, said.append, preferences).words
    told = files("spark_tui.tui.screen_reader").joinpath("help.txt").read_text("utf-8")
    assert set(words) <= {line.split()[0] for line in told.splitlines()}
