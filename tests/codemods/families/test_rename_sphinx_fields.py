"""A rename follows into fields, lists and directives of docstrings, as Sphinx looks names up."""

from __future__ import annotations

import pytest

from spark_tui.codemods.plan import Plan
from spark_tui.codemods.registry import parse
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

BANK = '''\
class Full(Exception):
    pass


class Account:
    """An account.

    .. autosummary::
       :toctree:

       put
       ~Account.take

    .. automethod:: put
    """

    class Full:
        pass

    def put(self, slip):
        """Put it there: Full, or put.

        .. function:: put

        :param Full slip: no Full there
        :param Account owner: its Account
        :type other: list[Account] or Full
        :raises bank.Full: when Full
        :rtype: the Account that is Full
        """

    def take(self):
        pass


def put(slip):
    """Put it.

    :type slip: Account, or put
    :raises Full, ValueError: often
    :rtype: Account | None
    :returns: Account
    """
'''
OTHER = '''\
class Full:
    """Another one.

    :rtype: Full
    """


def fill():
    """:raises bank.Full: at last

    :raises Account: found in the only module that has it
    """
'''
DOCUMENT = """\
.. currentmodule:: bank

.. autosummary::
   :nosignatures:

   Account
   Account.put
   bank.put
   other.Full

Account

.. function:: put(slip)

   :param Account slip: one
   :raises Full: always
"""
FILES = {"bank.py": BANK, "other.py": OTHER, "docs/api.rst": DOCUMENT}


@pytest.mark.parametrize(
    ("line", "replaced"),
    [
        (
            "rename bank.py::Account Client",
            {
                "bank.py": {
                    "class Account": "class Client",
                    "~Account.take": "~Client.take",
                    ":param Account": ":param Client",
                    "list[Account]": "list[Client]",
                    "slip: Account,": "slip: Client,",
                    ":rtype: Account |": ":rtype: Client |",
                },
                "other.py": {":raises Account": ":raises Client"},
                "docs/api.rst": {
                    "   Account\n   Account.put": "   Client\n   Client.put",
                    ":param Account": ":param Client",
                },
            },
        ),
        (
            "rename bank.py::Full Busy",
            {
                "bank.py": {
                    "class Full(": "class Busy(",
                    "raises bank.Full": "raises bank.Busy",
                    ":raises Full, V": ":raises Busy, V",
                },
                "other.py": {"raises bank.Full": "raises bank.Busy"},
                "docs/api.rst": {":raises Full": ":raises Busy"},
            },
        ),
        (
            "rename bank.py::Account.put add",
            {
                "bank.py": {
                    "       put\n": "       add\n",
                    "automethod:: put": "automethod:: add",
                    "def put(self": "def add(self",
                    "function:: put": "function:: add",
                },
                "docs/api.rst": {"Account.put": "Account.add"},
            },
        ),
        (
            "rename bank.py::put add",
            {
                "bank.py": {"def put(slip": "def add(slip"},
                "docs/api.rst": {"bank.put": "bank.add", "function:: put": "function:: add"},
            },
        ),
    ],
)
def test_fields_lists_and_directives_of_docstrings_follow(
    line: str, replaced: dict[str, dict[str, str]]
) -> None:
    repo = Repository(DictTree(FILES))
    plan = parse(line).plan(repo)
    assert isinstance(plan, Plan)
    wanted = dict(FILES)
    for path, changes in replaced.items():
        for old, now in changes.items():
            assert old in wanted[path]
            wanted[path] = wanted[path].replace(old, now)
    assert {**FILES, **plan.texts(repo)} == wanted
