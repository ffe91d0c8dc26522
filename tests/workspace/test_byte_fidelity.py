"""Bytes outside of the edit are the same afterwards, whatever the file is made of."""

import itertools

import pytest
from support.named_cases import case_named

from spark_tui.config.settings import Settings
from spark_tui.edits.hunk_builder import rewrite
from spark_tui.edits.parser import Parser
from spark_tui.errors import Misfit, Refused
from spark_tui.session.tree.decided_text import merge_changed_file, wanted_files
from spark_tui.workspace.apply import apply, plan
from spark_tui.workspace.files import FileText, Tree

ENDINGS = {"lf": [b"\n"], "crlf": [b"\r\n"], "cr": [b"\r"], "mixed": [b"\n", b"\r\n", b"\r"]}
WORDS = {
    "utf-8": "naïve – 日本".encode(),
    "latin-1": "caf\xe9 \xfcber".encode("latin-1"),
    "cp1252": "\x93quoted\x94 \x96 caf\xe9".encode("latin-1"),
    "gb18030": "中文注释在这里".encode("gb18030"),
    "invalid": "naïve \udcff\udc80 日本語".encode("utf-8", "surrogateescape"),
}
NEW = {
    "utf-8": "neu – 本",
    "latin-1": "sch\xf6n",
    "cp1252": "\u201cneu\u201d",
    "gb18030": "新的一行",
    "invalid": "ascii and \xe9",
}
MARKED = (*((encoding, False) for encoding in WORDS), ("utf-8", True), ("invalid", True))
"""A byte order mark says that it is UTF-8."""


def lines_of(ending, encoding, final):
    endings = ENDINGS[ending]
    contents = [
        b"first \t",
        WORDS[encoding],
        b"\ttabs and  ",
        b"",
        b"to be replaced",
        b"after",
        WORDS[encoding],
        b"end",
    ]
    lines = [content + endings[k % len(endings)] for k, content in enumerate(contents)]
    if not final:
        lines[-1] = lines[-1].rstrip(b"\r\n")
    return lines


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(("encoding", "bom"), MARKED)
def test_one_edit_changes_one_line_and_nothing_else(tmp_path, ending, encoding, bom):
    for number, rest in enumerate(itertools.product((True, False), (0o644, 0o755), (True, False))):
        with case_named("final, mode, link:", *rest):
            check_one_edit(tmp_path / f"{number}", ending, bom, encoding, *rest)


def check_one_edit(place, ending, bom, encoding, final, mode, link):
    root = place / "root"
    root.mkdir(parents=True)
    lines = lines_of(ending, encoding, final)
    mark = b"\xef\xbb\xbf" if bom else b""
    target = root / ("real.txt" if link else "file.txt")
    target.write_bytes(mark + b"".join(lines))
    target.chmod(mode)
    if link:
        (root / "file.txt").symlink_to("real.txt")
    tree = Tree(root)
    parser = Parser("search_replace", tree.read_lines)
    text = "file.txt\n```\n<<<<<<< SEARCH\nto be replaced\n=======\n{}\nand more\n>>>>>>> REPLACE\n```\n"
    list(parser.feed(text.format(NEW[encoding])))
    list(parser.finish())
    assert not parser.failures
    apply(plan(root, wanted_files(parser.hunks, tree), merge_changed_file), place / "journal")

    file = tree.file("file.txt")
    new = [file.encode(NEW[encoding]), b"and more"]
    own_ending = lines[4][len(b"to be replaced") :]
    expected = [*lines[:4], new[0] + own_ending, new[1] + own_ending, *lines[5:]]
    assert target.read_bytes() == mark + b"".join(expected)
    assert target.stat().st_mode & 0o777 == mode
    assert (root / "file.txt").is_symlink() == link
    assert {path.name for path in root.iterdir()} == {"file.txt", target.name}
    if encoding != "invalid":
        assert file.encode(NEW[encoding]) == NEW[encoding].encode(encoding)


@pytest.mark.parametrize("words", ["größe", "süß", "créée", "Füße größer"])
def test_two_letters_beside_each_other_are_no_chinese(words):
    file = FileText("x", f"# {words}\nx = 1\n".encode("latin-1"))
    assert file.encoding == "latin-1"
    assert file.encode("# größer") == "# größer".encode("latin-1")


