# Two commands for everybody:  make run   and   make test.
# Each makes its own virtual environment first, so a machine with Python 3.11+ and make is enough.

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help run test lint types layers units browser install bench bench-vm soak accuracy pictures \
	wiring prints clean

help: ## say what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

run: $(VENV)/ready ## switch the device on: real parts on a Pi, a simulated table elsewhere
	@$(BIN)/parkwarden run

test: lint types layers units ## lint, types, layers, all tests

lint: $(VENV)/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/ready-dev
	$(BIN)/mypy

layers: $(VENV)/ready-dev
	$(BIN)/lint-imports --no-cache

units: $(VENV)/ready-dev
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile

bench: $(VENV)/ready-bench ## print how fast rules, seeing and the whole device are
	$(BIN)/python -m tests.bench
	$(BIN)/python -m tests.bench_vision
	$(BIN)/python -m tests.bench_device

bench-vm: $(VENV)/ready-dev ## the real libraries and the real unit on a virtual machine, with power cuts
	hardware/bench/build
	$(BIN)/python hardware/bench/bench.py --result hardware/bench/RESULT.md; code=$$?; \
	$(BIN)/python -m firmware.workshop wiring; exit $$code

GAMES ?= 20
GAME ?= masterplan
soak: $(VENV)/ready-dev ## play games at full speed with faults and power cuts (GAMES=20 GAME=masterplan)
	$(BIN)/python -m tests.soak --games $(GAMES) --game $(GAME)

install: ## put it onto this Raspberry Pi, to start at boot (with sudo; see ./install --help)
	./install

browser: ## install the browser that the tests of the page drive (Debian, as root)
	command -v chromium >/dev/null || { apt-get update -q && apt-get install -yq --no-install-recommends chromium; }

pictures: $(VENV)/ready-dev ## make the pictures of page and display for the README anew
	$(BIN)/python -m tests.make_pictures

SCENES ?= tests/scenes
GAME ?= masterplan
accuracy: $(VENV)/ready-dev ## print how well the table is seen (SCENES=folder, GAME=name for others)
	$(BIN)/python -m tests.accuracy $(SCENES) --game $(GAME)

wiring: $(VENV)/ready-dev ## make diagram, pin table, bill of materials and sizes from hardware/wiring.yml
	$(BIN)/python -m firmware.workshop wiring

prints: wiring ## make the STL files of case and mount anew (needs OpenSCAD)
	$(BIN)/python -m firmware.workshop prints

clean: ## remove what make made
	rm -rf $(VENV) build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "make: no Python 3.11 or newer found. Install one, or say which: make PYTHON=/path/to/python3 $(MAKECMDGOALS)" >&2; exit 2; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "make: $(PYTHON) cannot make a virtual environment. On Debian or Raspberry Pi OS: sudo apt install python3-venv" >&2; exit 2; }

$(VENV)/ready: $(VENV)/bin/python pyproject.toml
	$(PIP) install --editable '.[cv,print]'
	@touch $@

$(VENV)/ready-dev: $(VENV)/bin/python pyproject.toml
	$(PIP) install --editable '.[cv,print,dev]'
	@touch $@ $(VENV)/ready

$(VENV)/ready-bench: $(VENV)/ready-dev
	$(PIP) install --editable '.[bench]'
	@touch $@
