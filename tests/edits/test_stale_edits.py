"""Over 600 edits that fit, nearly fit, or do not: none lands in a wrong place, and the first difference is
named."""

import functools

import pytest
import support.stale_edits as stale_corpus

from spark_tui.edits.hunk import apply_to_lines
from spark_tui.edits.parser import Parser

CASES = stale_corpus.make()


@functools.cache
def outcome(index, name):
    case = CASES[index]
    parser = Parser(name, {case.path: case.lines}.get)
    list(parser.feed(case.text))
    list(parser.finish())
    if parser.failures or not parser.edits:
        return None, next(iter(parser.failures), None)
    return tuple(apply_to_lines(case.lines, parser.hunks)), None


def test_the_corpus_is_large_and_covers_every_format():
    assert len(CASES) >= 200
    assert len({case.name for case in CASES}) == len(CASES)
    assert {case.format for case in CASES} == {"lines", "apply_patch", "search_replace", "udiff", "whole"}
    assert sum(case.wanted is None for case in CASES) >= 200


@pytest.mark.parametrize("auto", [False, True], ids=["named", "auto"])
def test_no_edit_lands_in_a_wrong_place(auto):
    wrong = []
    for index, case in enumerate(CASES):
        result, _ = outcome(index, "auto" if auto else case.format)
        if result is not None and result != case.wanted:
            wrong.append(case.name)
    assert wrong == []


@pytest.mark.parametrize("auto", [False, True], ids=["named", "auto"])
def test_every_edit_that_fits_is_placed(auto):
    refused = []
    for index, case in enumerate(CASES):
        result, failure = outcome(index, "auto" if auto else case.format)
        if case.wanted is not None and result is None:
            refused.append((case.name, failure))
    assert refused == []


def test_the_first_line_that_differs_is_named():
    asked = [(index, case) for index, case in enumerate(CASES) if case.first]
    missed = []
    for index, case in asked:
        _, failure = outcome(index, case.format)
        if failure is None or failure.line != case.first or failure.found != case.lines[case.first - 1]:
            missed.append((case.name, case.first, failure))
    share = 1 - len(missed) / len(asked)
    print(f"{len(asked)} differences, {100 * share:.1f} % named")
    assert len(asked) >= 200
    assert share >= 0.95, missed[:5]


def test_two_places_that_fit_equally_well_are_both_named():
    asked = [(index, case) for index, case in enumerate(CASES) if case.places]
    assert len(asked) >= 20
    for index, case in asked:
        _, failure = outcome(index, case.format)
        assert failure.candidates == case.places, case.name
        assert all(str(place) in failure.message for place in case.places)
