"""Marks and fixtures of tests that are tried mean what they mean to pytest."""

from __future__ import annotations

from support.tried_code import outcomes, states


def test_marks_and_fixtures_mean_what_they_mean_to_pytest() -> None:
    tests = """
        import unittest
        import warnings
        import pytest
        from halves import half

        @pytest.fixture(params=[4, pytest.param(5, marks=pytest.mark.skip), 3])
        def number(request):
            return request.param

        @pytest.fixture
        def prepared():
            half.prepared = True
            yield
            del half.prepared

        def test_all_values_of_a_fixture(number):
            assert half(number) == number / 2

        @pytest.mark.usefixtures("prepared")
        def test_uses():
            assert half.prepared

        @pytest.mark.parametrize("value", [4, pytest.param(3, marks=[pytest.mark.xfail(reason="x")])])
        def test_row_that_may_fail(value):
            assert half(value) == value / 2

        @pytest.mark.parametrize("value", [])
        def test_no_rows(value):
            pass

        @pytest.mark.parametrize(["value"], [(4,)])
        def test_list_of_one_name(value):
            assert half(value) == 2

        @pytest.mark.parametrize("number", [4], indirect=True)
        def test_indirect(number):
            pass

        @pytest.mark.skipif(False, reason="x")
        @pytest.mark.skipif(True, reason="x")
        def test_skipped_by_one_of_two():
            assert False

        def test_other_warning():
            with pytest.warns(DeprecationWarning):
                warnings.warn("x", UserWarning)

        def test_near_by_abs():
            assert 1000000.5 == pytest.approx(1000000, abs=0.1)

        def test_what_is_not_here(monkeypatch):
            with monkeypatch.context() as inner:
                pass

        def test_function_that_is_not_here():
            pytest.deprecated_call(half, 3)

        @pytest.mark.skip(reason="x")
        class TestSkipped:
            def test_it(self):
                assert False

        class TestMarked:
            pytestmark = [pytest.mark.parametrize("value", [4, 6])]
            test_data = [1]

            @classmethod
            def setup_class(cls):
                cls.two = 2

            @pytest.fixture(autouse=True)
            def prepare(self):
                self.three = 3

            def test_it(self, value):
                assert half(value) == value / self.two and self.three == 3

        class Cases(unittest.TestCase):
            @classmethod
            def setUpClass(cls):
                cls.two = 2

            def test_it(self):
                self.assertEqual(half(4), self.two)

            def test_error(self):
                with self.subTest():
                    half(None)

            @unittest.expectedFailure
            def test_expected(self):
                self.assertEqual(half(3), 1.5)
        """
    found = outcomes(tests)
    assert {name: one.state for name, one in found.items()} == {
        "test_all_values_of_a_fixture": "failed",
        "test_uses": "passed",
        "test_row_that_may_fail": "passed",
        "test_no_rows": "skipped",
        "test_list_of_one_name": "passed",
        "test_indirect": "skipped",
        "test_skipped_by_one_of_two": "skipped",
        "test_other_warning": "failed",
        "test_near_by_abs": "failed",
        "test_what_is_not_here": "refused",
        "test_function_that_is_not_here": "refused",
        "TestSkipped::test_it": "skipped",
        "TestMarked::test_it": "passed",
        "Cases::test_it": "passed",
        "Cases::test_error": "failed",
        "Cases::test_expected": "skipped",
    }
    assert found["Cases::test_error"].kind == "TypeError"


def test_a_mark_of_a_module_is_one_of_its_tests() -> None:
    assert states("import pytest\npytestmark = pytest.mark.skip\ndef test_it():\n    assert False\n") == {
        "test_it": "skipped"
    }
