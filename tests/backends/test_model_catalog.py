"""What could be used is listed with what it is; a broken model does not hide the others."""

from __future__ import annotations

import pytest
from support.model_folder import write_model

from spark_tui.backends import model_catalog
from spark_tui.backends.model_catalog import ModelOffer
from spark_tui.config import paths
from spark_tui.config.settings import Settings


@pytest.fixture(autouse=True)
def _no_built_in(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "models_dir", lambda: tmp_path / "built-in")


def model(folder):
    folder.mkdir(parents=True)
    return write_model(folder)


def test_folders_and_the_named_model_are_offered_once(tmp_path):
    mine = model(tmp_path / "mine" / "alpha")
    named = model(tmp_path / "elsewhere" / "beta")
    (tmp_path / "mine" / "broken").mkdir()
    (tmp_path / "mine" / "broken" / "config.json").write_text("{}")
    offers = model_catalog.local_models(
        Settings(model=str(named), folders=(str(tmp_path / "mine"), str(tmp_path / "mine")))
    )
    assert [(o.name, o.usable) for o in offers] == [("beta", True), ("alpha", True), ("broken", False)]
    assert "weights, window 512" in offers[0].what
    assert offers[2].what.startswith("cannot be used")
    assert offers[0].is_of(Settings(model=str(named)))
    assert offers[1].settings(Settings(connect="http://x/v1", pace="off")) == Settings(
        model=str(mine), pace="off"
    )


def test_the_first_built_in_model_is_the_one_without_a_name(tmp_path):
    model(tmp_path / "built-in" / "first")
    model(tmp_path / "built-in" / "second")
    assert [(o.name, o.where, o.model) for o in model_catalog.local_models(Settings())] == [
        ("first", "built in", ""),
        ("second", "built in", "second"),
    ]
    offers = model_catalog.local_models(Settings(model="first"))
    assert [o.model for o in offers] == ["first", "second"]
    assert offers[0].is_of(Settings(model="first"))


def test_a_recording_in_use_can_be_come_back_to():
    offers = model_catalog.local_models(Settings(replay="recordings"))
    assert [(o.name, o.replay) for o in offers] == [("recordings", "recordings")]


def test_the_connected_server_comes_first_and_each_only_once():
    servers = {"desk": "http://desk:1/v1", "lab": "http://lab:1/v1"}
    assert model_catalog.known_servers(Settings(connect="http://lab:1/v1", servers=servers)) == [
        ("lab", "http://lab:1/v1"),
        ("desk", "http://desk:1/v1"),
    ]
    assert model_catalog.server_label("http://desk:8000/v1") == "desk:8000"


def test_a_server_that_lists_nothing_is_not_what_is_in_use():
    gone = ModelOffer("desk:8000", "cannot connect", "http://desk:8000/v1", usable=False)
    assert not gone.is_of(Settings())
    assert ModelOffer("spark-6m", "built in").is_of(Settings())
