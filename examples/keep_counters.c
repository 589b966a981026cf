/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters that outlive this program. `create` makes the file with the store, once, when there is a
 * new key. Each run takes three counters from it. None is used twice, however a run ends.
 *
 *   gcc -std=c11 -Istack/include -Ihost examples/keep_counters.c host/counter_file.c \
 *       stack/src/store/counter_*.c
 *   ./a.out create counters; ./a.out counters; ./a.out counters */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <wardmote/counter_store.h>
#include "counter_file.h"

#define SLOTS 1
#define BLOCK 256

int main(int argc, char **argv)
{
    counter_file file;
    wm_counter_store store;
    uint32_t limits[SLOTS];

    if (argc == 3 && strcmp(argv[1], "create") == 0) {
        wm_status status = counter_file_create(argv[2]);
        if (status != WM_OK) {
            fprintf(stderr, "%s: %s\n", argv[2],
                    status == WM_ERR_STATE ? "is there already" : "cannot be made");
        }
        return status == WM_OK ? 0 : 2;
    }
    if (argc != 2) {
        fprintf(stderr, "usage: keep_counters [create] FILE\n");
        return 2;
    }
    if (counter_file_open(&file, argv[1]) != WM_OK ||
        wm_counter_store_open(&store, &counter_file_port, &file, limits, SLOTS, BLOCK) != WM_OK) {
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
