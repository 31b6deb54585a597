# make run, make test, make benchmark: each creates the environment that it needs.

PYTHON ?= $(firstword $(foreach p,python3.13 python3.12 python3.11 python3,\
            $(if $(shell $(p) -c 'import sys; print(*[1] * (sys.version_info >= (3, 11)))' 2>/dev/null),$(p))))
APP := .venv
CORE := .venv-core
PIP := -m pip install --quiet --disable-pip-version-check

.PHONY: run test lint test-core test-app benchmark clean

run: $(APP)/ready
	$(APP)/bin/streamlit run app.py

test: lint test-core test-app

lint: $(APP)/ready-dev
	$(APP)/bin/ruff check .
	$(APP)/bin/ruff format --check .
	$(APP)/bin/mypy

# The core is tested where neither Streamlit nor Plotly is installed. A second run without
# compilation lets coverage see inside the kernels.
test-core: $(CORE)/ready
	$(CORE)/bin/python -m pytest tests/core tests/reference --cov --cov-report=
	NUMBA_DISABLE_JIT=1 $(CORE)/bin/python -m pytest -q tests/core/test_kernels.py tests/core/test_solvers.py \
	    --cov --cov-append --cov-report=term

test-app: $(APP)/ready-dev
	$(APP)/bin/python -m pytest tests/app

benchmark: $(APP)/ready-dev
	$(APP)/bin/python -m benchmarks

$(APP)/ready: requirements.txt
	$(PYTHON) -m venv $(APP)
	$(APP)/bin/python $(PIP) -r requirements.txt
	touch $@

$(APP)/ready-dev: $(APP)/ready requirements-dev.txt
	$(APP)/bin/python $(PIP) -r requirements.txt -r requirements-dev.txt
	touch $@

$(CORE)/ready: pyproject.toml requirements.txt requirements-dev.txt
	$(PYTHON) -m venv $(CORE)
	$(CORE)/bin/python $(PIP) -c requirements.txt -c requirements-dev.txt --editable '.[test]'
	touch $@

clean:
	rm -rf $(APP) $(CORE) build dist .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis
