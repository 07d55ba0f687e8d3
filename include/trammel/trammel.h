// SPDX-License-Identifier: MIT
/// @file trammel.h Includes all headers of the library.

#ifndef TRAMMEL_TRAMMEL_H
#define TRAMMEL_TRAMMEL_H

#include "trammel/assemble.h"
#include "trammel/base.h"
#include "trammel/branches.h"
#include "trammel/check.h"
#include "trammel/checkpoint.h"
#include "trammel/compare.h"
#include "trammel/control.h"
#include "trammel/eval.h"
#include "trammel/hdf5.h"
#include "trammel/lua.h"
#include "trammel/model.h"
#include "trammel/modes.h"
#include "trammel/plot.h"
#include "trammel/record.h"
#include "trammel/registry.h"
#include "trammel/result.h"
#include "trammel/sim.h"
#include "trammel/system.h"
#include "trammel/verify.h"

#endif
