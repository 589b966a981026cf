/* SPDX-License-Identifier: BSD-3-Clause */
/* A disk whose power fails. counter_file.c is compiled with pwrite and fdatasync renamed to the
 * functions here. Octets written since the last synchronisation are only in the cache: when power
 * fails, each of its sectors is on the disk or not. */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define SECTOR 512
#define SECTORS 16

static unsigned char before[SECTORS][SECTOR];
static unsigned char dirty[SECTORS];
static uint32_t calls, fuse, seed;
static unsigned char off;

ssize_t disk_pwrite(int descriptor, const void *from, size_t len, off_t at);
int disk_fdatasync(int descriptor);
void disk_power(uint32_t fuse_at, uint32_t seed_of_cut);
uint32_t disk_off(void);

static uint32_t arbitrary(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 16;
}

/* Power fails in the call with this number from now, counted from 1; 0: power stays. */
void disk_power(uint32_t fuse_at, uint32_t seed_of_cut)
{
    memset(dirty, 0, sizeof dirty);
    calls = 0;
    off = 0;
    fuse = fuse_at;
    seed = seed_of_cut;
}

uint32_t disk_off(void)
{
    return off;
}

static int fails(int descriptor)
{
    calls++;
    if (off != 0) {
        errno = EIO;
        return 1;
    }
    if (fuse == 0 || calls < fuse) {
        return 0;
    }
    for (int sector = 0; sector < SECTORS; sector++) {
        if (dirty[sector] != 0 && (arbitrary() & 1) != 0 &&
            pwrite(descriptor, before[sector], SECTOR, (off_t)sector * SECTOR) != SECTOR) {
            return 1;
        }
    }
    off = 1;
    errno = EIO;
    return 1;
}

ssize_t disk_pwrite(int descriptor, const void *from, size_t len, off_t at)
{
    for (off_t sector = at / SECTOR; sector <= (at + (off_t)len - 1) / SECTOR && off == 0;
         sector++) {
        if (dirty[sector] == 0) {
            if (pread(descriptor, before[sector], SECTOR, sector * SECTOR) < 0) {
                return -1;
            }
            dirty[sector] = 1;
        }
    }
    ssize_t done = off != 0 ? -1 : pwrite(descriptor, from, len, at);
    return fails(descriptor) ? -1 : done;
}

int disk_fdatasync(int descriptor)
{
    if (fails(descriptor)) {
        return -1;
    }
    memset(dirty, 0, sizeof dirty);
    return 0;
}
