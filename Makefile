# `make demo` and `make test` work from a bare clone: they make the virtual environment themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
NOTEBOOKS := $(wildcard notebooks/*.ipynb)

.PHONY: demo test test-all lint fuzz oracle bench clean
.DEFAULT_GOAL := test

$(STAMP): setup.cfg pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[test,notebook]'
	touch $@

demo: $(STAMP)
	mkdir -p build
	$(BIN)/transpile notebooks/digits.py -o build/digits_grad.py --value-and-grad loss --show
	$(BIN)/python notebooks/train_digits.py

# All that is plain Python, and one in SHARE of the tests that compile, as far as earlier runs have not kept the machine code;
# `make test-all` runs every one, compiled anew. Notebooks come first, since they take long.
SHARE ?= 6
test: lint
	$(BIN)/python -m pytest -n 2 --dist worksteal --share $(SHARE) $(ANEW) --nbmake --nbmake-timeout=300 $(NOTEBOOKS) tests transpiler

test-all:
	$(MAKE) test SHARE=1 ANEW=--anew

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Random programs against finite differences: `make fuzz N=1000`; failures are shrunk and printed.
N ?= 200
FIRST ?= 0
fuzz: $(STAMP)
	$(BIN)/python -m tests.fuzz.campaign --first $(FIRST) --count $(N)
	$(BIN)/python -m tests.fuzz.campaign --first $(FIRST) --count $$(( ($(N) + 9) / 10 )) --jit
	$(BIN)/python -m tests.fuzz.campaign --dialect all --first $(FIRST) --count $(N)

# Derivatives at special values beside JAX's, where they should be the same.
oracle: $(STAMP)
	$(BIN)/python -m pip install --quiet --editable '.[oracle]'
	$(BIN)/python -m tests.oracle.special_values

# Beside JAX, PyTorch, NumPy and hand-written Numba; writes docs/benchmarks.md. Leave the machine alone meanwhile.
bench: $(STAMP)
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	$(BIN)/python -m benchmarks.contenders --page

clean:
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -path ./$(VENV) -prune -o -name __pycache__ -type d -print | xargs rm -rf
