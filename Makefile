# The whole set-up in a word: `make demo` plays, `make test` tests. Everything goes into .venv.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
RUN    := $(BIN)/python -m
PIP    := $(BIN)/pip install --quiet --disable-pip-version-check
ARGS   ?=
# What the page's tests, types and words need; npm writes it last.
NODE_MODULES := tests/page/node_modules/.package-lock.json
# What `make install` takes: BUILD=hub-lean (a file of wiring/), CLUB=1 (a broker for a club), ARGS=--dry-run.
INSTALL = $(if $(wildcard /usr/bin/python3),/usr/bin/python3,$(PYTHON)) -B -m systemd.install

# Debian packages are installed only if their program is missing, with sudo when we are not root.
SUDO   := $(shell [ "$$(id -u)" = 0 ] || command -v sudo)
APT    := env DEBIAN_FRONTEND=noninteractive apt-get
# Slow tests start real programs, which a busy machine starves: what failed beside others is tried once more, alone.
# What is left to the night runs with STRICT=1 only: `make nightly`.
SLOW   := "slow and not firmware_game and not gpio_sim$(if $(STRICT),, and not nightly)"
# They also wait, for broker and browser and each other: four of them keep two cores busy.
SEVERAL = $(shell expr $$(nproc) \* 2)
# A flake is told; with STRICT=1, as in `make nightly`, it fails.
ALONE   = $(BIN)/python tests/flakes.py $(if $(STRICT),--strict) -m $(SLOW)
export PATH := $(PATH):/usr/sbin:/sbin
# pytest rewrites every test file; without its cache each worker does so anew, for longer than it collects.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: docs-site hardware assembly home-assistant help demo test test-lite nightly fast coverage explore check lint wheel-check bench faults mutants docs clauses page pictures wiring lock install upgrade rollback uninstall dist deb deb-check deb-tools release-check install-check image-check container-check gpio-sim-check pi-check clean mosquitto test-tools node-tools firmware firmware-tools

help: ## Show what can be made
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/.demo mosquitto ## Play on a simulated board; watch on any phone (ARGS="--speed 5" …)
	@$(BIN)/hextraction demo $(ARGS)

test: $(VENV)/.dev $(NODE_MODULES) mosquitto test-tools firmware-tools ## Run all tests that a change waits for, slow ones and browser included (about a quarter of an hour on two cores)
	@mkdir -p build && date +%s >build/.tests-began
	$(RUN) pytest -m "not slow" --numprocesses auto $(ARGS)
	@date +%s >build/.fast-ended
	$(RUN) pytest -m $(SLOW) --numprocesses $(SEVERAL) --dist worksteal --durations 10 $(ARGS) || $(ALONE)
	@began=$$(cat build/.tests-began); fast=$$(cat build/.fast-ended); now=$$(date +%s); \
	  echo "Tests took $$((now - began)) s: fast ones $$((fast - began)) s, slow ones $$((now - fast)) s (the ten dearest are listed above)"

nightly: $(VENV)/.site ## Everything that CI runs and what is left to the night (half an hour); no test may fail beside others
	$(MAKE) check STRICT=1

fast: $(VENV)/.dev ## Run the fast tests only (about a minute)
	$(RUN) pytest -m "not slow" --numprocesses auto $(ARGS)

test-lite: $(VENV)/.dev ## Run the fast tests one after the other, without browser and broker: for a machine with 2 GB
	$(RUN) pytest -m "not slow" --numprocesses 0 $(ARGS)

coverage: $(VENV)/.dev ## See which lines and branches the fast tests reach, nine in ten at least (counting takes twice as long)
	$(RUN) pytest -m "not slow" --numprocesses auto --cov --cov-report=term --cov-report=xml:build/coverage.xml $(ARGS)

explore: $(VENV)/.dev ## Look for faults by chance: all properties and random evenings, with other examples each time
	$(RUN) pytest --hypothesis-profile=explore -m "(hypothesis or slow) and not browser and not broker and not firmware and not firmware_game and not gpio_sim" --numprocesses auto $(ARGS)

check: lint test wheel-check ## Everything that CI runs

