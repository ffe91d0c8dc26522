PY ?= .venv/bin/python

.PHONY: venv test thorough check lint types contracts slow interop parity train-test

venv:
	python3 -m venv .venv && .venv/bin/pip install -q -e '.[dev]'

test:
	$(PY) -m pytest

thorough:
	$(PY) -m pytest -m thorough

lint:
	$(PY) -m ruff check . && $(PY) -m ruff format --check .

types:
	$(PY) -m mypy

contracts:
	$(dir $(PY))lint-imports

check: test lint types contracts

slow:
	$(PY) -m pytest -m slow

interop:
	$(PY) -m pytest -m interop

parity:
	$(PY) -m pytest -m parity

train-test:
	$(PY) -m pytest -m train
