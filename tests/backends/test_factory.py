"""What the settings name is what is opened."""

from __future__ import annotations

import threading
from threading import Event as StopFlag

import pytest
from support.model_folder import write_model

from spark_tui.backends.base import FilePart, Request
from spark_tui.backends.factory import built_in_models, create_backend, create_remote
from spark_tui.config import paths
from spark_tui.config.settings import Settings
from spark_tui.engine import Engine
from spark_tui.engine.kernels import int8_products
from spark_tui.errors import ConfigError, NoBackend
from spark_tui.events import PrefillProgress, Token


def test_a_named_folder_is_opened_with_its_own_settings(tmp_path):
    backend = create_backend(Settings(model=str(write_model(tmp_path))))
    assert backend.name == tmp_path.name
    assert backend.window == 512
    assert (backend.dialect.max_lines, backend.dialect.gate.doubt) == (7, 0.25)
    events = list(
        backend.stream(Request("x", (FilePart("a.py", "x = 1\n"),), max_tokens=5), threading.Event())
    )
    assert [event for event in events if isinstance(event, Token)]
    backend.close()


@pytest.mark.parametrize("rest", ["off", "int8", "exact"])
def test_the_engines_settings_reach_it(tmp_path, monkeypatch, rest):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    compiled = []
    monkeypatch.setattr(int8_products, "missing", lambda: "")
    monkeypatch.setattr(Engine, "accelerate", lambda engine: compiled.append(engine) or True)
    settings = Settings(model=str(write_model(tmp_path)), cache_mb=16, rest=rest, fast=True)
    backend = create_backend(settings)
    try:
        pool = backend.engine.pool
        assert pool.n_pages * pool.page_bytes <= 16 << 20
        assert compiled == [backend.engine]
        files = [path.name for path in (tmp_path / "cache" / "spark" / "pages").glob("*.kv")]
        assert [name.rpartition("-")[2] for name in files] == {
            "off": [],
            "int8": ["i8.kv"],
            "exact": ["f32.kv"],
        }[rest]
    finally:
        backend.close()


def test_what_was_read_is_warm_at_the_next_start(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    settings = Settings(model=str(write_model(tmp_path)), rest="exact")
    lines = "".join(f"value_{number} = {'one + two - ' * 3}{number}\n" for number in range(6))
    reused, texts = [], []
    for text in (lines, lines, lines.replace("value_0", "other")):
        backend = create_backend(settings)
        asked = Request("make it shorter", files=(FilePart("a.py", text),), max_tokens=8)
        events = list(backend.stream(asked, StopFlag()))
        reused.append(
            max((event.reused for event in events if isinstance(event, PrefillProgress)), default=0)
        )
        texts.append([event.id for event in events if isinstance(event, Token)])
        backend.close()
    assert reused[0] == 0 and reused[1] >= 64
    assert reused[2] < 64, "what changed at its beginning is not taken for the same"
    assert texts[0] == texts[1]


def test_a_model_that_the_package_carries_is_the_default(tmp_path, monkeypatch):
    (tmp_path / "carried").mkdir()
    write_model(tmp_path / "carried")
    monkeypatch.setattr(paths, "models_dir", lambda: tmp_path)
    monkeypatch.setattr("spark_tui.engine.engine.MODELS", tmp_path)
    monkeypatch.setattr("spark_tui.backends.local.backend.MODELS", tmp_path)
    assert built_in_models() == ["carried"]
    backend = create_backend(Settings())
    assert backend.name == "carried"
    assert backend.dialect.max_lines == 7
    backend.close()
    demo = create_backend(Settings(), demo=True)
    assert demo.name == "carried", "the demo asks the model, too"
    demo.close()


def test_without_any_model_it_says_what_would_help(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "models_dir", lambda: tmp_path)
    with pytest.raises(NoBackend, match="has no built-in model"):
        create_backend(Settings())
    assert create_backend(Settings(), demo=True).name.startswith("replay")


def test_a_name_that_is_no_model_says_which_there_are():
    with pytest.raises(NoBackend, match="no model 'nobody'"):
        create_backend(Settings(model="nobody"))


def test_a_server_is_opened_with_its_formats_and_authority(tmp_path):
    pem = tmp_path / "ca.pem"
    pem.write_text("")
    backend = create_remote(
        Settings(
            connect="http://localhost:1/v1",
            model="ours/m",
            api="chat",
            formats={"m*": "udiff"},
            authority=str(pem),
        )
    )
    assert backend.format_for(Request("x")) == "udiff"
    assert backend._endpoint.authority == str(pem)
    backend.close()


def test_an_authority_that_is_not_there_is_named():
    with pytest.raises(ConfigError, match="no such file"):
        create_backend(Settings(connect="http://localhost:1/v1", authority="/nowhere/ca.pem"))
