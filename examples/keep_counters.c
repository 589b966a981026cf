/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters that outlive this program. Each run takes three counters from the store in the named
 * file. None is used twice, however a run ends.
 *
 *   gcc -std=c11 -Istack/include -Ihost examples/keep_counters.c host/counter_file.c \
 *       stack/src/store/counter_*.c
 *   ./a.out counters; ./a.out counters */
#include <inttypes.h>
#include <stdio.h>
#include <wardmote/counter_store.h>
#include "counter_file.h"

#define SLOTS 1
#define BLOCK 256

static wm_status open_store(wm_counter_store *store, counter_file *file, uint32_t *limits)
{
    wm_status status = wm_counter_store_open(store, &counter_file_port, file, limits, SLOTS, BLOCK);
    if (status != WM_ERR_STATE) {
        return status;
    }
    /* The file is new. That is right only while the key is new as well. */
    status = wm_counter_store_format(&counter_file_port, file);
    return status != WM_OK
               ? status
               : wm_counter_store_open(store, &counter_file_port, file, limits, SLOTS, BLOCK);
}

int main(int argc, char **argv)
{
    counter_file file;
    wm_counter_store store;
    uint32_t limits[SLOTS];

    if (argc != 2) {
        fprintf(stderr, "usage: keep_counters FILE\n");
        return 2;
    }
    if (counter_file_open(&file, argv[1]) != WM_OK || open_store(&store, &file, limits) != WM_OK) {
        fprintf(stderr, "%s: cannot be used as a store of counters\n", argv[1]);
        return 2;
    }
    for (uint32_t counter = wm_counter_store_limit(&store, 0), end = counter + 3; counter != end;
         counter++) {
        if (wm_counter_store_advance(&store, 0, counter + 1) != WM_OK) {
            fprintf(stderr, "%s: not stored, so counter %" PRIu32 " is not used\n", argv[1],
                    counter);
            return 1;
        }
        printf("%" PRIu32 "\n", counter); /* from here on a frame may carry it */
    }
    counter_file_close(&file);
    return 0;
}
