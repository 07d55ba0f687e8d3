# cmake -D INPUT=<file> -D NAME=<name> -D OUTPUT=<file.c> -P embed.cmake
#
# Writes a file as a C array: unsigned char <name>[] and size_t <name>_size.
file(READ "${INPUT}" bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE "${OUTPUT}" "#include <stddef.h>

extern const unsigned char ${NAME}[];
extern const size_t ${NAME}_size;

const unsigned char ${NAME}[] = {
${bytes}};
const size_t ${NAME}_size = ${size};
")
