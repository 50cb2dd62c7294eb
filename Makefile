# Two commands do all the set-up on a fresh machine with Python 3.11+: `make run` and `make test`.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
HOST   ?= 127.0.0.1
PORT   ?= 7860
PACK   ?= src/ankare/sample/pack
HOME_  ?= .ankare
# Seconds that `make run` waits for search by meaning before it serves without; 0 for as long as it takes.
WAIT   ?= 60

.PHONY: run test hostile check bench eval docs clean help
.DEFAULT_GOAL := help

help: ## show what there is
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

run: $(VENV)/.run ## install, ingest the sample pack and serve it on http://127.0.0.1:7860
	@echo "Reading $(PACK) into $(HOME_) ..."
	@$(BIN)/ankare ingest --pack $(PACK) --home $(HOME_)
	@echo "Waiting for search by meaning, a minute at most: answers are better with it ..."
	@timeout --foreground $(WAIT) $(BIN)/ankare embed --home $(HOME_) || { \
	  echo "It is not ready yet and goes on in the background; search by words works now."; \
	  $(BIN)/ankare embed --background --home $(HOME_) > /dev/null 2>&1 & }
	@echo "Serving on http://$(HOST):$(PORT) (Ctrl-C ends it) ..."
	@$(BIN)/ankare serve --pack $(PACK) --home $(HOME_) --host $(HOST) --port $(PORT)

test: $(VENV)/.dev ## install and run the tests
	$(BIN)/python -m pytest -n 2 --dist loadfile

hostile: $(VENV)/.dev ## models that lie, break off and obey documents: the table of scenarios, and a gate that passes all
	$(BIN)/python -m tests.hostile

check: $(VENV)/.dev ## lint, format, types and import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.bench ## speed and quality beside baselines measured in the same run
	$(BIN)/python -m benchmarks

eval: $(VENV)/.dev ## ask the sample suite by each way to an answer, score, compare and write eval/sample/report.html: two minutes
	$(BIN)/python -m benchmarks.sample_eval

docs: $(VENV)/.dev ## build the guides into site/, without a warning
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "Open site/index.html, or, for the site's search too: python3 -m http.server --bind 127.0.0.1 --directory site"

clean: ## remove what the commands above made
	rm -rf $(VENV) $(HOME_) build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "ankare needs Python 3.11 or later: make PYTHON=python3.12 ..."; exit 1; }
	@echo "Making the Python environment $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --upgrade pip
	@touch $@

$(VENV)/.run: $(VENV)/.made pyproject.toml constraints.txt
	@echo "Installing ankare with the service, search by meaning and model clients: about a minute, silently ..."
	@$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[serve,semantic,llm,mcp]'
	@touch $@

$(VENV)/.dev: $(VENV)/.made pyproject.toml constraints.txt
	@echo "Installing ankare with what its development needs: a minute or two, silently ..."
	@$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[serve,semantic,llm,mcp,otel,postgres,sample,docs,dev]'
	@touch $@

$(VENV)/.bench: $(VENV)/.dev
	@echo "Installing what the benchmarks compare with ..."
	@$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[serve,semantic,llm,mcp,otel,postgres,sample,docs,dev,bench]'
	@touch $@
