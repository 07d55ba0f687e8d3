// SPDX-License-Identifier: MIT
// cmocka and what it needs before itself. Tests take a state that most have no use for.

#ifndef TR_TESTS_SUPPORT_TEST_H
#define TR_TESTS_SUPPORT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

#endif
