#!/bin/sh
# Usage: headers.sh INCLUDE CC
# Each public header compiles alone, in C11 and in C++17, without a warning.
set -eu
include=$1 cc=$2 cxx=${CXX:-c++}
count=0
for header in "$include"/trammel/*.h; do
    name=trammel/$(basename "$header")
    for compiler in "$cc -std=c11 -x c" "$cxx -std=c++17 -x c++"; do
        # shellcheck disable=SC2086 # the compiler comes with its options
        printf '#include "%s"\n#include "%s"\n' "$name" "$name" |
            $compiler -I "$include" -Wall -Wextra -Wpedantic -Werror -fsyntax-only - ||
            { echo "$name does not compile alone with $compiler"; exit 1; }
    done
    count=$((count + 1))
done
[ "$count" -gt 0 ] || { echo "no headers in $include"; exit 1; }
