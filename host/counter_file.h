/* SPDX-License-Identifier: BSD-3-Clause */
/** @file counter_file.h
 *  A file as the medium of a counter store (wardmote/counter_store.h), for a gateway or a tool
 *  under POSIX.
 *
 *  Every write is synchronised (fdatasync) before a call returns. The disk is assumed to keep this
 *  promise: when power fails, each sector that was being written has its old or its new contents,
 *  and no other sector has changed. Each segment has 4096 octets of its own, so no sector and no
 *  page holds parts of two. A sector that is lost all the same shows as WM_ERR_STORAGE, but for one
 *  that reads as ones and has the newest records: nothing behind it says that they were there.
 *
 *  One process at a time uses a file: it is locked while it is open. After a fork the parent goes on;
 *  the child gets WM_ERR_STORAGE for everything, and WM_ERR_STATE if it opens the file anew. Under
 *  Linux from 4.14 on this holds for every child. Elsewhere only the process number tells parent
 *  and child apart. A descendant can get the parent's number, after the parent has ended or in
 *  another namespace; it is then taken for the parent. The lock lasts until both have closed the
 *  file, ended or called exec. Never restore the file from a backup: that brings old counters back,
 *  and nothing here can notice it. */
#ifndef HOST_COUNTER_FILE_H
#define HOST_COUNTER_FILE_H

#include <wardmote/port/counter_port.h>

#define COUNTER_FILE_SEGMENTS 2
#define COUNTER_FILE_SEGMENT_OCTETS 4096

/** A file that may be open. All zero, it is not: the store gets WM_ERR_STORAGE. */
typedef struct counter_file {
    int descriptor; /**< -1: not open */
    long owner;     /**< the process that opened it; 0: none has */
    void *mark;     /**< a page that is empty in a child; NULL: the system has no such pages */
} counter_file;

/** Two segments of 510 records. `medium` is a counter_file that is open. */
extern const wm_counter_port counter_file_port;

/** Makes a file at `path` that holds an empty store, whole or not at all. Do this once, when the keys
 *  are installed, not at every start: see wm_counter_store_create. The file is not open then.
 *  @retval WM_ERR_STATE    there is a file of that name; it is left as it is
 *  @retval WM_ERR_STORAGE  it cannot be made; errno says more. If only the folder could not be
 *                          synchronised, the file is there */
WM_NODISCARD wm_status counter_file_create(const char *path);

/** Opens the file at `path` and locks it. Makes none.
 *  @retval WM_ERR_NO_STORE there is no file of that name: none was made, or it is lost
 *  @retval WM_ERR_STATE    another process has it open
 *  @retval WM_ERR_STORAGE  it cannot be opened or locked, or is no file of this size; errno says
 *                          more */
WM_NODISCARD wm_status counter_file_open(counter_file *file, const char *path);

/** Closes and unlocks it; nothing, if it is not open. A store on it gets WM_ERR_STORAGE from then
 *  on. */
void counter_file_close(counter_file *file);

#endif
