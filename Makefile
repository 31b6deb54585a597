# make run, make test, make docs, make benchmark, make papers: each creates the environment that it needs.

PYTHON ?= $(firstword $(foreach p,python3.13 python3.12 python3.11 python3,\
            $(if $(shell $(p) -c 'import sys; print(*[1] * (sys.version_info >= (3, 11)))' 2>/dev/null),$(p))))
APP := .venv
CORE := .venv-core
OLDEST := .venv-oldest
TOOLS := .venv-tools
OLDEST_PYTHON ?= python3.11
PIP := -m pip install --quiet --disable-pip-version-check
# Only files whose digests stand in requirements*.txt; the checkout itself has none.
PINNED := $(PIP) --require-hashes
CHECKOUT := $(PIP) --no-deps --no-build-isolation --editable
# Over all processors; three browsers at a time, for they mostly wait.
SPREAD := -n auto --maxprocesses 4
BROWSERS := -n 3 --dist worksteal
# Small enough for the loops to run interpreted, where coverage sees inside them.
INTERPRETED := $(addprefix tests/core/fitting/test_,kernels.py solvers.py isotonic.py rising.py scaled_descent.py individual_descent.py)
BIOME := node_modules/.bin/biome
# The app serves it from there.
SITE := cml_app/documentation
WRITTEN := CHANGELOG.md $(wildcard benchmarks/*.md docs/*.md docs/conf.py docs/[!_]*/*.* docs/pictures/papers/*)
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

.PHONY: run test quick test-busy lint test-core fuzz test-app test-browser browser caddy systemd postgres up down docs pictures benchmark papers clean

# Without its documentation the app does all the same, and has no links to it.
run: $(APP)/ready
	-@$(MAKE) --no-print-directory $(SITE)/index.html
	$(APP)/bin/streamlit run app.py

# What waits for the network or for one processor goes beside something else.
test:
	$(MAKE) --jobs=2 $(APP)/ready $(CORE)/ready
	$(MAKE) --jobs=2 lint $(SITE)/index.html test-core
	$(MAKE) test-app test-browser

# While working: style, types and all tests but the slow ones, in one environment.
quick: lint-python lint-types
	$(APP)/bin/python -m pytest -q -n 2 -m "not slow" tests/core tests/app

# What runs in threads, processes or beside a visitor, while something else keeps every processor
# busy.
ON_TIME := tests/core/evidence/test_work.py tests/core/evidence/test_worker.py \
           tests/core/fitting/test_threads.py tests/core/fitting/test_fit.py \
           $(addprefix tests/app/test_,compute.py evidence_job.py unasked.py readiness.py server.py \
             store.py store_together.py undo.py discover.py)
test-busy: $(APP)/ready-dev
	$(APP)/bin/python tests/busy.py $(APP)/bin/python -m pytest -q -n 2 -m "not slow" $(ON_TIME)

.PHONY: lint-python lint-types lint-web format
lint: lint-python lint-types lint-web

lint-python: $(APP)/ready-dev
	$(APP)/bin/ruff check .
	$(APP)/bin/ruff format --check .

lint-types: $(APP)/ready-dev
	$(APP)/bin/mypy

lint-web: $(BIOME)
	$(BIOME) check --error-on-warnings

format: $(APP)/ready-dev $(BIOME)
	$(APP)/bin/ruff check --fix .
	$(APP)/bin/ruff format .
	$(BIOME) check --write

# The core is tested where neither Streamlit nor Plotly is installed.
test-core: $(CORE)/ready
	$(CORE)/bin/python -m pytest $(SPREAD) tests/core tests/reference

# Which lines of the core its tests reach. A second run without compilation sees inside the kernels.
.PHONY: coverage
coverage: $(CORE)/ready
	$(CORE)/bin/python -m pytest $(SPREAD) tests/core tests/reference \
	    --cov --cov-report= --cov-fail-under=0
	NUMBA_DISABLE_JIT=1 $(CORE)/bin/python -m pytest -q $(INTERPRETED) \
	    --cov --cov-append --cov-report=term

# The core again, with the oldest Python and the oldest versions that pyproject.toml allows.
.PHONY: test-oldest
test-oldest: $(OLDEST)/ready
	$(OLDEST)/bin/python -m pytest $(SPREAD) tests/core tests/reference

# Readers against fifty thousand inputs that no one would write, instead of two thousand.
fuzz: $(CORE)/ready
	CML_FUZZ=50000 $(CORE)/bin/python -m pytest $(SPREAD) tests/core/files/test_reading_fuzz.py

test-app: $(APP)/ready-dev $(SITE)/index.html postgres systemd
	$(APP)/bin/python -m pytest $(SPREAD) tests/app

test-browser: $(APP)/ready-dev browser caddy $(SITE)/index.html
	$(APP)/bin/python -m pytest $(BROWSERS) tests/browser \
	    || { echo "What failed, once more and alone: what passes now hangs on time, and wants mending." \
	    && $(APP)/bin/python -m pytest --last-failed --last-failed-no-failures none tests/browser; }

# Debian's Chromium where no browser is found; elsewhere, install one by hand.
browser:
	@command -v chromium || command -v chromium-browser || command -v google-chrome \
	    || { $(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq chromium; }

# Debian's PostgreSQL where none is found, with no server of its own started; elsewhere, install one
# by hand. The tests begin one in a folder that goes with them.
postgres:
	@command -v initdb || ls /usr/lib/postgresql/*/bin/initdb \
	    || { $(SUDO) mkdir -p /etc/postgresql-common \
	    && echo "create_main_cluster = false" | $(SUDO) tee -a /etc/postgresql-common/createcluster.conf \
	    && $(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq postgresql; }

# Likewise the proxy that the app is tested behind, unpacked only, so that no service begins; and
# what checks the systemd unit.
caddy:
	@command -v caddy || ls build/caddy/usr/bin/caddy || { $(SUDO) apt-get update -qq && mkdir -p build \
	    && cd build && apt-get download -qq caddy && dpkg-deb --extract caddy_*.deb caddy; }
systemd:
	@command -v systemd-analyze \
	    || { $(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq --no-install-recommends systemd; }

# npm only fetches Biome. Debian's where there is none; elsewhere, install Node.js by hand.
$(BIOME): package.json
	@command -v npm || { $(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq npm; } \
	    || { echo "npm is missing. Install Node.js, which brings it, and try again."; exit 1; }
	npm install --loglevel error
	touch $@

# A warning is an error: a link that leads nowhere, a name that is not documented.
docs: $(APP)/ready-docs
	@echo "Building the documentation."
	rm -rf $(SITE)
	$(APP)/bin/python -m sphinx -W --keep-going -q -d build/doctrees docs $(SITE)

pictures: $(APP)/ready-dev browser $(SITE)/index.html
	$(APP)/bin/python docs/pictures.py

# A public server: the app, its database and a proxy, as containers. The password is made once; the
# folder keeps it from others, for in the containers its reader is not root.
ENGINE ?= $(firstword $(foreach e,docker podman,$(if $(shell command -v $(e) 2>/dev/null),$(e))))
COMPOSE = CML_HOST=$(HOST) $(ENGINE) compose --file deploy/compose.yaml
up: deploy/secrets/database-password
	@test -n "$(HOST)" || { echo "Under which name do visitors find it? make up HOST=maps.example.org"; exit 1; }
	$(COMPOSE) up --build --detach --wait

down:
	$(COMPOSE) down

deploy/secrets/database-password:
	mkdir -p -m 700 $(@D)
	od -An -N24 -tx1 /dev/urandom | tr -d ' \n' >$@
	chmod 444 $@

$(SITE)/index.html: $(WRITTEN) | $(APP)/ready-docs
	@$(MAKE) --no-print-directory docs

benchmark: $(APP)/ready-dev browser
	$(APP)/bin/python -m benchmarks

# Every table and figure of the papers, with a verdict; fails when a number leaves its tolerance.
papers: $(APP)/ready-dev
	$(APP)/bin/python -m benchmarks.papers --workers 2

# What pyproject.toml asks for, exactly, for every platform and every Python it allows. What is
# pinned stays as it is; `make pins PINS=--upgrade` takes the newest of everything.
.PHONY: pins
COMPILE = UV_CUSTOM_COMPILE_COMMAND="make pins" $(TOOLS)/bin/uv pip compile --quiet --universal \
          --python-version 3.11 --generate-hashes --no-annotate $(PINS)
PINS_OF := $(addprefix --constraints ,requirements.txt requirements-docs.txt requirements-test.txt requirements-dev.txt)
pins: $(TOOLS)/ready
	$(COMPILE) pyproject.toml --extra app --extra postgres --output-file requirements.txt
	$(COMPILE) --group docs $(wordlist 1,2,$(PINS_OF)) --output-file requirements-docs.txt
	$(COMPILE) pyproject.toml --extra cluster --extra files --group test $(wordlist 1,4,$(PINS_OF)) --output-file requirements-test.txt
	$(COMPILE) --group dev $(wordlist 1,6,$(PINS_OF)) --output-file requirements-dev.txt
	$(COMPILE) --group tools $(PINS_OF) --output-file requirements-tools.txt

# Whether faults are known in what is pinned; where no list of them can be reached, it says so.
.PHONY: audit
audit: $(TOOLS)/ready
	$(TOOLS)/bin/python deploy/audit.py $(sort $(wildcard requirements*.txt))

# What the app is made of, for those who keep an account of it.
.PHONY: bill-of-materials
bill-of-materials: $(APP)/ready
	mkdir -p build
	$(APP)/bin/python deploy/bill_of_materials.py requirements.txt >build/bill-of-materials.json

$(APP)/ready: requirements.txt
	$(PYTHON) -m venv $(APP)
	$(APP)/bin/python $(PINNED) -r requirements.txt
	$(APP)/bin/python -m cml_app --prepare
	touch $@

$(APP)/ready-docs: $(APP)/ready requirements-docs.txt
	$(APP)/bin/python $(PINNED) -r requirements.txt -r requirements-docs.txt
	touch $@

$(APP)/ready-dev: $(APP)/ready-docs requirements-test.txt requirements-dev.txt
	$(APP)/bin/python $(PINNED) $(addprefix -r ,requirements.txt requirements-docs.txt requirements-test.txt requirements-dev.txt)
	touch $@

$(CORE)/ready: pyproject.toml requirements-test.txt
	$(PYTHON) -m venv $(CORE)
	$(CORE)/bin/python $(PINNED) -r requirements-test.txt
	$(CORE)/bin/python $(CHECKOUT) .
	touch $@

$(TOOLS)/ready: requirements-tools.txt
	$(PYTHON) -m venv $(TOOLS)
	$(TOOLS)/bin/python $(PINNED) -r requirements-tools.txt
	touch $@

# pip knows only the newest, so what is at least becomes what is exactly; of what only tests need,
# what is pinned.
$(OLDEST)/ready: pyproject.toml requirements.txt requirements-test.txt
	$(OLDEST_PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python -c "import tomllib; project = tomllib.load(open('pyproject.toml', 'rb')); \
	    print(*project['project']['dependencies'], sep='\n')" | sed 's/>=/==/' >$(OLDEST)/oldest.txt
	grep -h == requirements-test.txt | grep -vxFf requirements.txt | sed 's/ *\\$$//' >$(OLDEST)/tests.txt
	$(OLDEST)/bin/python $(PIP) -c $(OLDEST)/oldest.txt -r $(OLDEST)/tests.txt --editable '.[files]'
	touch $@

clean:
	rm -rf $(APP) $(CORE) $(OLDEST) $(TOOLS) $(SITE) node_modules build dist .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name '*.nb[ci]' -not -path './.*' -delete
