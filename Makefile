# Two commands on a fresh machine: make demo, make test. They need Python >= 3.11, git and make.

PYTHON := $(shell for each in "$(PYTHON)" python3 python3.13 python3.12 python3.11; do \
	[ -n "$$each" ] && "$$each" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$each" && break; \
	done)
VENV := .venv
SPARK := .venv-spark
EXTRAS := dev,test-sail
CONSTRAINTS := constraints.txt
BIN := $(VENV)/bin
RUN := $(VENV)/.installed-run
DEV := $(VENV)/.installed-dev
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint $(CONSTRAINTS)

.PHONY: demo test coverage test-long test-languages test-browser test-spark bench-spark bench-spark-classic check verify generate site bench build clean tools mutants

demo: $(RUN)
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

test: $(DEV)
	$(BIN)/python -m pytest -n auto

# The same tests, told which lines and branches they run; that takes half as long again.
coverage: $(DEV)
	$(BIN)/python -m pytest -n auto --cov --cov-report=term:skip-covered

test-long: $(DEV)
	$(BIN)/python -m pytest -n auto -m 'long and not languages'
	$(BIN)/python -m pytest -n 0 -m 'long and languages'

# TypeScript, Go, Java and Rust: what has no toolchain here is skipped and counted.
test-languages: $(DEV)
	$(BIN)/python -m pytest -n 0 -m 'languages and not long'

# The pages of the reports in headless Chromium (on Debian: apt-get install chromium) and under axe-core, by npm.
test-browser: $(DEV)
	$(BIN)/python -m pytest -n 0 -m browser

# Tables on Spark classic and Spark Connect, which need Java 17 (on Debian: apt-get install openjdk-17-jre-headless).
# Beside the other packages only Sail has room, as pyspark and its client are one package of two sizes.
test-spark: $(SPARK)/.installed
	$(SPARK)/bin/python -m pytest --force-enable-socket -m spark -k classic tests/spark
	$(SPARK)/bin/python -m pytest --force-enable-socket -m spark -k connect tests/spark

# Plants bugs in the prover, one by one, a sixtieth of them; all take hours. make mutants MUTANTS="--part 2/60"
MUTANTS := --part 1/60
mutants: $(DEV)
	$(BIN)/python -m tests.mutants $(MUTANTS)

check: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/check-jsonschema --schemafile schemas/authoring.json schemas/*/[0-9]*.json
	$(BIN)/python -m tools.generate --check

# Needs the git history: what was released may never change, and a change needs the right number.
verify: $(RUN)
	$(BIN)/evalcontract schema verify
	$(BIN)/evalcontract schema verify --schemas src/evalcontract/reports/contracts
	$(BIN)/evalcontract schema breaking --against all

generate: $(DEV)
	$(BIN)/python -m tools.generate

# The contracts as pages; begin with site/index.html.
site: $(RUN)
	$(BIN)/evalcontract schema site --output site

bench: $(DEV)
	$(PIP) -e '.[bench]'
	$(BIN)/python -m tests.bench $(BENCH)

# CPU and memory of the function that workers run, CPU of a row on Sail, repeated ids and keys among 10^8 rows; ends with
# 1 where a cost isn't linear or memory grows. It takes five minutes: make bench-spark BENCH=worker is one part.
bench-spark: $(DEV)
	$(BIN)/python -m tests.bench.spark $(BENCH)

# CPU of a row on Spark, with its JVM, and the memory of its Python workers. It needs Java 17, as test-spark does.
bench-spark-classic: $(SPARK)/.installed
	$(SPARK)/bin/python -m tests.bench.spark classic

build: $(DEV)
	$(BIN)/python -m build --outdir dist .

clean:
	rm -rf .venv .venv-* dist spark-warehouse build site .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage

tools:
	@command -v git >/dev/null || { echo "evalcontract needs git on the PATH" >&2; exit 1; }
	@[ -n "$(PYTHON)" ] || { echo "evalcontract needs Python 3.11 or newer: install it, or say make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "$(PYTHON) has no venv module: install it (on Debian: python3-venv)" >&2; exit 1; }

$(BIN)/python: | tools
	$(PYTHON) -m venv $(VENV)

$(RUN): pyproject.toml $(CONSTRAINTS) | $(BIN)/python
	$(PIP) --editable .
	@touch $@

$(SPARK)/.installed: pyproject.toml $(CONSTRAINTS) | tools
	$(PYTHON) -m venv $(SPARK)
	$(SPARK)/bin/python -m pip install --quiet --disable-pip-version-check --constraint $(CONSTRAINTS) --editable '.[test-spark]'
	@touch $@

$(DEV): pyproject.toml $(CONSTRAINTS) | $(BIN)/python
	$(PIP) --editable '.[$(EXTRAS)]'
	@touch $@ $(RUN)
