"""Renames in languages that are not parsed: code changes, comments and strings stay."""

from __future__ import annotations

import pytest
from codemods.repositories import plan, refusal, repository

from spark_tui.codemods.families.names.words import find_word, language_of, languages

TEXTS = {
    "a.js": (
        "// count\nlet count = 1; /* count */ s = 'count'; t = `count ${count + f(count)} x`;"
        " r = /count'/g; a.count++; $count; count2; x = a / count / 2; 'it\\'s'; count\n",
        "// count\nlet new1 = 1; /* count */ s = 'count'; t = `count ${new1 + f(new1)} x`;"
        " r = /count'/g; a.new1++; $count; count2; x = a / new1 / 2; 'it\\'s'; new1\n",
    ),
    "a.ts": ("let a: Map<string, count> = count!;\n", "let a: Map<string, new1> = new1!;\n"),
    "a.go": ('var count = \'c\' // count\nx := `count` + "\\"count" + count\n', None),
    "a.rs": (
        'fn count<\'a>(count: &\'a str) { r#"count"#; \'\\\'\'; count; r##"a"# count"##; "\\"count" }\n',
        'fn new1<\'a>(new1: &\'a str) { r#"count"#; \'\\\'\'; new1; r##"a"# count"##; "\\"count" }\n',
    ),
    "a.cpp": (
        "#include <count.h>\n"
        'int count = 1\'000; c = \'\\\'\'; L"count"; count; R"x(count)"x)x"; // \\\n count\n',
        "#include <count.h>\n"
        'int new1 = 1\'000; c = \'\\\'\'; L"count"; new1; R"x(count)"x)x"; // \\\n count\n',
    ),
    "A.java": (
        'int count = 1; s = """\n count "\n"""; c = \'"\'; count();\n',
        'int new1 = 1; s = """\n count "\n"""; c = \'"\'; new1();\n',
    ),
    "a.sh": (
        'count=1 # count\necho "$count ${count} count" \'$count\' $count a#count ${#count}\nx \\"count\n',
        'new1=1 # count\necho "$new1 ${new1} count" \'$count\' $new1 a#new1 ${#new1}\nx \\"new1\n',
    ),
}
TEXTS["a.go"] = (TEXTS["a.go"][0], 'var new1 = \'c\' // count\nx := `count` + "\\"count" + new1\n')


@pytest.mark.parametrize("path", sorted(TEXTS))
def test_words_change_outside_of_comments_and_strings(path: str) -> None:
    old, wanted = TEXTS[path]
    files = {path: old}
    found = plan(f"rename_word {path} count new1", files)
    assert found.texts(repository(files)) == {path: wanted}
    assert not found.unmarked


def test_a_folder_means_all_its_files_of_these_languages() -> None:
    files = {"web/a.js": "count\n", "web/b.ts": "count\n", "web/c.py": "count\n", "other/d.js": "count\n"}
    assert plan("rename_word web count new1", files).paths == ("web/a.js", "web/b.ts")
    assert plan("rename_word . count new1", files).paths == ("other/d.js", "web/a.js", "web/b.ts")


def test_comments_and_strings_that_mention_the_name_are_listed() -> None:
    found = plan("rename_word a.js count new1", {"a.js": "count;\n// count\n'count'\n"})
    assert [(unfollowed.line, unfollowed.reason.split()[0]) for unfollowed in found.unfollowed] == [
        (1, "renamed"),
        (2, "a"),
        (3, "a"),
    ]


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("rename_word a.js count class", "is not a valid name in a.js"),
        ("rename_word a.js count 1x", "is not a valid name in a.js"),
        ("rename_word a.js count other", "other exists already"),
        ("rename_word a.js nothing new1", "is not in the code"),
        ("rename_word a.js count count", "nothing would change"),
        ("rename_word a.py count new1", "use rename"),
        ("rename_word notes.txt count new1", "no language of the table"),
        ("rename_word nowhere count new1", "no files of these languages"),
    ],
)
def test_what_cannot_be_renamed_is_refused_with_its_reason(call: str, reason: str) -> None:
    files = {"a.js": "let count = other;\n", "a.py": "count = 1\n", "notes.txt": "count\n"}
    assert reason in str(refusal(call, files))


@pytest.mark.parametrize("ending", sorted(languages()))
def test_every_language_of_the_table_finds_a_plain_word(ending: str) -> None:
    language = language_of(f"x.{ending}")
    assert language is not None
    assert find_word(language, "a = count + account;", "count").places == ((4, 9),)
