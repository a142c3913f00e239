# Every target first makes sure that the environment stands (`infra/bootstrap`); once it does, that costs nothing.

PROFILE ?= laptop
PYTHON ?= python3
RUN = .venv/bin/python -m

.DEFAULT_GOAL := help
.PHONY: help setup retrain test format lock

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## make the environment and link it as .venv
	@$(PYTHON) infra/bootstrap

retrain: setup ## everything from rooms to the gate's decision; PROFILE=smoke|laptop|h20
	@./hat retrain --profile $(PROFILE)

test: setup ## lint, types, tests
	@$(RUN) ruff check --quiet
	@$(RUN) ruff format --check --quiet
	@$(RUN) mypy
	@$(RUN) pytest

format: setup ## put the code into the house's form
	@$(RUN) ruff check --fix --quiet
	@$(RUN) ruff format --quiet

lock: ## resolve infra/environment/requirements.in anew into requirements.lock
	@$(PYTHON) infra/bootstrap lock
