# Each command sets up its environment first. Works with GNU Make 3.81.
.DEFAULT_GOAL := help
.PHONY: help app lab notebooks test test-slow robustness lint rooms format bench bench-shares bench-compiled bench-threads bench-costs bench-gpu bench-hard bench-variants bench-quality
.PHONY: bench-claims bench-kills bench-app bench-fresh check-engine check-tokenizer study-starts study-windows study-confidence study-page checklist messages
.PHONY: table-ladder table-grid table-aer table-length models site worksheet train vendor setup clean

PY := .venv/bin/python
export PYTHON PIP_ARGS INSTALLER
export PYTHONPATH := $(CURDIR)

help: ## List the commands
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))
	@echo
	@echo "The first command creates .venv and installs requirements.txt into it. Variables for it:"
	@echo "  PYTHON=...     the Python interpreter to use (3.11 or newer)"
	@echo "  PIP_ARGS=...   more arguments for pip install, such as --index-url ADDRESS"
	@echo "  INSTALLER=pip  install with pip instead of uv, which is used by default with pip's configuration"
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

test: setup lint ## Check lint, format and types, then run all tests except slow ones (ARGS='-k window': a selection)
	@echo "Running all tests except those marked slow (make test-slow runs those)."
	@exec $(PY) -m pytest -n 2 --dist worksteal -m "not slow" $(ARGS)

test-slow: setup ## Run the slow tests (ARGS='-k window': a selection)
	@echo "Running the tests marked slow."
	@exec $(PY) -m pytest -n 2 --dist worksteal -m slow $(ARGS)

robustness: setup ## Run all tests under load, and with other rounding, fonts and order (ARGS='load --times 1 -- -k window')
	@exec $(PY) tests/robustness.py $(ARGS)

checklist: setup ## List the mechanisms, claims and figures of the papers with their tests, pages and notebooks
	@exec $(PY) -m tests.project.checklist

messages: setup ## Extract the interface's messages for translators (ATTN_LANGUAGE=xx make app shows a pseudo-locale)
	@exec $(PY) -m tests.helpers.messages

vendor: setup ## Fetch the JavaScript libraries in attn_core/web/vendor with npm
	@exec $(PY) -m tests.helpers.vendor

rooms: setup ## List the rooms of the code by layer, with the imports between them
	@exec $(PY) -m tests.project.rooms

lint: setup ## Check lint, format and types
	@echo "Checking lint, format and types."
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@sh .ci/types.sh

format: setup ## Fix formatting and safe lint errors; remove outputs from notebooks
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .
	@$(PY) -m attn_core.program notebooks/clean.py

bench: setup ## Compare speed with JoeyNMT and OpenNMT-py (DATA=multi30k-folder), then bench-shares and bench-costs
	@$(PY) tests/benchmarks/bench.py $(if $(DATA),"$(DATA)") $(ARGS)
	@$(PY) tests/benchmarks/shares.py
	@exec $(PY) tests/benchmarks/costs.py

bench-shares: setup ## Profile a training step, a beam step and matrix products (ARGS='--root other-checkout': compare two checkouts)
	@exec $(PY) tests/benchmarks/shares.py $(ARGS)

bench-threads: setup ## Compare two trainings on half of the cores each with one on all of them (ARGS='--cases abc')
	@exec $(PY) tests/benchmarks/two_trainings.py $(ARGS)

bench-compiled: setup ## Compare a training step with the same step under torch.compile (needs a C++ compiler)
	@exec $(PY) tests/benchmarks/compiled.py $(ARGS)

bench-costs: setup ## Measure how the cost of a step grows with source length, batch, target length and vocabulary
	@exec $(PY) tests/benchmarks/costs.py $(ARGS)

bench-gpu: setup ## Time training on a GPU and compare with its peak speed (ARGS=--quick: small sizes)
	@exec $(PY) tests/benchmarks/gpu.py $(ARGS)

bench-hard: setup ## Train hard attention by REINFORCE on a synthetic task and measure the variance of its gradient
	@exec $(PY) tests/benchmarks/hard.py $(ARGS)

bench-variants: setup ## Train the papers' models and their variants in toolkits, and compare them (DATA=multi30k-folder)
	@test -n "$(DATA)" || { echo "DATA is missing: the folder of Multi30k, as in make bench-variants DATA=multi30k" >&2; exit 2; }
	@exec $(PY) tests/benchmarks/variants.py "$(DATA)" $(ARGS)

bench-quality: setup ## Compare time to quality with JoeyNMT and OpenNMT-py; takes days (DATA=multi30k-folder, ARGS=--table)
	@test -n "$(DATA)$(findstring --table,$(ARGS))" || { echo "DATA is missing: the folder of Multi30k, as in make bench-quality DATA=multi30k" >&2; exit 2; }
	@exec $(PY) tests/benchmarks/quality.py $(if $(DATA),"$(DATA)") $(ARGS)

