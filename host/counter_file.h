/* SPDX-License-Identifier: BSD-3-Clause */
/** @file counter_file.h
 *  A file as the medium of a counter store (wardmote/counter_store.h), for a gateway or a tool
 *  under POSIX.
 *
 *  Every write is in the file system's hands and synchronised (fdatasync) before a call returns.
 *  What is assumed of the disk: power that fails leaves each sector that was being written with its
 *  old or its new contents, and no other one changed. Each segment has 4096 octets of its own, so
 *  no sector and no page holds parts of two. A sector that is lost all the same shows as
 *  WM_ERR_STORAGE.
 *
 *  One process uses a file: it is locked while it is open. A copy of the file that is put back
 *  later brings old counters back, which nothing here can notice: never restore it from a
 *  backup. */
#ifndef HOST_COUNTER_FILE_H
#define HOST_COUNTER_FILE_H

#include <wardmote/port/counter_port.h>

#define COUNTER_FILE_SEGMENTS 2
#define COUNTER_FILE_SEGMENT_OCTETS 4096

typedef struct counter_file {
    int descriptor; /**< -1: not open */
} counter_file;

/** Two segments of 510 records. `medium` is a counter_file that is open. */
extern const wm_counter_port counter_file_port;

/** Opens the file at `path` and locks it. One that is not there is made, blank:
 *  wm_counter_store_open then says WM_ERR_STATE.
 *  @retval WM_ERR_STATE    another process has it open
 *  @retval WM_ERR_STORAGE  it cannot be made, opened or locked, or is no file of this size; errno
 *                          says more */
WM_NODISCARD wm_status counter_file_open(counter_file *file, const char *path);

/** Closes and unlocks it. */
void counter_file_close(counter_file *file);

#endif
