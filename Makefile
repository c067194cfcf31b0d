# make demo · make test · make check · make setup: each sets up .venv first
PYTHON ?= python3
BIN := .venv/bin
ARGS ?=

.PHONY: demo test check setup lint
setup: .venv/ready

.venv/ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Gjøk needs Python 3.11 or newer; set PYTHON=python3.13, say"; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Setting up .venv (once; about a minute) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@

demo: setup
	@$(BIN)/gjok demo $(ARGS)

test: setup
	$(BIN)/python -m pytest $(ARGS)

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

check: lint test
