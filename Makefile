# The two commands, and what they share. Everything else is CMake: see CMakePresets.json.
.DELETE_ON_ERROR:
.PHONY: report test setup build bench asan fuzz format format-check tidy clean

REPORT_DIR ?= build/report

report: build
	build/release/bin/vernier report -o $(REPORT_DIR) \
		--implementations build/release/reports/interop/implementations.json

test: build
	ctest --preset release

build: setup
	cmake --preset $(if $(CI),ci,release) -Wno-dev --log-level=WARNING
	cmake --build --preset release

setup:
	@.ci/install-packages apt-packages.txt

# The ratios of speed that the manual's page on performance names, and build/bench.json.
bench: setup
	cmake --preset bench -Wno-dev --log-level=WARNING
	cmake --build --preset bench
	node reports/bench/ratios.mjs build/release/bin build/bench.json

# Looks for inputs that break the readers of files, FUZZ_SECONDS each: what .ci/fuzz finds, it keeps in build/fuzz.
FUZZ_SECONDS ?= 60

fuzz: setup
	cmake --preset fuzz -Wno-dev --log-level=WARNING
	cmake --build --preset fuzz
	.ci/fuzz $(FUZZ_SECONDS)

asan: setup
	cmake --preset asan -Wno-dev --log-level=WARNING
	cmake --build --preset asan
	ctest --preset asan

SOURCES = $(shell git ls-files '*.hpp' '*.cpp')

format:
	clang-format -i $(SOURCES)

format-check:
	clang-format --dry-run --Werror $(SOURCES)

tidy: setup
	cmake --preset tidy -Wno-dev --log-level=WARNING
	run-clang-tidy -quiet -p build/tidy '^.*/(reference|numerics|props|reports)/.*\.cpp$$'

clean:
	rm -rf build
