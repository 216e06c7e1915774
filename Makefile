# Each command sets up its environment first. Works with GNU Make 3.81.
.DEFAULT_GOAL := help
.PHONY: help app lab notebooks site worksheet test test-slow lint format bench bench-app bench-gpu models train setup clean

PY := .venv/bin/python
export PYTHON PIP_ARGS INSTALLER
export PYTHONPATH := $(CURDIR)

help:
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))
	@echo
	@echo "The first command creates .venv and installs requirements.txt into it. Variables for it:"
	@echo "  PYTHON=...     the Python interpreter to use (3.11 or newer)"
	@echo "  PIP_ARGS=...   more arguments for pip install, such as --index-url ADDRESS"
	@echo "  INSTALLER=pip  install with pip instead of uv, which is used by default with pip's configuration"
	@echo
	@echo "All benchmarks: .venv/bin/python -m tests.benchmarks; other commands for developers: README.md, Project layout"
	@echo
	@echo "Variables of make app and make site, for models of your own:"
	@echo "  MODEL=runs/backwards  a model outside pretrained/, or several; the Explorer offers it beside the shipped ones"
	@echo "  LOAD=backwards.py     the script that registers its window, score or other parts, imported first"

# Some shells export HOST, the name of the machine, so only HOST=... on make's command line opens the dashboard to others.
OPEN_TO := $(if $(findstring command,$(origin HOST)),$(HOST))

# A script of your own and a model outside pretrained/; only from make's command line, since a script is code to run.
from_line = $(if $(findstring command,$(origin $(1))),$($(1)))
OWN := $(patsubst %,--load "%",$(call from_line,LOAD)) $(patsubst %,--model "%",$(call from_line,MODEL))

app: setup ## Start the dashboard at http://127.0.0.1:8501 (PORT=8600: another port; HOST=0.0.0.0: open to your network; TRAINING=1: train models from the page; LOAD, MODEL: below)
ifneq ($(OPEN_TO),)
	@echo "Building the static site for other readers."
	@$(PY) -m app.site $(OWN) > /dev/null
endif
ifeq ($(PORT),)
	@$(PY) -c 'import socket as s; s.socket().connect_ex(("127.0.0.1", 8501)) or print("Port 8501 is in use; trying the next ones")'
endif
	@echo "Starting the dashboard. Open the URL below in a browser; Ctrl-C stops it."
	@exec $(PY) -m attn_core app $(OWN) $(if $(filter 1,$(TRAINING)),--training) $(if $(PORT),--port $(PORT)) -- $(if $(OPEN_TO),--server.address $(OPEN_TO)) $(ARGS)

lab: setup ## Open the notebooks in JupyterLab (ARGS='--no-browser --port 8890': options of JupyterLab)
	@echo "Starting JupyterLab in your browser. If it does not open, use the URL below. Ctrl-C stops it."
	@exec $(PY) -m jupyterlab --ServerApp.root_dir=notebooks --LabApp.news_url=None \
	    --LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate \
	    --LabApp.app_settings_dir="$(CURDIR)/notebooks/.lab" $(ARGS)

notebooks: setup ## Run all notebooks and write them as HTML pages to notebooks/html (ARGS='04 09': only these)
	@exec $(PY) -m attn_core.program notebooks/render.py $(ARGS)

site: setup ## Write the pages and the quiz as plain files for any web server (OUT=site: the folder; ADDRESS=https://...: for QR codes; LOAD, MODEL: below; ARGS=--force)
	@exec $(PY) -m app.site --out "$(or $(OUT),site)" $(OWN) $(if $(ADDRESS),--address "$(ADDRESS)") $(ARGS)
	@echo "Look at it with: $(PY) -m http.server -d $(or $(OUT),site)"

worksheet: setup ## Write a worksheet, its answers and a plan for 90 minutes as HTML (OUT=worksheet: the folder; ADDRESS=https://...: where the site is served, for links and QR codes; ARGS=--force)
	@exec $(PY) -m app.site.worksheet --out "$(or $(OUT),worksheet)" $(if $(ADDRESS),--address "$(ADDRESS)") $(ARGS)

test: setup lint ## Check lint, format and types, then run all tests except slow ones (ARGS='-k window': a selection)
	@echo "Running all tests except those marked slow (make test-slow runs those)."
	@exec $(PY) -m pytest -n 2 --dist worksteal -m "not slow" $(ARGS)

test-slow: setup ## Run the slow tests (ARGS='-k window': a selection)
	@echo "Running the tests marked slow."
	@exec $(PY) -m pytest -n 2 --dist worksteal -m slow $(ARGS)

lint: setup ## Check lint, format and types
	@echo "Checking lint, format and types."
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@sh .ci/javascript.sh check

format: setup ## Format Python and JavaScript, fix safe lint errors, and remove outputs from notebooks
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .
	@sh .ci/javascript.sh format
	@$(PY) -m attn_core.program notebooks/clean.py

bench: setup ## Compare speed with JoeyNMT and OpenNMT-py (DATA=multi30k-folder), and measure the gain of each speed measure
	@$(PY) -m tests.benchmarks speed $(if $(DATA),"$(DATA)") $(ARGS)
	@$(PY) -m tests.benchmarks gains
	@exec $(PY) -m tests.benchmarks rates

bench-app: setup ## Measure the dashboard in a headless Chromium
	@exec $(PY) -m tests.benchmarks dashboard $(ARGS)

bench-gpu: setup ## Time training on a GPU and compare with its peak speed (ARGS=--quick: small sizes)
	@exec $(PY) -m tests.benchmarks gpu $(ARGS)

models: setup ## Train the shipped models that are missing or outdated; resumable (DATA=folder-of-corpora, ARGS=--dry-run)
	@exec $(PY) -m attn_core build pretrained/models.toml $(if $(DATA),--data "$(DATA)") --jobs 2 $(ARGS)

train: setup ## Train a model in runs/NAME (or OUT=folder): make train NAME=bahdanau TRAIN=text/train VALID=text/valid (.de and .en files)
	@test -n "$(NAME)" -a -n "$(TRAIN)" -a -n "$(VALID)" || { echo "NAME, TRAIN and VALID are needed, as in" \
	    "make train NAME=bahdanau TRAIN=text/train VALID=text/valid   (text/train.de, text/train.en, ...)" >&2; exit 2; }
	@exec $(PY) -m attn_core train $(NAME) --train $(TRAIN) --valid $(VALID) --out $(or $(OUT),runs/$(NAME)) $(ARGS)

setup: ## Create .venv and install requirements.txt into it
	@sh .ci/setup.sh

clean: ## Remove .venv and caches, but not runs/ and pretrained/
	rm -rf .venv .pytest_cache .ruff_cache .mypy_cache .hypothesis build dist *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
