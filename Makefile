# make play    a game at the table             make lint     style and types
# make test    all tests                       make mutants  how good the tests of the rules are
# make bench   how fast it is                  make pins     bring the pinned versions up to date

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help play test bench lint format coverage mutants pins clean

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --root-user-action=ignore
JOBS ?= 2

help:
	@sed -n 's/^# \(make\)/\1/p' Makefile

play: $(VENV)/.play
	@$(BIN)/veillee compile
	@$(BIN)/veillee serve --open $(SERVE)

# One process compiles, then the others find the machine code in the cache.
test: $(VENV)/.dev
	@$(BIN)/veillee compile
	@$(BIN)/python -m veillee.adapters.compile
	$(BIN)/python -m pytest -n $(JOBS) $(PYTEST)

bench: $(VENV)/.dev
	@$(BIN)/veillee compile
	$(BIN)/python -m benchmarks --keep $(BENCH)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@if command -v npm > /dev/null; then npm ci --silent && npm run --silent check; fi

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Every line and branch of every game's rules, run as plain Python by that game's own tests.
coverage: $(VENV)/.dev
	@for game in $$(ls -d veillee/games/*/ | grep -v __ | xargs -n 1 basename); do \
		$(BIN)/python -m coverage run --rcfile= --branch --include="veillee/games/$$game/rules.py" \
			-m pytest -q tests/$$game && \
		$(BIN)/python -m coverage report --rcfile= --fail-under=100 || exit 1; \
	done

# mutmut wants an older pytest, hence an environment of its own. See docs/testing.md.
mutants: .venv-mutants/.done
	rm -rf mutants
	.venv-mutants/bin/mutmut run $(MUTANTS)
	.venv-mutants/bin/mutmut results

# Exact versions of all that is installed, for every Python we support; names and versions only.
COMPILE = $(BIN)/uv pip compile --quiet --upgrade --universal --fork-strategy fewest \
	--python-version 3.11 --no-header --no-annotate --no-emit-index-url --no-emit-find-links \
	pyproject.toml

pins: $(VENV)/.play
	$(PIP) uv
	$(COMPILE) --extra build --output-file requirements/play.txt
	$(COMPILE) --extra build --extra dev --constraint requirements/play.txt \
		--output-file requirements/dev.txt
	$(COMPILE) --extra build --extra mutants --constraint requirements/play.txt \
		--output-file requirements/mutants.txt

clean:
	rm -rf $(VENV) .venv-mutants mutants .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/.play: requirements/play.txt pyproject.toml
	@$(call environment,$(VENV))
	@echo "Installing what the games need …"
	@$(PIP) --requirement requirements/play.txt
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.play
	@echo "Installing what the tests need …"
	@$(PIP) --requirement requirements/dev.txt
	@touch $@

.venv-mutants/.done: requirements/mutants.txt pyproject.toml
	@$(call environment,.venv-mutants)
	@.venv-mutants/bin/python -m pip install --quiet --requirement requirements/mutants.txt
	@.venv-mutants/bin/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# $(call environment,folder): make a virtual environment with the first Python that is new enough and
# can. The system's own comes first: distributions build theirs with profile-guided optimisation, most
# version managers do not, and at the table that makes a seventh. `make PYTHON=… play` names another.
define environment
test -x $(1)/bin/python || { \
	for python in "$${PYTHON:-}" /usr/bin/python3 python3 python3.13 python3.12 python3.11 python; do \
		if [ -n "$$python" ] && "$$python" -c \
			'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null; \
		then \
			found="$${found:-$$python}"; \
			if [ "$$python" = "$${PYTHON:-}" ] || "$$python" -c 'import ensurepip' 2>/dev/null; \
			then found="$$python"; break; fi; \
		fi; \
	done; \
	if [ -z "$${found:-}" ]; then \
		echo "Veillée needs Python 3.11 or newer, and found none. Install one (python.org, or your" >&2; \
		echo "system's packages), or name it: make PYTHON=/path/to/python3 $(MAKECMDGOALS)" >&2; \
		exit 1; \
	fi; \
	echo "Making an environment in $(1) with $$("$$found" --version) …"; \
	"$$found" -m venv $(1) || { \
		rm -rf $(1); \
		echo "Python has no working venv module. On Debian and Ubuntu: apt install python3-venv" >&2; \
		exit 1; \
	}; \
}
endef
