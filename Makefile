# make run, make test, make docs, make benchmark: each creates the environment that it needs.

PYTHON ?= $(firstword $(foreach p,python3.13 python3.12 python3.11 python3,\
            $(if $(shell $(p) -c 'import sys; print(*[1] * (sys.version_info >= (3, 11)))' 2>/dev/null),$(p))))
APP := .venv
CORE := .venv-core
PIP := -m pip install --quiet --disable-pip-version-check
# Over all processors; two browsers at a time, for they mostly wait, each with its own files.
SPREAD := -n auto --maxprocesses 4
BROWSERS := -n 2 --dist loadfile
# The app serves it from there.
SITE := cml_app/documentation
WRITTEN := $(wildcard docs/*.md docs/*/*.md docs/pictures/*.png docs/*/*.py docs/conf.py)
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

.PHONY: run test lint test-core fuzz test-app test-browser browser docs pictures benchmark clean

# Without its documentation the app does all the same, and has no links to it.
run: $(APP)/ready
	-@$(MAKE) --no-print-directory $(SITE)/index.html
	$(APP)/bin/streamlit run app.py

test: lint test-core test-app test-browser

lint: $(APP)/ready-dev
	$(APP)/bin/ruff check .
	$(APP)/bin/ruff format --check .
	$(APP)/bin/mypy

# The core is tested where neither Streamlit nor Plotly is installed. A second run without
# compilation lets coverage see inside the kernels.
test-core: $(CORE)/ready
	$(CORE)/bin/python -m pytest $(SPREAD) tests/core tests/reference \
	    --cov --cov-report= --cov-fail-under=0
	NUMBA_DISABLE_JIT=1 $(CORE)/bin/python -m pytest -q tests/core/test_kernels.py tests/core/test_solvers.py \
	    --cov --cov-append --cov-report=term

# Readers against fifty thousand inputs that no one would write, instead of two thousand.
fuzz: $(CORE)/ready
	CML_FUZZ=50000 $(CORE)/bin/python -m pytest $(SPREAD) tests/core/test_reading_fuzz.py

test-app: $(APP)/ready-dev
	$(APP)/bin/python -m pytest $(SPREAD) tests/app

test-browser: $(APP)/ready-dev browser $(SITE)/index.html
	$(APP)/bin/python -m pytest $(BROWSERS) tests/browser

# Debian's Chromium where no browser is found; elsewhere, install one by hand.
browser:
	@command -v chromium || command -v chromium-browser || command -v google-chrome \
	    || { $(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq chromium; }

# A warning is an error: a link that leads nowhere, a name that is not documented.
docs: $(APP)/ready-docs
	@echo "Building the documentation."
	rm -rf $(SITE)
	$(APP)/bin/python -m sphinx -W --keep-going -q -d build/doctrees docs $(SITE)

pictures: $(APP)/ready-dev browser $(SITE)/index.html
	$(APP)/bin/python docs/pictures.py

$(SITE)/index.html: $(WRITTEN)
	@$(MAKE) --no-print-directory docs

benchmark: $(APP)/ready-dev browser
	$(APP)/bin/python -m benchmarks

$(APP)/ready: requirements.txt
	$(PYTHON) -m venv $(APP)
	$(APP)/bin/python $(PIP) -r requirements.txt
	@echo "Compiling the solvers, once."
	$(APP)/bin/python -c "from cml_core import *; D = load_dataset('kinship14'); \
	    ConditionalMDS().fit(D.dissimilarities, D.features[['Gender']])"
	touch $@

$(APP)/ready-docs: $(APP)/ready requirements-docs.txt
	$(APP)/bin/python $(PIP) -r requirements.txt -r requirements-docs.txt
	touch $@

$(APP)/ready-dev: $(APP)/ready-docs requirements-dev.txt
	$(APP)/bin/python $(PIP) -r requirements.txt -r requirements-docs.txt -r requirements-dev.txt
	touch $@

$(CORE)/ready: pyproject.toml requirements.txt requirements-dev.txt
	$(PYTHON) -m venv $(CORE)
	$(CORE)/bin/python $(PIP) -c requirements.txt -c requirements-dev.txt --editable '.[test]'
	touch $@

clean:
	rm -rf $(APP) $(CORE) $(SITE) build dist .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name '*.nb[ci]' -not -path './.*' -delete
