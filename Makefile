# The front door: makes the machine ready (tools/setup), then calls Meson.
# `make help` lists the targets. Variables: PREFIX, DESTDIR (install),
# FUZZ_CC (a clang), GPU_OPTIONS (of tools/gpu-run).

PREFIX  ?= /usr/local
FUZZ_CC ?= clang-14
GPU_OPTIONS ?= --mps

SHELL   := /bin/sh
STEP    := tools/sum-tests
# ninja does the parallel work, so make's own -j goes no further
SUBMAKE  = env MAKEFLAGS= $(MAKE) --no-print-directory RECONFIGURE=1 FUZZ_CC='$(FUZZ_CC)'
OPTIONS := -Dgrammars='$(CURDIR)/.deps/grammars'
ASAN    := -Db_sanitize=address,undefined -Dwerror=true -Dstatic=false
export DESTDIR

.PHONY: help demo build build-asan build-fuzz check eval bench compare gpu install install-check \
        clean distclean setup-demo
.NOTPARALLEL:

help:
	@echo 'make demo      install what is missing, build, ask three questions, verify'
	@echo 'make build     the same without the questions: build/shmemlore'
	@echo 'make check     install test tools too, build in three ways, run every test'
	@echo 'make eval      answer the labelled questions and print recall and size'
	@echo 'make bench     time ask, indexing and verify; compare with rg'
	@echo 'make compare   ask 40 questions of ask, rg and a BM25 package: BENCHMARK.md'
	@echo 'make gpu       build and run the examples on a machine with GPUs'
	@echo 'make install   into PREFIX (now $(PREFIX)), below DESTDIR if set'
	@echo 'make clean     remove what was built; distclean: also the downloads'

# configure DIR,ENVIRONMENT,OPTIONS: once; again if RECONFIGURE is set, since a
# library that was not there the first time (cmocka) may be there now
define configure
@if [ ! -f $(1)/build.ninja ]; then $(2) meson setup $(1) $(3); \
elif [ -n '$(RECONFIGURE)' ]; then meson setup --reconfigure $(1) $(3); fi
endef

# say COMMAND: echo it as a person would type it, then run it
define say
@printf '\n$$ %s\n' "$(1)"
@$(1)

endef

demo: build
	$(call say,build/shmemlore ask 'why does my program hang in nvshmem_barrier_all?')
	$(call say,build/shmemlore ask 'How do I bootstrap NVSHMEM from an existing torch.distributed world?')
	$(call say,build/shmemlore ask 'What does an RMA put actually do at the hardware level?')
	$(call say,build/shmemlore show nvshmem:src/include/device/nvshmem_defines.h:586-590)
	$(call say,build/shmemlore verify)
	@printf '\nNext: build/shmemlore ask "your question", or make install PREFIX=$$HOME/.local\n'

setup-demo:
	@tools/setup demo

build: setup-demo
	$(call configure,build,,--buildtype=release $(OPTIONS))
	@ninja -C build

build-asan:
	$(call configure,build-asan,,$(ASAN) $(OPTIONS))
	@ninja -C build-asan

build-fuzz:
	$(call configure,build-fuzz,CC='$(FUZZ_CC)',-Dfuzz=enabled -Dstatic=false)
	@ninja -C build-fuzz

# Every phase runs even if a test of an earlier one failed; a failed build stops.
# The last line is `N passed, N failed, N skipped`.
check:
	@$(STEP) start
	@$(STEP) build 'set-up' tools/setup check
	@$(STEP) build 'release build' $(SUBMAKE) build
	@$(STEP) build 'sanitizer build' $(SUBMAKE) build-asan
	@$(STEP) build 'fuzz build' $(SUBMAKE) build-fuzz
	@$(STEP) meson 'tests, release' build
	@$(STEP) meson 'tests, sanitizers' build-asan --timeout-multiplier 5
	@$(STEP) meson 'fuzz smoke' build-fuzz --suite fuzz
	@$(STEP) test 'clients of mcp' tests/mcp/clients/run
	@$(STEP) test 'conformance' tests/mcp/conformance build/shmemlore mcp
	@$(STEP) test 'conformance, fixture' tests/mcp/conformance --all build/tests/mcp-fixture
	@for check in tools/check-*; do \
	    if [ -x "$$check" ]; then $(STEP) test "$$check" "$$check"; fi; \
	done
	@$(STEP) total

eval: build
	@tests/eval/run

bench: build
	@bench/run
	@bench/usage
	@bench/api
	@bench/docs-convert
	@bench/overlap

# downloads a Python package (deps/bm25.txt) the first time
compare: build
	@bench/compare

# e.g. make gpu GPU_OPTIONS='--arch sm_90'; each run writes its record
gpu:
	@status=0; for example in examples/*.cu; do \
	    tools/gpu-run $(GPU_OPTIONS) "$$example" || status=$$?; \
	done; exit $$status

# before anything is built: Meson would tell it by a traceback at the end
install-check:
	@case '$(PREFIX)' in '~'*) echo "PREFIX='$(PREFIX)': only a shell expands ~;" \
	    "make install PREFIX=\$$HOME/..." >&2; exit 2;; esac; \
	for folder in bin libexec; do \
	    at="$$DESTDIR$$(realpath -m -s -- '$(PREFIX)')/$$folder"; \
	    while [ ! -e "$$at" ]; do at=$$(dirname -- "$$at"); done; \
	    if [ ! -w "$$at" ]; then \
	        echo "$$at is not writable: make install PREFIX=\$$HOME/.local" >&2; exit 2; \
	    fi; \
	done

install: install-check build
	@meson configure build -Dprefix="$$(realpath -m -s -- '$(PREFIX)')"
	@meson install -C build

clean:
	rm -rf build build-asan build-fuzz build-check

distclean: clean
	rm -rf .deps