lint: $(VENV)/.dev $(NODE_MODULES) ## Formatting, lint, types, import contracts
	$(RUN) ruff format --check .
	$(RUN) ruff check .
	MYPYPATH=tests/typing_root:. $(RUN) mypy -p hextraction -p hardware -p systemd -p release -p docs -p bench
	set -e; for room in examples/*/; do \
		MYPYPATH=tests/typing_root:$$room $(RUN) mypy -p $$(basename $$room); done
	$(BIN)/codespell README.md CHANGELOG.md CONTRIBUTING.md docs api board controller hal hardware release simulator systemd examples bench
	npm --prefix tests/page run --silent check
	PYTHONPATH=tests/typing_root $(BIN)/lint-imports

wheel-check: $(VENV)/.dev mosquitto ## Build the wheel and try it in a clean venv
	$(BIN)/python tests/wheel_check.py

bench: $(VENV)/.dev mosquitto ## Measure, with Mission Pinball Framework beside it in a venv of its own
	@.bench-venv/bin/python -c 'import mpf, stonesoup, ortools' 2>/dev/null || { $(PYTHON) -m venv .bench-venv && .bench-venv/bin/pip install --quiet "mpf>=0.81,<0.82" "stonesoup>=1.9,<2" "ortools>=9.10,<10"; }
	PYTHONPATH=tests $(BIN)/python -m bench.run $(ARGS)

faults: $(VENV)/.dev mosquitto ## Let everything fail at a real table for ten minutes, by seed (ARGS="--seed 7 --minutes 10")
	PYTHONPATH=tests $(BIN)/python -m faults_check $(ARGS)

home-assistant: $(VENV)/bin/python ## Install Home Assistant for its own word on our discovery (half a gigabyte), keep what its schemas want, and a core that finds the board (a gigabyte, python3.13)
	test -x build/home-assistant/bin/python || $(BIN)/python -m venv build/home-assistant
	build/home-assistant/bin/python -m pip install --quiet "homeassistant==2024.3.3"
	build/home-assistant/bin/python tests/helpers/home_assistant/judge.py record >tests/helpers/home_assistant/wants.json
	@command -v python3.13 >/dev/null || { echo "Without python3.13 there is no core of Home Assistant that knows device discovery; its validators are there."; exit 0; }; \
	  test -x build/home-assistant-core/bin/python || python3.13 -m venv build/home-assistant-core; \
	  build/home-assistant-core/bin/python -m pip install --quiet --prefer-binary "homeassistant==2025.4.4" "paho-mqtt==2.1.0" PyTurboJPEG av "fnv-hash-fast==1.4.0" "psutil-home-assistant==0.0.1"

firmware: $(VENV)/bin/python firmware-tools ## Build the sensor hub's firmware into hal/firmware/release
	$(BIN)/python hal/firmware/build.py

mutants: $(VENV)/.dev ## See whether the tests notice changes of rules and tracker (an hour)
	$(BIN)/python tests/mutation_check.py $(ARGS)

docs: $(VENV)/.dev ## Write the generated parts of the documentation
	$(BIN)/python -m docs.generate

docs-site: $(VENV)/.site ## Build the site into build/site, without a network: open build/site/index.html, or serve that folder
	$(BIN)/python -m docs.site
	PYTHONPATH=. NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clauses: $(VENV)/.dev ## Tell of a clause what code keeps it and which scenarios prove it (ARGS="2.1.5 R-33")
	@$(BIN)/python -m docs.citations $(ARGS)

page: $(NODE_MODULES) ## Bundle the phones' page into controller/page/built
	npm --prefix tests/page run --silent bundle

words: $(VENV)/.dev $(NODE_MODULES) ## Bring the catalogue of words up to date: translations are edited in controller/page/**/de.po
	$(BIN)/python -m docs.words

pictures: $(VENV)/.dev mosquitto test-tools ## Take the pictures anew that the page is compared with; look at each that changed
	$(RUN) pytest tests/page/test_pictures.py --update-golden $(ARGS)

