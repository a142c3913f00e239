# Every target first makes sure that the environment stands (`infra/bootstrap`); once it does, that costs nothing.

PROFILE ?= laptop
PYTHON ?= python3
RUN = .venv/bin/python -m

.DEFAULT_GOAL := help
.PHONY: help setup retrain test test-heavy fuzz prove bench bench-training format lock

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## make the environment and link it as .venv
	@$(PYTHON) infra/bootstrap

retrain: setup ## everything from rooms to the gate's decision; PROFILE=smoke|laptop|h20
	@./hat retrain --profile $(PROFILE)

test: setup ## lint, types, tests
	@$(RUN) ruff check --quiet
	@$(RUN) ruff format --check --quiet
	@$(RUN) mypy
	@$(RUN) pytest

test-heavy: setup ## what takes minutes beside that: the ablation for a bare GPU machine
	@$(RUN) pytest -m heavy

fuzz: setup ## ten thousand generated model outputs through the agent loop
	@HAT_FUZZ_EXAMPLES=10000 $(RUN) pytest tests/harness/test_fuzz.py

prove: setup ## a thousand variants of the harness, each proved to keep the task
	@./hat harness prove --variants 1000 --seed 1

bench: setup ## speed and memory beside peer frameworks, in an environment of their own
	@test -d .venv-bench || .venv/bin/uv venv --quiet .venv-bench
	@.venv/bin/uv pip install --quiet --python .venv-bench -r benchmarks/requirements.txt
	@for one in loop_cost throughput concurrency; do .venv-bench/bin/python -m benchmarks.$$one || exit 1; done

bench-training: setup ## speed and memory of the training stages beside plain TRL, and of the draft head
	@for one in sft_speed rl_step draft_speed; do $(RUN) benchmarks.$$one || exit 1; done

format: setup ## put the code into the house's form
	@$(RUN) ruff check --fix --quiet
	@$(RUN) ruff format --quiet

lock: ## resolve infra/environment/requirements.in anew into requirements.lock
	@$(PYTHON) infra/bootstrap lock
