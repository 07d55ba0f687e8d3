# The front door. CMake with presets does the work (see CMakePresets.json).
#
#   make             build the library and the command into build/; the command is build/trammel
#   make demo        install missing packages, build, show what Trammel can do
#   make check       install missing packages, build the tests and run them: up to 8 minutes on two cores
#   make check-long  run the tests that take longer: up to 60 minutes
#   make bench       measure, beside other codes where they are installed
#   make papers      write docs/papers anew
#   make fuzz        FUZZ_SECONDS=60: libFuzzer on every target, AFL++ with FUZZER=afl
#   make install     PREFIX=/usr/local DESTDIR=
#   make format      make tidy      make clean

PREFIX ?= /usr/local
BUILD := build
DEMO := $(BUILD)/demo
SOURCES := $(shell find include src tests fuzz bench examples papers -name '*.[ch]' 2>/dev/null)

export OPENBLAS_NUM_THREADS ?= 1

.PHONY: all demo tests check check-long bench papers fuzz install clean format tidy

all:
	@cmake --preset release
	@cmake --build --preset release

demo:
	@tools/install_deps.sh build check
	@$(MAKE) --no-print-directory all
	@mkdir -p $(DEMO)
	@tools/demo.sh $(DEMO) $(CURDIR)/$(BUILD)/trammel $(CURDIR)/models

tests:
	@tools/install_deps.sh build check
	@cmake --preset release
	@cmake --build --preset tests

check: tests
	@ctest --preset release

check-long: tests
	@ctest --preset long
	@tools/processors.sh -- -L 'unit|family|scenario|glue'
	@for system in bookworm trixie 'bookworm arm64'; do \
	    tools/fresh.sh $$system || [ $$? = 77 ] || exit 1; done

bench: all
	@python3 bench/run.py $(BUILD)

papers:
	@cmake --preset release
	@cmake --build --preset release --target papers
	@for program in $(BUILD)/papers/paper_* $(BUILD)/papers/index; do \
	    echo "$$program" && "$$program" . docs/papers || exit 1; done

FUZZ_SECONDS ?= 60
FUZZER ?= libfuzzer
FUZZ_SEED ?= 0

fuzz:
	@tools/install_deps.sh build check fuzz
	@FUZZ_SEED=$(FUZZ_SEED) tools/fuzz.sh $(FUZZER) $(FUZZ_SECONDS)

install: all
	@DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix "$(PREFIX)"
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ] && command -v ldconfig >/dev/null; then ldconfig; fi

format:
	@clang-format -i $(SOURCES)

tidy: all
	@tools/tidy.sh $(BUILD)

clean:
	@cmake -E rm -rf $(BUILD)
