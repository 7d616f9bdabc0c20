# Each target installs the packages that it needs and builds just what it needs. Everything else is CMake: see
# CMakePresets.json.
.DELETE_ON_ERROR:
.PHONY: command report pictures comparisons survey test package wheel release install bench asan tsan clang aarch64 coverage mutants fuzz injection format format-check tidy clean

REPORT_DIR ?= build/report
INSTALL = @.ci/install-packages
CONFIGURE = cmake -Wno-dev --log-level=WARNING --preset
BUILD = cmake --build --preset

# build/release/bin/vernier
command:
	$(INSTALL) command
	$(CONFIGURE) command
	$(BUILD) command

# Of the implementations that it compares, those are judged that are there; `make test` brings the others.
report:
	$(INSTALL) command
	$(CONFIGURE) report
	$(BUILD) report
	build/release/bin/vernier report -o $(REPORT_DIR) \
		--implementations build/release/reports/interop/implementations.json

# The picture of README.md, light and dark, of the page of a verdict.
CHROMIUM ?= $(shell command -v chromium-headless-shell || command -v chromium || command -v chromium-browser)

pictures: command
	$(INSTALL) tests
	$(CONFIGURE) release
	$(BUILD) release --target vernier_web_checks
	node build/release/reports/web/readme_pictures.mjs build/release/bin/vernier reports $(CHROMIUM)

# The recorded results of the page Implementations: every listed implementation that is installed is asked again.
# POSITIONS of each table, at most.
POSITIONS ?= 4096
RECORDED = reports/report/pages/implementations/recorded_results.jsonl

comparisons:
	$(INSTALL) command tests comparisons
	$(CONFIGURE) release
	$(BUILD) release
	rm -f build/recorded.jsonl
	build/release/bin/vernier report -o build/report_recorded --positions $(POSITIONS) \
		--implementations build/release/reports/interop/implementations.json --history build/recorded.jsonl --label $$(date +%F)
	cp build/recorded.jsonl $(RECORDED)

