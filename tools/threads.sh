#!/usr/bin/env bash
# Usage: tools/threads.sh
# Builds the tests with threads under ThreadSanitizer into build/threads and runs them: a data race
# in Trammel, or a call of HDF5 outside its lock, ends the test.
set -euo pipefail
cd "$(dirname "$0")/.."

flags="-fsanitize=thread -g -O1"
cmake -S . -B build/threads -G Ninja -DCMAKE_BUILD_TYPE=Debug -DTRAMMEL_TESTS=ON \
    -DCMAKE_C_FLAGS="$flags" -DCMAKE_EXE_LINKER_FLAGS=-fsanitize=thread \
    -DCMAKE_SHARED_LINKER_FLAGS=-fsanitize=thread >/dev/null
ninja -C build/threads record_test_threads
TSAN_OPTIONS=halt_on_error=1 build/threads/tests/record_test_threads