@pytest.mark.parametrize("words", ["第1章 x轴 y轴", "使用API接口", "中", "调用f函数"])
def test_chinese_beside_letters_is_chinese(words):
    assert FileText("x", f"# {words}\n".encode("gb18030")).encoding == "gb18030"


@pytest.mark.parametrize("encoding", WORDS)
def test_the_encoding_of_a_file_is_guessed(encoding):
    name = {"invalid": "utf-8"}.get(encoding, encoding)
    assert FileText("x", b"# " + WORDS[encoding] + b"\n").encoding == name


def bytes_after(data, text):
    file = FileText("x", data)
    parser = Parser("lines", {"x": file.lines}.get)
    list(parser.feed("*** x\n" + text))
    list(parser.finish())
    assert not parser.failures, parser.failures
    return rewrite(file, parser.hunks)


@pytest.mark.parametrize(
    ("before", "edit", "after"),
    [
        (b"a\nb", "@@ 2,3\n+B\n", b"a\nB"),
        (b"a\nb", "@@ 2,3\n+B\n+C\n", b"a\nB\nC\n"),
        (b"a\nb", "@@ 3,3\n+c\n", b"a\nb\nc\n"),
        (b"a\r\nb", "@@ 3,3\n+c\n", b"a\r\nb\r\nc\r\n"),
        (b"a\nb", "@@ 2,3\n", b"a\n"),
        (b"a\rb\r", "@@ 2,3\n+B\n", b"a\rB\r"),
        (b"a\rb", "@@ 2,3\n+B\n+c\n", b"a\rB\rc\r"),
        (b"", "@@ 1,1\n+a\n", b"a\n"),
        (b"a", "@@ 1,2\n", b""),
        (b"a", "@@ 1,1\n+z\n", b"z\na"),
        (b"a\nb\r\nc\r", "@@ 2,2\n+n\n", b"a\nn\nb\r\nc\r"),
        (b"a\nb\r\nc\r", "@@ 3,3\n+n\n", b"a\nb\r\nn\r\nc\r"),
        (b"a\nb\r\nc\r", "@@ 4,4\n+n\n", b"a\nb\r\nc\rn\r"),
        (b"\xef\xbb\xbfa\n", "@@ 1,2\n+b\n", b"\xef\xbb\xbfb\n"),
        (b"\xef\xbb\xbfa\n", "@@ 1,1\n+b\n", b"\xef\xbb\xbfb\na\n"),
        (b"\n\n", "@@ 3,3\n+x\n", b"\n\nx\n"),
    ],
    ids=ascii,
)
def test_new_lines_take_the_ending_of_their_neighbours(before, edit, after):
    assert bytes_after(before, edit) == after


def test_a_letter_that_the_file_cannot_say_is_an_error_and_not_a_question_mark():
    file = FileText("x", "caf\xe9\nb\n".encode("latin-1"))
    parser = Parser("lines", {"x": file.lines}.get)
    list(parser.feed("*** x\n@@ 2,3\n+日本\n"))
    list(parser.finish())
    with pytest.raises(Misfit, match="encoding"):
        rewrite(file, parser.hunks)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"a",
        b"a\r",
        b"\r\n\r",
        b"a\x0bb\x0cc\x1c\x85d\n",
        "a\u2028b\n".encode(),
        b"\xff\xfe\n",
        b"\xef\xbb\xbf",
    ],
    ids=ascii,
)
def test_lines_joined_are_the_file_and_lines_encoded_are_their_bytes(data):
    file = FileText("x", data)
    assert file.bom + b"".join(file.raw) == data
    assert [file.encode(line) for line in file.lines] == [raw.rstrip(b"\r\n") for raw in file.raw]


def test_only_newlines_divide_lines():
    file = FileText("x", "a\u2028b\x0bc\x85d\ne".encode())
    assert file.lines == ("a\u2028b\x0bc\x85d", "e")


def test_a_file_that_the_default_setting_does_not_allow_is_read_by_no_tree(tmp_path):
    (tmp_path / "huge.py").write_bytes(b"x" * (Settings().max_file_bytes + 1))
    with pytest.raises(Refused, match=r"edit\.max_file_bytes"):
        Tree(tmp_path).file("huge.py")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_file_in_utf_16_is_called_so(tmp_path, encoding):
    (tmp_path / "a.txt").write_bytes("\ufeffnaïve\n".encode(encoding))
    with pytest.raises(Refused, match="in UTF-16"):
        Tree(tmp_path).file("a.txt")
