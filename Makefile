# Two commands: `make app` and `make test`. Both set up all they need. GNU Make 3.81 (macOS) is enough.
.DEFAULT_GOAL := help
.PHONY: help app lab notebooks test test-all robustness lint rooms format bench bench-shares bench-costs bench-gpu bench-hard bench-variants
.PHONY: bench-claims bench-app checklist train setup clean

PY := .venv/bin/python
export PYTHON PIP_ARGS
export PYTHONPATH := $(CURDIR)

help: ## This list
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))
	@echo
	@echo "The first one you run makes .venv and installs requirements.txt into it. It listens to"
	@echo "  PYTHON=...     the Python (3.11 or newer) to build on"
	@echo "  PIP_ARGS=...   more words for pip install, such as --extra-index-url ADDRESS, where PyTorch's CPU"
	@echo "                 builds lie: on Linux that saves several GB of CUDA"

app: setup ## Start the dashboard at http://127.0.0.1:8501 (PORT=8600: at another port)
ifeq ($(PORT),)
	@$(PY) -c 'import socket as s; s.socket().connect_ex(("127.0.0.1", 8501)) or print("Port 8501 is taken; trying more")'
endif
	@echo "Starting the dashboard. Open the URL below in a browser; Ctrl-C stops it."
	@exec $(PY) -m streamlit run app/streamlit_app.py $(if $(PORT),--server.port $(PORT)) $(ARGS)

lab: setup ## Open the notebooks in JupyterLab (ARGS='--no-browser --port 8890': its own options)
	@echo "Starting JupyterLab. It opens in your browser; if not, open the URL below. Ctrl-C stops it."
	@exec $(PY) -m jupyterlab --ServerApp.root_dir=notebooks --LabApp.news_url=None \
	    --LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate \
	    --LabApp.app_settings_dir="$(CURDIR)/notebooks/.lab" $(ARGS)

notebooks: setup ## Run all notebooks and write them as pages into notebooks/html (ARGS='04 09': these)
	@exec $(PY) notebooks/render.py $(ARGS)

test: setup lint ## Check lint, format and types, run the tests but the slow ones (ARGS='-k window': some of them)
	@echo "Running the tests; the slow ones are left to make test-all."
	@exec $(PY) -m pytest -n 2 --dist worksteal -m "not slow" $(ARGS)

test-all: setup lint ## Check lint, format and types, run all tests (ARGS='-m slow': those that make test leaves out)
	@echo "Running all tests."
	@exec $(PY) -m pytest -n 2 --dist worksteal $(ARGS)

robustness: setup ## Run all tests under load, with other rounding, fonts and order (ARGS='load --times 1 -- -k window')
	@exec $(PY) tests/robustness.py $(ARGS)

checklist: setup ## List what the papers have, with the test, the page and the notebook of each
	@exec $(PY) -m tests.project.checklist

rooms: setup ## List the rooms of the code, their floors, and which imports from which
	@exec $(PY) -m tests.project.rooms

lint: setup ## Check lint, format and types only
	@echo "Checking lint, format and types."
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@sh .ci/types.sh

format: setup ## Repair format, and lint where that is safe; take outputs out of notebooks
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .
	@$(PY) notebooks/clean.py

bench: setup ## Time us beside JoeyNMT and OpenNMT-py (DATA=multi30k-folder), then bench-shares and bench-costs
	@$(PY) tests/benchmarks/bench.py $(if $(DATA),"$(DATA)") $(ARGS)
	@$(PY) tests/benchmarks/shares.py
	@exec $(PY) tests/benchmarks/costs.py

bench-shares: setup ## Profile a training step and a beam step (ARGS='--root other-checkout': to compare with)
	@exec $(PY) tests/benchmarks/shares.py $(ARGS)

bench-costs: setup ## Measure how the cost of a step grows with source, batch, target length and vocabulary
	@exec $(PY) tests/benchmarks/costs.py $(ARGS)

bench-gpu: setup ## Time training on a GPU, against its peak (ARGS=--quick: small sizes)
	@exec $(PY) tests/benchmarks/gpu.py $(ARGS)

bench-hard: setup ## Train hard attention by REINFORCE on a made-up task, and measure how its gradient varies
	@exec $(PY) tests/benchmarks/hard.py $(ARGS)

bench-variants: setup ## Train the papers' models and what goes by their names, and compare (DATA=multi30k-folder)
	@test -n "$(DATA)" || { echo "Where is Multi30k? For example: make bench-variants DATA=multi30k" >&2; exit 2; }
	@exec $(PY) tests/benchmarks/variants.py "$(DATA)" $(ARGS)

bench-claims: setup ## Change one thing at a time in one model, and see whether the papers' claims hold (DATA=multi30k-folder)
	@test -n "$(DATA)" || { echo "Where is Multi30k? For example: make bench-claims DATA=multi30k" >&2; exit 2; }
	@exec $(PY) tests/benchmarks/claims.py "$(DATA)" $(ARGS)

bench-app: setup ## Measure the dashboard in a headless Chromium
	@exec $(PY) tests/benchmarks/bench_app.py $(ARGS)

train: setup ## Train a model: make train NAME=bahdanau TRAIN=text/train VALID=text/valid (.de and .en files)
	@test -n "$(NAME)" -a -n "$(TRAIN)" -a -n "$(VALID)" || { echo "Which model, on which text? For example:" \
	    "make train NAME=bahdanau TRAIN=text/train VALID=text/valid   (text/train.de, text/train.en, ...)" >&2; exit 2; }
	@exec $(PY) -m attn_core train $(NAME) --train $(TRAIN) --valid $(VALID) --out $(or $(OUT),pretrained/$(NAME)) $(ARGS)

setup: ## Only make .venv and install requirements.txt into it
	@sh .ci/setup.sh

clean: ## Remove .venv and caches; runs/ and pretrained/ stay
	rm -rf .venv .pytest_cache .ruff_cache .mypy_cache .hypothesis build *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
