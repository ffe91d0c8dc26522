"""The imports that a definition takes along when it moves to another file."""

from __future__ import annotations

import pytest
from codemods.repositories import plan, texts_after

NEW = "move_definition web.net.client.Client web/net/_client.py"
CLIENT = """from __future__ import annotations

import ssl

from ..errors import Lost
from .base import Stream


class Client(Stream):
    def read(self, limit: int | None = None) -> Client:
        raise Lost(ssl.OPENSSL_VERSION)


def open_client():
    return Client()
"""


def web(client: str = CLIENT) -> dict[str, str]:
    return {
        "web/__init__.py": "",
        "web/errors.py": "class Lost(Exception):\n    pass\n",
        "web/net/__init__.py": "from web.net.client import open_client\n",
        "web/net/base.py": "class Stream:\n    pass\n",
        "web/net/client.py": client,
    }


def test_a_new_file_imports_from_its_package_as_the_old_one() -> None:
    texts = texts_after(NEW, web())
    head = CLIENT[: CLIENT.index("def open_client")].rstrip("\n")
    assert texts["web/net/_client.py"] == f"{head}\n"
    assert "from ._client import Client\n" in str(texts["web/net/client.py"])


@pytest.mark.parametrize("taken", ["from ..errors import Lost\n", "from __future__ import annotations\n\n"])
def test_what_the_old_file_does_not_do_a_new_one_does_not(taken: str) -> None:
    client = CLIENT.replace(taken, "from web.errors import Lost\n" if "Lost" in taken else "")
    texts = texts_after(NEW, web(client))
    absolute = "Lost" in taken
    assert ("from web.net._client import Client\n" in str(texts["web/net/client.py"])) is absolute
    assert ("__future__" in str(texts["web/net/_client.py"])) is absolute


@pytest.mark.parametrize(("oldest", "marked"), [("3.8", True), ("3.10", False)])
def test_annotations_that_are_evaluated_where_it_moves_are_named_if_they_fail(
    oldest: str, marked: bool
) -> None:
    project = {"pyproject.toml": f'[project]\nname = "web"\nrequires-python = ">={oldest}"\n'}
    client = CLIENT.replace("-> Client", "-> int")
    for base, ahead in (("", ""), ("from __future__ import annotations\n\n", "ahead")):
        files = {**web(client), **project, "web/more.py": f"{base}LIMIT = 1\n"}
        found = plan("move_definition web.net.client.Client web/more.py", files).unfollowed
        assert any("`X | Y`" in one.reason for one in found) is (marked and not ahead)
