"""A message that only says that a file goes deletes it, and nothing else."""

from __future__ import annotations

import pytest
from intent.support import PATH, situation

from spark_tui.codemods.families.names.deleted_files import DeleteFile
from spark_tui.intent.answering.answer import answer
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import RepositoryRoles

FILES = {PATH: "import sys\n\n\ndef main():\n    print(sys.argv)\n", "tool.py": "def load():\n    return 1\n"}
FILES["shop/old.py"] = ""


def answered(said: str) -> Answer:
    where = situation(FILES, path=PATH, instruction=said)
    return answer(said, Reader.load(), where, RepositoryRoles().of(where.repo.index, (PATH,)))


@pytest.mark.parametrize(
    "said",
    [
        "delete tool.py",
        "remove the module tool.py",
        "Delete the file `tool.py`.",
        "please get rid of the tool.py file",
        "supprimer le fichier tool.py",
        "lösche die Datei tool.py",
    ],
)
def test_a_file_that_alone_is_to_go_is_deleted(said: str) -> None:
    found = answered(said)
    assert [way.calls for way in found.ways[:1]] == [(DeleteFile("tool.py"),)]
    assert found.kind == "edit"


def test_a_module_that_is_named_without_its_ending_goes_unless_it_is_imported() -> None:
    for said in ("remove module tool", "delete the tool module"):
        assert answered(said).ways[0].calls == (DeleteFile("tool.py"),)
    imports = ("remove the import of tool", "remove module tool import", "remove file tool from the imports")
    for said in ("remove module json", "remove module sys", *imports):
        assert not answered(said).ways


def test_of_two_files_both_go() -> None:
    found = answered("delete tool.py and shop/old.py")
    assert found.kind == "edit"
    assert set(found.ways[0].calls) == {DeleteFile("tool.py"), DeleteFile("shop/old.py")}


@pytest.mark.parametrize(
    "said",
    [
        "delete load from tool.py",
        "remove the print in tool.py",
        "delete line 1 of tool.py",
        "stop tool.py",
        "strip tool.py",
        "tool.py",
    ],
)
def test_what_goes_from_a_file_is_not_the_file(said: str) -> None:
    calls = [call for way in answered(said).ways for call in way.calls]
    assert not any(isinstance(call, DeleteFile) for call in calls)


def test_a_file_that_is_not_there_is_not_deleted() -> None:
    assert not answered("delete the file tools.py").ways
