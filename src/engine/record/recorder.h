// SPDX-License-Identifier: MIT
// A recorder whose files replace older ones only when its owner says so.

#ifndef TR_RECORD_RECORDER_H
#define TR_RECORD_RECORDER_H

#include <stdbool.h>

#include "trammel/record.h"

// Before tr_recorder_begin: all files are made beside older ones, which stay until
// tr_recorder_take_names. Files that have not taken their names are removed when they are closed.
void     tr_recorder_keep_old(trRecorder *recorder);
trStatus tr_recorder_take_names(trRecorder *recorder) TR_MUST_CHECK;

// Whether there are files under these names: those of this recorder, or of the run that it goes on
// with. A failure before leaves older files, of which nothing is known.
bool tr_recorder_has_files(const trRecorder *recorder);

#endif