# The recorded results of the page Libraries: the pinned versions of real libraries are installed in virtual environments below
# build/survey, and every encoding of theirs is asked and judged. NAMES: some of reports/bindings/python/environments.
survey:
	$(INSTALL) command tests survey
	$(CONFIGURE) release
	$(BUILD) release --target vernier vernier_python
	.ci/survey $(NAMES)
	PYTHONPATH=build/release/reports/python/test/stage python3 .ci/record_survey.py \
		$$(ls build/survey/*.json) > build/survey/recorded_survey
	mv build/survey/recorded_survey reports/report/pages/recorded_survey.json

# Where CI is set, warnings are errors and all comparisons are required.
test:
	$(INSTALL) command tests comparisons
	$(CONFIGURE) $(if $(CI),ci,release)
	$(BUILD) release
	ctest --preset release

# build/release/packages: two Debian packages, and archives that work wherever they are unpacked.
package:
	$(INSTALL) command packages
	$(CONFIGURE) command
	$(BUILD) package
	cd build/release && cpack

# build/wheel-PROCESSOR/wheel: the Python package, for pip and for indexes. PROCESSOR: x86_64 or aarch64.
PROCESSOR ?= $(shell uname -m)

wheel:
	$(INSTALL) command wheel $(if $(filter aarch64,$(PROCESSOR)),aarch64)
	@.ci/wheel-sysroot $(PROCESSOR)
	$(CONFIGURE) wheel-$(PROCESSOR)
	$(BUILD) wheel-$(PROCESSOR)

# build/release-files: what a release consists of.
release: package
	$(MAKE) wheel PROCESSOR=x86_64
	$(MAKE) wheel PROCESSOR=aarch64
	.ci/release build/release-files

# The command and the libraries below PREFIX.
PREFIX ?= /usr/local
install:
	$(INSTALL) command
	$(CONFIGURE) command
	$(BUILD) package
	cmake --install build/release --prefix $(PREFIX)

# Measures the ratios of speed and writes them into README.md and build/bench.json. Fails if one is below its floor
# (reports/bench/floors.json).
bench:
	$(INSTALL) command benchmarks
	$(CONFIGURE) bench
	$(BUILD) bench
	node --test reports/bench/floors.test.mjs
	node reports/bench/ratios.mjs build/release/bin build/bench.json README.md

# Looks for inputs that break the readers of files, FUZZ_SECONDS each: what .ci/fuzz finds, it keeps in build/fuzz.
FUZZ_SECONDS ?= 60

fuzz:
	$(INSTALL) command fuzzers
	$(CONFIGURE) fuzz
	$(BUILD) fuzz
	.ci/fuzz $(FUZZ_SECONDS)

# Every call of a distinct site fails once, in each command, in the library and in the wheel; then what the library leaks is
# counted. reports/test/injection/inject.py explains the table that it prints, and how to repeat one point.
INJECTION = --vernier build/release/bin/vernier --host build/release/bin/vernier_injection_host \
	--plugin build/release/plugins/sinusoidal_plugin.so --wheel build/injection/wheel

injection:
	$(INSTALL) command tests
	$(CONFIGURE) release
	$(BUILD) release
	rm -rf build/injection && mkdir -p build/injection
	python3 -m zipfile -e build/release/wheel/*.whl build/injection/wheel
	python3 reports/test/injection/inject.py $(INJECTION) --shim build/release/bin/vernier_injection.so
	python3 reports/test/injection/inject.py $(INJECTION) --shim build/release/bin/vernier_injection_with_new.so \
		--only libvernier --kinds alloc thread map --leaks

asan:
	$(INSTALL) command tests comparisons
	$(CONFIGURE) asan
	$(BUILD) asan
	ctest --preset asan

# The tests of what runs in threads. TBB is built along, from the sources of the distribution's package.
tsan:
	$(INSTALL) command tests comparisons
	@[ -e build/tbb ] || .ci/build-source onetbb "" "" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTBB_SANITIZE=thread \
		-DTBB_STRICT=OFF -DTBB_TEST=OFF -DTBB_EXAMPLES=OFF -DTBBMALLOC_BUILD=OFF -DCMAKE_INSTALL_LIBDIR=lib \
		-DCMAKE_INSTALL_PREFIX="$(CURDIR)/build/tbb"
	$(CONFIGURE) tsan
	$(BUILD) tsan
	ctest --preset tsan

# Another compiler's warnings.
clang:
	$(INSTALL) command tests comparisons clang
	$(CONFIGURE) clang
	$(BUILD) clang

# For another processor: the command is compiled, and the reference's tests say under an emulator that its bits are the same.
aarch64:
	$(INSTALL) command aarch64
	@.ci/aarch64-sysroot
	$(CONFIGURE) aarch64
	$(BUILD) aarch64
	ctest --preset aarch64

# How many of N changed programs the tests notice; SEED draws the same again. With SEED, IN may name the folder to change
# and the programs to run, if not all: IN="reference reference_test reference_oracle_test".
N ?= 200

mutants:
	$(INSTALL) command tests comparisons
	.ci/mutants.mjs $(N) $(SEED) $(IN)

# The branches of the reference that its tests never take.
coverage:
	$(INSTALL) command tests
	$(CONFIGURE) coverage
	$(BUILD) coverage
	find build/coverage -name '*.gcda' -delete
	ctest --test-dir build/coverage -R '^reference_(oracle_)?test' -j2 --output-on-failure
	.ci/coverage.mjs build/coverage reference

SOURCES = $(shell git ls-files '*.hpp' '*.cpp')
# Versions break lines differently, and releases of Debian have none in common that breaks them as this one.
CLANG_FORMAT_VERSION = 14.0.6
CLANG_FORMAT = build/clang-format-$(CLANG_FORMAT_VERSION)/bin/clang-format

$(CLANG_FORMAT):
	$(INSTALL) format
	python3 -m venv build/clang-format-$(CLANG_FORMAT_VERSION)
	$(@D)/pip install -q --disable-pip-version-check clang-format==$(CLANG_FORMAT_VERSION)

format: $(CLANG_FORMAT)
	$(CLANG_FORMAT) -i $(SOURCES)

format-check: $(CLANG_FORMAT)
	$(CLANG_FORMAT) --dry-run --Werror $(SOURCES)

tidy:
	$(INSTALL) command tests comparisons tidy
	$(CONFIGURE) tidy
	run-clang-tidy-22 -clang-tidy-binary clang-tidy-22 -quiet -p build/tidy '/(reference|numerics|props|reports)/.*\.c(pp|xx)$$'

clean:
	rm -rf build
