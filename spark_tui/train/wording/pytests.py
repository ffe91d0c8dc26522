# ruff: noqa: E501 - templates read better unbroken
"""How people ask for parametrized tests, of a function or made of the asserts of a test.

Comes in: nothing. Goes out: tuples of templates. Must not know: code, generators, the model.
"""

from __future__ import annotations

from spark_tui.train.phrasing import HELD_OUT

NEW = (
    "add a parametrized test for {f}: {cases}", "write a parametrized [pytest|] test [for|of] {f} with {cases}", "test {f} with pytest.mark.parametrize: {cases}", "[cover|check] {f} with a parametrized test, {cases}", "we need a parametrized test of {f} ({cases})", "use parametrize to test that {cases}",
    "{f} has no tests[ yet|], parametrize over {cases}", "parametrized test, {f}: {cases}", "{cases} -> parametrized test", "{cases}, as a parametrized test", "{cases}: put that in a parametrized test", "test table for {f}: {cases}", "parametrize these: {cases}", "[pytest|parametrize|@parametrize] table with {cases}",
    "I want to see {cases} tested, with parametrize", "make sure {cases}, in one parametrized test", "one test, parametrized, for {cases}", "a test with parametrize that checks {cases}", "check by a parametrized test that {cases}", "{f} should satisfy {cases}, [write|add] the parametrized test", "nobody tests {f}, add a parametrized test: {cases}",
    "the reviewer wants {f} tested with parametrize: {cases}", "assert {cases} in a parametrized test", "for {f} write a test that is parametrized over {cases}", "so that {f} doesn't break again, a parametrized test with {cases}", "can we have a parametrized test of {f}: {cases}", "test cases for {f} via mark.parametrize: {cases}", "{f} needs tests: {cases}. Use parametrize",
    "tests for {f}, please, as a table: {cases}", "data-driven test for {f}: {cases}", "put {cases} into pytest.mark.parametrize", "append a parametrized test of {f} with the cases {cases}",
    HELD_OUT, "a table test for {f} please: {cases}",
)  # fmt: skip
MADE = (
    "parametrize {t}", "use pytest.mark.parametrize in {t}", "turn the asserts [of|in] {t} into a parametrized test", "make {t} a parametrized test", "{t} should be parametrized", "[convert|rewrite] {t} to pytest.mark.parametrize",
    "{t} -> parametrize", "{t}: parametrize", "parametrise {t}", "@parametrize {t}", "{t} as a parametrized test", "{t} repeats itself[, parametrize it|, use parametrize]", "the asserts in {t} [are all the same|repeat themselves|look alike], parametrize them", "same assert again and again in {t}, use mark.parametrize", "{t} stops at the first failing assert, parametrize it",
    "one case per row instead of many asserts in {t}", "one assert with a table in {t}", "split the asserts of {t} into parametrize cases", "I want every assert of {t} to be its own case", "each assert in {t} should be [a case of its own|its own parameter set]", "collapse the asserts in {t} with parametrize", "make the asserts of {t} a table", "table-driven {t}, please", "why isn't {t} parametrized",
    "use a table in {t} [instead of|not] separate asserts", "{t} would be [better|nicer|shorter] with parametrize", "the reviewer wants {t} parametrized", "pytest should report the cases of {t} one by one, so parametrize", "rewrite {t} with a parametrize decorator", "can {t} use parametrize", "let {t} take its cases from parametrize", "move the values in {t} [out of the asserts|] into parametrize",
    "put the inputs and results of {t} in a parametrize list", "{t} has too many asserts, make it parametrized", "get rid of the repeated asserts in {t}: parametrize", "ruff PT: parametrize {t}",
    HELD_OUT, "replace the asserts in {t} with parametrize",
)  # fmt: skip
