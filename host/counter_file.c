/* SPDX-License-Identifier: BSD-3-Clause */
/* A new file is written under a name that nobody has and linked to its own name when its contents are
 * on the disk. So a file that exists is whole, and remains of an earlier process do no harm.
 *
 * A fork copies the store's limits and shares the lock, so both processes would grant the counters
 * below a limit. Therefore only the process that opened the file may use it. Its process number
 * alone does not prove which one that is: numbers are reused after a process has ended, and each
 * namespace has a process 1. So there is also a mark in memory that a fork does not copy. */
#define _DEFAULT_SOURCE
#include "counter_file.h"
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wardmote/counter_store.h>

#define FILE_OCTETS (COUNTER_FILE_SEGMENTS * COUNTER_FILE_SEGMENT_OCTETS)
#define ERASED 0xFF
#define MARKED 1
#define NOBODY 0      /* no process has this number */
#define MARK_OCTETS 1 /* a page */

#ifdef MADV_WIPEONFORK
#define EMPTY_IN_CHILD MADV_WIPEONFORK
#else
#define EMPTY_IN_CHILD (-1) /* refused */
#endif

/* Writes everything or fails: a signal may cut a single write short. */
static bool write_all(int descriptor, const uint8_t *from, size_t len, off_t at)
{
    while (len != 0) {
        ssize_t done = pwrite(descriptor, from, len, at);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return false;
        }
        from += done;
        at += done;
        len -= (size_t)done;
    }
    return true;
}

static bool read_all(int descriptor, uint8_t *to, size_t len, off_t at)
{
    while (len != 0) {
        ssize_t done = pread(descriptor, to, len, at);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return false;
        }
        to += done;
        at += done;
        len -= (size_t)done;
    }
    return true;
}

/* A page that says MARKED here and 0 in every child; NULL where the system cannot do that. */
static void *make_mark(void)
{
    uint8_t *page =
        mmap(NULL, MARK_OCTETS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
        return NULL;
    }
    if (madvise(page, MARK_OCTETS, EMPTY_IN_CHILD) != 0) {
        (void)munmap(page, MARK_OCTETS);
        return NULL;
    }
    *page = MARKED;
    return page;
}

static void take_over(counter_file *file)
{
    file->owner = (long)getpid();
    file->mark = make_mark();
}

static void let_go(counter_file *file)
{
    close(file->descriptor);
    file->descriptor = -1;
    file->owner = NOBODY; /* a store that is still in memory grants nothing, not even to a child */
    if (file->mark != NULL) {
        (void)munmap(file->mark, MARK_OCTETS);
        file->mark = NULL;
    }
}

static bool file_is_ours(void *medium)
{
    const counter_file *file = medium;
    const uint8_t *mark = file->mark;
    return file->owner == (long)getpid() && (mark == NULL || *mark == MARKED);
}

static off_t place(uint8_t segment, uint16_t offset)
{
    return (off_t)segment * COUNTER_FILE_SEGMENT_OCTETS + offset;
}

static wm_status write_synchronised(int descriptor, const uint8_t *from, size_t len, off_t at)
{
    return write_all(descriptor, from, len, at) && fdatasync(descriptor) == 0 ? WM_OK
                                                                              : WM_ERR_STORAGE;
}

static wm_status file_read(void *medium, uint8_t segment, uint16_t offset, uint8_t *to,
                           uint16_t len)
{
    const counter_file *file = medium;
    return file_is_ours(medium) && read_all(file->descriptor, to, len, place(segment, offset))
               ? WM_OK
               : WM_ERR_STORAGE;
}

/* Bits go from 1 to 0 only, as in flash: a unit that was interrupted keeps the zeros it has. */
static wm_status file_program(void *medium, uint8_t segment, uint16_t offset, const uint8_t *from,
                              uint16_t len)
{
    const counter_file *file = medium;
    uint8_t octets[COUNTER_FILE_SEGMENT_OCTETS];
    if (!file_is_ours(medium) || len > sizeof octets ||
        !read_all(file->descriptor, octets, len, place(segment, offset))) {
        return WM_ERR_STORAGE;
    }
    for (uint16_t n = 0; n < len; n++) {
        octets[n] &= from[n];
    }
    return write_synchronised(file->descriptor, octets, len, place(segment, offset));
}

static wm_status file_erase(void *medium, uint8_t segment)
{
    const counter_file *file = medium;
    uint8_t octets[COUNTER_FILE_SEGMENT_OCTETS];
    memset(octets, ERASED, sizeof octets);
    if (!file_is_ours(medium)) {
        return WM_ERR_STORAGE;
    }
    return write_synchronised(file->descriptor, octets, sizeof octets, place(segment, 0));
}

const wm_counter_port counter_file_port = {COUNTER_FILE_SEGMENT_OCTETS,
                                           COUNTER_FILE_SEGMENTS,
                                           2,
                                           file_read,
                                           file_program,
                                           file_erase,
                                           file_is_ours};

/* A folder holds the names of its files, so the folder has to reach the disk as well. */
static bool synchronise_folder(const char *path)
{
    char copy[PATH_MAX];
    if (snprintf(copy, sizeof copy, "%s", path) >= (int)sizeof copy) {
        errno = ENAMETOOLONG;
        return false;
    }
    int folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        return false;
    }
    bool done = fsync(folder) == 0;
    close(folder);
    return done;
}

wm_status counter_file_create(const char *path)
{
    char fresh[PATH_MAX];
    counter_file file;
    if (snprintf(fresh, sizeof fresh, "%s.XXXXXX", path) >= (int)sizeof fresh) {
        errno = ENAMETOOLONG;
        return WM_ERR_STORAGE;
    }
    file.descriptor = mkstemp(fresh); /* for its owner only */
    if (file.descriptor < 0) {
        return WM_ERR_STORAGE;
    }
    (void)fcntl(file.descriptor, F_SETFD, FD_CLOEXEC);
    take_over(&file);
    bool done = true;
    for (uint8_t segment = 0; segment < COUNTER_FILE_SEGMENTS && done; segment++) {
        done = file_erase(&file, segment) == WM_OK;
    }
    done = done && wm_counter_store_create(&counter_file_port, &file) == WM_OK;
    done = fsync(file.descriptor) == 0 && done;
    let_go(&file);
    /* link, not rename: it does not replace a file that is there. */
    bool linked = done && link(fresh, path) == 0;
    bool exists = done && !linked && errno == EEXIST;
    done = linked && synchronise_folder(path);
    int why = errno;
    unlink(fresh);
    errno = why;
    return done ? WM_OK : exists ? WM_ERR_STATE : WM_ERR_STORAGE;
}

wm_status counter_file_open(counter_file *file, const char *path)
{
    struct stat found;
    file->owner = NOBODY;
    file->mark = NULL;
    file->descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (file->descriptor < 0) {
        return errno == ENOENT ? WM_ERR_NO_STORE : WM_ERR_STORAGE;
    }
    take_over(file);
    wm_status status = WM_OK;
    if (flock(file->descriptor, LOCK_EX | LOCK_NB) != 0) {
        status = errno == EWOULDBLOCK ? WM_ERR_STATE : WM_ERR_STORAGE;
    } else if (fstat(file->descriptor, &found) != 0 || !S_ISREG(found.st_mode) ||
               found.st_size != FILE_OCTETS) {
        status = WM_ERR_STORAGE;
    }
    if (status != WM_OK) {
        counter_file_close(file);
    }
    return status;
}

void counter_file_close(counter_file *file)
{
    if (file->owner != NOBODY && file->descriptor >= 0) {
        let_go(file);
    }
}
