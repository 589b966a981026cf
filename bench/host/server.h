/* SPDX-License-Identifier: BSD-3-Clause */
/* The questions that the server takes and the answers that it gives, and what each of its two
 * widths has to supply. bench/wardmote/call/host/machine.py has the same numbers. */
#ifndef WM_SERVER_H
#define WM_SERVER_H

#include "addresses.h"
#include <stddef.h>
#include <stdint.h>

#define TEXT_OCTETS 128u
#define MOST_BATCHES 64u

enum { RUN = 1, TIME = 2, STEP = 3, READ = 4, STAY = 5 };

/* `octets` of memory follow. */
struct request {
    uint64_t kind, octets;
    uint64_t address;      /* of the function; of READ: of the octets */
    uint64_t limit;        /* of STEP: instructions; of TIME: batches */
    uint64_t seconds;      /* after which the call is given up */
    uint64_t count;        /* of words */
    uint64_t words[WORDS]; /* the arguments as the platform's ABI has them */
};

/* One batch: the call so many times, and as many calls of an empty function instead. */
struct batch {
    uint64_t ns, ns_without;
};

/* The memory follows, and of STEP the registers before each instruction. */
struct answer {
    uint64_t returned;      /* 0 if the call did not come back */
    uint64_t status;        /* of the process that made the call, as wait() has it */
    uint64_t value;         /* of the function; of TIME: calls in a batch */
    uint64_t instructions;  /* that were counted; 0 in a program that does not count */
    uint64_t path;          /* depends on which blocks were met, and in which order */
    uint64_t stack_octets;  /* down to the deepest octet written, the return address included */
    uint64_t top;           /* of STEP: stack pointer at the first instruction */
    uint64_t exhausted;     /* of STEP: the limit was reached before the return */
    uint64_t signal;        /* of STEP: that ended the call; 0 if none did */
    uint64_t address;       /* that the signal is about */
    uint64_t pc;            /* of the instruction that was stopped */
    uint64_t access;        /* the signal is about a read (0), a write (1), or no page (2) */
    char text[TEXT_OCTETS]; /* the function that holds pc, or why the server cannot begin */
    struct batch batches[MOST_BATCHES];
};

/* What counted code adds to; zeros in a program that does not count. */
extern uint64_t wm_instructions;
extern uint32_t wm_path[2];

/* Calls `function` with `count` words as arguments, on the stack that ends at STACK_TOP. */
uint64_t wm_enter(uintptr_t function, const uint64_t *words, size_t count);
/* An empty function, called instead to measure the cost of a call itself. */
void wm_nothing(void);

/* Makes the call one instruction at a time. After the memory, the server writes the registers
 * before each instruction, wm_step_octets a step. */
void wm_open_steps(void); /* before the first child */
void wm_step(const struct request *r, struct answer *a);
extern const void *wm_steps;
extern const size_t wm_step_octets;

/* Linux. A failure here ends the server with status 2. */
void wm_read(void *to, size_t octets); /* ends the server without fault where the input ends */
void wm_write(const void *from, size_t octets);
void *wm_map(uintptr_t address, size_t octets, int shared); /* anywhere if the address is 0 */
uint64_t wm_now_ns(void);
long wm_fork(void);
uint64_t wm_wait(long process);
void wm_alarm(unsigned seconds);
_Noreturn void wm_leave(int status);

/* Answers until the input ends. */
_Noreturn void wm_serve(struct answer *greeting);

#endif