hardware: $(VENV)/.dev ## Make the circuit boards' files anew, and let KiCad 9 judge them (root, mmdebstrap, three minutes; ARGS=--check)
	test -d "$${KICAD_ROOT:-build/kicad-root}" || mmdebstrap --quiet --variant=minbase --aptopt='Apt::Install-Recommends "false"' \
	  --include=kicad,kicad-footprints,kicad-symbols,python3 trixie build/kicad-new
	test ! -d build/kicad-new || mv build/kicad-new build/kicad-root
	$(RUN) hardware.make $(ARGS)

# It wants wxPython for a window of its own, which nobody here opens: what it needs besides is there.
assembly: $(VENV)/.dev ## Make a page for each circuit board to fit its parts by, with a tick for each (build/assembly)
	$(PIP) --no-deps "InteractiveHtmlBom>=2.12,<3"
	$(RUN) hardware.assembly $(ARGS)

wiring: $(VENV)/.dev ## Write pin tables, drawings, parts and checklists from wiring/*.toml
	$(BIN)/hextraction wiring wiring/*.toml

lock: $(VENV)/bin/python ## Pin the newest versions that the ranges allow, for every processor and Python (KEEP=1: only add what is new)
	@$(BIN)/uv --version >/dev/null 2>&1 || $(PIP) "uv>=0.8,<1"
	for extra in table sim models pi pi5 dev site; do \
	  echo "setuptools>=77" | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-strip-extras $(if $(KEEP),,--upgrade) --no-annotate --no-header \
	    $$([ $$extra = table ] || echo --extra $$extra) --output-file requirements/$$extra.lock pyproject.toml - || exit 1; \
	done

dist: $(VENV)/.dev ## Build what is published into dist: wheel, sdist, bill of materials, hashes; the same bytes each time
	$(RUN) release.dist $(ARGS)

deb: $(VENV)/.dev deb-tools ## Build the Debian packages for amd64 and arm64 into dist, from the wheel there (ARGS="--architecture amd64"; ARGS=--twice compares two builds)
	@ls dist/hextraction-*.whl >/dev/null 2>&1 || $(MAKE) dist ARGS=
	$(RUN) release.deb $(ARGS)

install: ## Run the board as a service (sudo make install BUILD=hub-lean)
	@$(INSTALL) install $(if $(BUILD),--build $(BUILD)) $(if $(CLUB),--club) $(ARGS)

upgrade: ## Put this version in the service's place; games and settings stay (sudo)
	@$(INSTALL) upgrade $(ARGS)

rollback: ## Use the version before the last upgrade again; games and settings stay (sudo)
	@$(INSTALL) rollback $(ARGS)

uninstall: ## Take the service away; PURGE=1 takes games and settings, too (sudo)
	@$(INSTALL) uninstall $(if $(PURGE),--purge) $(ARGS)

release-check: $(VENV)/.dev ## Try `make demo`, the wheel by pipx, and what `make test` sets up, in a Debian 12 and a 13 of its own (root, mmdebstrap, half an hour)
	sh tests/release_check.sh

deb-check: $(VENV)/.dev ## Install, boot, upgrade and purge the Debian package of dist/ in a Debian 12 and a 13 of its own (root, mmdebstrap, systemd-container, ten minutes; ARCH=arm64: for a Pi, but the boot)
	sh tests/deb_check.sh

install-check: ## Install, upgrade, uninstall in a Debian 13 of its own (root, mmdebstrap, three minutes)
	sh tests/install_check.sh

image-check: ## Prepare an image and boot it (root, mmdebstrap, systemd-container, two minutes; ARCH=arm64: for a Pi)
	sh tests/image_check.sh

container-check: ## Build the image of the Containerfile and play in it (root, buildah, mmdebstrap, five minutes)
	sh tests/container_check.sh

gpio-sim-check: $(VENV)/.dev ## Real lgpio and rpi-lgpio on the simulated pins of a kernel (QEMU, mmdebstrap, five minutes)
	$(RUN) pytest tests/hal/test_gpio_sim.py --capture=no --quiet $(ARGS)

pi-check: $(VENV)/.dev ## Tests and a game on a Pi's processor, emulated: Debian 12 and 13 for arm64 (an hour or two; no root)
	PYTHONPATH=.:tests $(BIN)/python tests/pi_check.py $(ARGS)

clean: ## Remove what was made here (games in the home folder stay)
	rm -rf $(VENV) .bench-venv build dist *.egg-info .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

# --- set-up ---

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; $(PYTHON) is older."; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { $(SUDO) $(APT) update -qq && $(SUDO) $(APT) install -y -qq --no-install-recommends python3-venv; }
	$(PYTHON) -m venv $(VENV)

# What is installed is what the lock file knows, byte for byte; our own code is the checkout.
$(VENV)/.demo: pyproject.toml requirements/sim.lock | $(VENV)/bin/python
	$(PIP) --require-hashes --requirement requirements/sim.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml requirements/dev.lock | $(VENV)/bin/python
	$(PIP) --require-hashes --requirement requirements/dev.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@ $(VENV)/.demo

$(VENV)/.site: requirements/site.lock | $(VENV)/.dev
	$(PIP) --require-hashes --requirement requirements/site.lock
	@touch $@

mosquitto:
	@command -v mosquitto >/dev/null || { echo "Installing mosquitto (the MQTT broker)…"; if command -v brew >/dev/null; then brew install mosquitto; exit; fi; $(SUDO) $(APT) update -qq && $(SUDO) $(APT) install -y -qq --no-install-recommends mosquitto; }

$(NODE_MODULES): tests/page/package-lock.json | node-tools
	npm --prefix tests/page ci --silent --no-audit --no-fund
	@touch $@

node-tools:
	@command -v npm >/dev/null || { echo "Installing npm, which brings the page's type checker…"; $(SUDO) $(APT) update -qq && $(SUDO) $(APT) install -y -qq --no-install-recommends nodejs npm; }

# Most tests meet the page in the headless shell, which takes two thirds of the time; the browser itself is for the rest.
test-tools:
	@command -v chromium >/dev/null && { command -v chromium-headless-shell >/dev/null || ! apt-cache show chromium-headless-shell >/dev/null 2>&1; } && command -v systemd-analyze >/dev/null && command -v node >/dev/null && command -v clang >/dev/null && command -v ngspice >/dev/null || { \
	  echo "Installing what the tests drive: chromium, systemd-analyze, node, clang, ngspice…"; \
	  $(SUDO) $(APT) update -qq && $(SUDO) $(APT) install -y -qq --no-install-recommends chromium fonts-dejavu-core systemd clang gcc libc6-dev ngspice \
	    $$(apt-cache show chromium-headless-shell >/dev/null 2>&1 && echo chromium-headless-shell) \
	    $$(apt-cache show libclang-rt-dev >/dev/null 2>&1 && echo libclang-rt-dev || echo libclang-rt-14-dev) \
	    $$(command -v node >/dev/null || echo nodejs); }

# For a Pi's processor: one of its libraries is nowhere compiled (rpi_ws281x).
deb-tools:
	@command -v aarch64-linux-gnu-gcc >/dev/null && test -e /usr/share/keyrings/debian-archive-keyring.gpg || { \
	  echo "Installing a compiler for a Pi's processor…"; \
	  $(SUDO) $(APT) update -qq && $(SUDO) $(APT) install -y -qq --no-install-recommends gcc-aarch64-linux-gnu debian-archive-keyring; }

# The Pico SDK is a package of Debian 13; on 12 its sources are unpacked into build/, and nothing is installed.
firmware-tools:
	@command -v arm-none-eabi-gcc >/dev/null && command -v cmake >/dev/null && command -v ninja >/dev/null || { \
	  echo "Installing what builds the firmware: a compiler for ARM, cmake, ninja…"; \
	  $(SUDO) $(APT) update -qq && $(SUDO) $(APT) install -y -qq --no-install-recommends \
	    gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib cmake ninja-build; }
	@test -n "$$PICO_SDK_PATH" || test -e /usr/src/pico-sdk || test -e build/firmware-sdk/usr/src/pico-sdk || { \
	  echo "Getting the Pico SDK…"; \
	  if apt-cache show pico-sdk-source >/dev/null 2>&1; \
	  then $(SUDO) $(APT) install -y -qq --no-install-recommends pico-sdk-source; \
	  else sh hal/firmware/sdk.sh "$(CURDIR)/build/firmware-sdk"; fi; }
