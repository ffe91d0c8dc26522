"""Azure's endpoints: a query behind the address, a header of its own for the key, the model in the path."""

import pytest
from support.remote_turns import run
from support.scripted_model import Answer, ScriptedModel

from spark_tui.backends.remote import api_keys, presets
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.remote.transport import parse_address
from spark_tui.errors import ConfigError
from spark_tui.events import Token

DEPLOYMENT = "/openai/deployments/gpt-4o"
VERSION = "?api-version=2024-10-21"


@pytest.mark.parametrize("end", ["", "/", "/chat/completions"])
def test_a_deployment_is_asked_at_its_path_with_its_version_and_header(end):
    with ScriptedModel(Answer("x"), models=None) as server:
        address = server.url.removesuffix("/v1") + DEPLOYMENT + end + VERSION
        backend = RemoteBackend(address, key="secret-of-azure")
        assert [event.text for event in run(backend) if isinstance(event, Token)] == ["x"]
        path, headers, body = server.asked[-1]
        backend.close()
    assert path == f"{DEPLOYMENT}/chat/completions{VERSION}"
    assert headers["api-key"] == "secret-of-azure" and "Authorization" not in headers
    assert body["model"] == backend.model == "gpt-4o"
    assert backend.name.endswith("/gpt-4o") and "version" not in backend.name


def test_a_responses_websocket_has_the_query_too():
    with ScriptedModel(Answer("x"), websocket=True) as server:
        backend = RemoteBackend(server.url + VERSION, "m", key="", api="responses")
        assert [event.text for event in run(backend) if isinstance(event, Token)] == ["x"]
        assert server.asked[-1][0] == f"/v1/responses{VERSION}"
        backend.close()


@pytest.mark.parametrize(
    ("host", "query", "header"),
    [
        ("my.openai.azure.com", "", "api-key"),
        ("my.services.ai.azure.com", "", "api-key"),
        ("gateway.example.org", "api-version=preview", "api-key"),
        ("gateway.example.org", "version=2", ""),
        ("api.openai.com", "", ""),
        ("openai.azure.com.example.org", "", ""),
    ],
)
def test_the_header_of_the_key_is_that_of_the_host(host, query, header):
    assert presets.key_header_of(host, query) == header


def test_azures_key_goes_to_azures_hosts_only(monkeypatch):
    monkeypatch.delenv("SPARK_API_KEY", raising=False)
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "azures")
    assert api_keys.find_key("my.openai.azure.com") == "azures"
    assert api_keys.find_key("azure.com.example.org") == ""


def test_the_address_of_the_preset_is_to_be_filled_in():
    with pytest.raises(ConfigError, match="name of your resource"):
        parse_address(presets.find("azure").address)


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("https://my.services.ai.azure.com/models?api-version=2024-05-01", "/models"),
        ("https://my.services.ai.azure.com/models/chat/completions?api-version=2024-05-01", "/models"),
        ("https://api.example.org/chat/completions", ""),
        ("https://api.example.org/v1/models", "/v1"),
        ("https://api.example.org/", "/v1"),
    ],
)
def test_only_the_endpoint_is_left_out_of_a_path(address, path):
    assert parse_address(address).path == path
