# make play           serve the games and open the browser
# make test           run all tests but those of the next four
# make test-screens   look at every page in every size, theme and language with axe; all guided games
# make test-package   build and install the package, with every Python found
# make test-cluster   run a study on a Ray cluster of two nodes, one of which is killed
# make test-clients   let other libraries train on the installed package
# make lint           check style and types
# make format         format the code
# make docs           build the documentation site in site/
# make bench          measure speed
# make coverage       check that the tests cover every line of the rules
# make mutants        mutation tests of the rules
# make pins           update the pinned versions
# make clean          remove everything that make creates

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help play test test-screens test-package test-clients test-cluster bench lint format docs coverage mutants pins clean

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --root-user-action=ignore
# Tests wait for browsers and servers: three processes keep two cores busy. If one of them crashes, the
# run fails, even where a failed test would be run once more.
JOBS ?= 3
PARALLEL = -n $(JOBS) --dist worksteal --max-worker-restart 0

help:
	@sed -n 's/^# \(make \)/\1/p' Makefile

play: $(VENV)/.play
	@$(BIN)/veillee compile
	@$(BIN)/veillee serve --open $(SERVE)

# One process compiles, then the others find the machine code in the cache.
test: $(VENV)/.dev
	@$(BIN)/python -m tools.browser
	@$(BIN)/python -m tools.redis_server
	@$(BIN)/veillee compile
	@$(BIN)/python -m veillee.adapters.precompile
	$(BIN)/python -m pytest $(PARALLEL) $(PYTEST)

test-screens: $(VENV)/.dev
	@$(BIN)/python -m tools.browser
	@$(BIN)/veillee compile
	$(BIN)/python -m pytest $(PARALLEL) -m screens $(PYTEST)

test-package: $(VENV)/.dev
	@$(BIN)/veillee compile
	@$(BIN)/python -m veillee.adapters.precompile
	$(BIN)/python -m pytest -m packaging $(PYTEST)

test-cluster: $(VENV)/.dev
	$(BIN)/python -m pytest -m cluster tests/lab/test_cluster.py $(PYTEST)

# Run from another folder, so that the installed package is imported and not this one.
test-clients: .venv-clients/.done
	@cd .venv-clients && bin/python -m veillee.adapters.precompile
	@cd .venv-clients && bin/python -P -m pytest -c /dev/null --rootdir . -p no:cacheprovider \
		--import-mode importlib -o python_files='train_*.py' -s $(CURDIR)/tests/clients $(PYTEST)

bench: $(VENV)/.dev
	@$(BIN)/veillee compile
	$(BIN)/python -m benchmarks --keep $(BENCH)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m tools.prose
	$(BIN)/python -m tools.node npm ci --no-audit --no-fund
	$(BIN)/python -m tools.node npm run check

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/.dev
	$(BIN)/mkdocs build --strict

# Every line and branch of every game's rules, run as plain Python by that game's own tests.
coverage: $(VENV)/.dev
	@for game in $$(ls -d veillee/games/*/ | grep -v __ | xargs -n 1 basename); do \
		$(BIN)/python -m coverage run --rcfile= --branch --include="veillee/games/$$game/core/rules.py,veillee/games/$$game/core/view.py,veillee/games/$$game/core/resample.py" \
			-m pytest -q tests/games/$$game && \
		$(BIN)/python -m coverage report --rcfile= --fail-under=100 || exit 1; \
	done

# mutmut wants an older pytest, hence an environment of its own. See docs/testing.md.
mutants: .venv-mutants/.done
	rm -rf mutants
	.venv-mutants/bin/mutmut run $(MUTANTS)
	.venv-mutants/bin/mutmut results

# Exact versions for every supported Python; names and versions only, so that any index will do.
COMPILE = $(BIN)/uv pip compile --quiet --upgrade --universal --fork-strategy fewest \
	--python-version 3.11 --no-header --no-annotate --no-emit-index-url --no-emit-find-links \
	pyproject.toml

pins: $(VENV)/.dev
	$(COMPILE) --extra build --extra web --output-file requirements/play.txt
	$(COMPILE) --extra build --extra postgresql --extra redis \
		--constraint requirements/play.txt --output-file requirements/server.txt
	$(COMPILE) --extra build --extra web --extra dev --constraint requirements/play.txt \
		--output-file requirements/dev.txt
	$(COMPILE) --extra build --extra web --extra mutants --constraint requirements/play.txt \
		--output-file requirements/mutants.txt
	$(COMPILE) --extra node --constraint requirements/play.txt | grep ^nodejs \
		> requirements/node.txt

clean:
	rm -rf $(VENV) .venv-clients .venv-mutants mutants site node_modules .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .schemathesis

$(VENV)/.play: requirements/play.txt pyproject.toml
	@tools/environment.sh $(VENV)
	@echo "Installing the packages that the games and the server need."
	@$(PIP) --requirement requirements/play.txt
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.play
	@echo "Installing the packages that the tests need."
	@$(PIP) --requirement requirements/dev.txt
	@touch $@

.venv-clients/.done: pyproject.toml $(shell git ls-files veillee 2>/dev/null)
	@tools/environment.sh .venv-clients
	@echo "Installing the libraries that train: about 2 GB."
	@.venv-clients/bin/python -m pip install --upgrade '.[rl,clients]'
	@touch $@

.venv-mutants/.done: requirements/mutants.txt pyproject.toml
	@tools/environment.sh .venv-mutants
	@.venv-mutants/bin/python -m pip install --requirement requirements/mutants.txt
	@.venv-mutants/bin/python -m pip install --no-deps --no-build-isolation --editable .
	@touch $@