bench-claims: setup ## Test the papers' claims by changing one setting of a model at a time (DATA=multi30k-folder)
	@test -n "$(DATA)" || { echo "DATA is missing: the folder of Multi30k, as in make bench-claims DATA=multi30k" >&2; exit 2; }
	@exec $(PY) tests/benchmarks/claims.py "$(DATA)" $(ARGS)

table-ladder: setup ## Train the missing runs of Luong's Table 1, and print it (DATA=multi30k-folder, ARGS=--table or '--minutes 60')
	@exec $(PY) -m tests.benchmarks.tables ladder $(if $(DATA),"$(DATA)") $(ARGS)

table-grid: setup ## The same for Luong's Table 4: scores and windows
	@exec $(PY) -m tests.benchmarks.tables grid $(if $(DATA),"$(DATA)") $(ARGS)

table-aer: setup ## The same for Luong's Table 6: alignment error rate
	@exec $(PY) -m tests.benchmarks.tables aer $(if $(DATA),"$(DATA)") $(ARGS)

table-length: setup ## The same for BLEU by sentence length (Bahdanau's Figure 2, Luong's Figure 6)
	@exec $(PY) -m tests.benchmarks.tables length $(if $(DATA),"$(DATA)") $(ARGS)

check-tokenizer: setup ## Compare the page's tokenizer with Python's on all lines (DATA=folder-of-corpora)
	@test -n "$(DATA)" || { echo "DATA is missing: the folder of the corpora, as in make check-tokenizer DATA=corpora" >&2; exit 2; }
	@exec $(PY) -m tests.benchmarks.tokenizer_agreement "$(DATA)"

bench-kills: setup ## Kill and resume training at random moments; compare it bit for bit with an uninterrupted run
	@exec $(PY) tests/benchmarks/kills.py $(ARGS)

check-engine: setup ## Compare the browser's engine with torch on the models' test sets (DATA=folder-of-corpora)
	@test -n "$(DATA)" || { echo "DATA is missing: the folder of the corpora, as in make check-engine DATA=corpora" >&2; exit 2; }
	@exec $(PY) -m tests.benchmarks.check_engine "$(DATA)" $(ARGS)

study-starts: setup ## Train with other starts and recipes, and record when attention finds the source (DATA=multi30k-folder)
	@test -n "$(DATA)$(filter --table,$(ARGS))" || { echo "DATA is missing: the folder of Multi30k, as in make study-starts DATA=multi30k" >&2; exit 2; }
	@exec $(PY) tests/benchmarks/starts.py "$(DATA)" $(ARGS)

study-windows: setup ## Train local-p with other half-widths D, and measure BLEU and how well p_t tracks (DATA=folder-of-corpora)
	@test -n "$(DATA)$(filter --table --models,$(ARGS))" || { echo "DATA is missing: the folder of the corpora, as in make study-windows DATA=corpora" >&2; exit 2; }
	@exec $(PY) tests/benchmarks/half_width.py $(if $(DATA),"$(DATA)") $(ARGS)

study-confidence: setup ## Measure how sure models are of captions and of everyday sentences (DATA=folder-of-corpora)
	@test -n "$(DATA)" || { echo "DATA is missing: the folder of the corpora, as in make study-confidence DATA=corpora" >&2; exit 2; }
	@exec $(PY) -m tests.benchmarks.confidence "$(DATA)"

study-page: setup ## Count the modules from a typed sentence to its picture, and long functions (ARGS='--way', 'BEFORE AFTER': checkouts)
	@exec $(PY) -m tests.benchmarks.page_code $(ARGS)

bench-app: setup ## Measure the dashboard in a headless Chromium
	@exec $(PY) tests/benchmarks/bench_app.py $(ARGS)

bench-fresh: setup ## Measure the time from a fresh clone to the first page, with uv and with pip (ARGS=uv: only one)
	@exec $(PY) tests/benchmarks/fresh.py $(ARGS)

site: setup ## Write the pages and the quiz as plain files for any web server (OUT=site: the folder; ADDRESS=https://...: for QR codes; LOAD, MODEL: below; ARGS=--force)
	@exec $(PY) -m app.site --out "$(or $(OUT),site)" $(OWN) $(if $(ADDRESS),--address "$(ADDRESS)") $(ARGS)
	@echo "Look at it with: $(PY) -m http.server -d $(or $(OUT),site)"

worksheet: setup ## Write a worksheet, its answers and a plan for 90 minutes as HTML (OUT=worksheet: the folder; ADDRESS=https://...: where the site is served, for links and QR codes; ARGS=--force)
	@exec $(PY) -m app.site.worksheet --out "$(or $(OUT),worksheet)" $(if $(ADDRESS),--address "$(ADDRESS)") $(ARGS)

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
