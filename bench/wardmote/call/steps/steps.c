/* SPDX-License-Identifier: BSD-3-Clause */
/* The trap flag makes the CPU stop after every instruction; the kernel turns that into SIGTRAP, and
 * its handler writes the registers down. No second process watches, so no right to trace one is
 * needed. Handlers run on a stack of their own, so nothing below the function's stack pointer is
 * touched. */
#define _GNU_SOURCE
#include "steps.h"
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ucontext.h>

#define TRAP_FLAG 0x100u
#define PAGE 4096u
#define GUARD_OCTETS (64u * PAGE) /* below the stack, and above it what no function may read */
#define HANDLER_OCTETS (16u * PAGE)
#define REGISTER_WORDS 6u

static struct {
    wm_steps_result *result;
    wm_step *steps;
    size_t most, limit;
    uintptr_t low, top; /* of the stack */
    uintptr_t entry;
    int within; /* the function has begun and has not returned */
} here;

static unsigned char handler_stack[HANDLER_OCTETS];
static const int FAULTS[] = {SIGTRAP, SIGSEGV, SIGBUS, SIGILL, SIGFPE};
#define FAULT_COUNT (sizeof FAULTS / sizeof FAULTS[0])

/* What wm_steps_enter is given, and where it keeps its own stack pointer. */
struct entering {
    uint64_t entry, stack, trap, registers[REGISTER_WORDS], value, own;
};
void wm_steps_enter(struct entering *how);
extern const char wm_steps_back[];

/* The callee's words lie at `stack` already. RBX, which every function keeps, finds the way back; a
 * function that was stopped in the middle kept nothing, so the handler sets RBX again. Only R11
 * holds the function: it is no argument. */
__asm__(".text\n"
        ".globl wm_steps_enter\n.hidden wm_steps_enter\n.type wm_steps_enter, @function\n"
        "wm_steps_enter:\n"
        "    push %rbp\n    push %rbx\n    push %r12\n    push %r13\n    push %r14\n    push %r15\n"
        "    mov %rdi, %rbx\n"
        "    mov %rsp, 80(%rbx)\n"
        "    mov 8(%rbx), %rsp\n"
        "    mov 0(%rbx), %r11\n"
        "    mov 32(%rbx), %rsi\n    mov 40(%rbx), %rdx\n    mov 48(%rbx), %rcx\n"
        "    mov 56(%rbx), %r8\n    mov 64(%rbx), %r9\n    mov 24(%rbx), %rdi\n"
        "    xor %eax, %eax\n    xor %ebp, %ebp\n    xor %r10d, %r10d\n"
        "    xor %r12d, %r12d\n    xor %r13d, %r13d\n    xor %r14d, %r14d\n    xor %r15d, %r15d\n"
        "    pushq 16(%rbx)\n"
        "    popfq\n"
        "    call *%r11\n"
        ".globl wm_steps_back\n.hidden wm_steps_back\n"
        "wm_steps_back:\n"
        "    cld\n"
        "    mov %rax, 72(%rbx)\n"
        "    mov 80(%rbx), %rsp\n"
        "    pop %r15\n    pop %r14\n    pop %r13\n    pop %r12\n    pop %rbx\n    pop %rbp\n"
        "    ret\n"
        ".size wm_steps_enter, . - wm_steps_enter\n");

static struct entering entering;

/* Leaves the function as if it had returned. */
static void leave(greg_t *registers)
{
    here.within = 0;
    registers[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    registers[REG_RIP] = (greg_t)(uintptr_t)wm_steps_back;
    registers[REG_RSP] = (greg_t)entering.stack;
    registers[REG_RBX] = (greg_t)(uintptr_t)&entering;
}

static void step(greg_t *registers)
{
    uintptr_t pc = (uintptr_t)registers[REG_RIP];
    if (!here.within && pc == here.entry && here.result->count == 0) {
        here.within = 1;
        here.result->stack = (uint64_t)registers[REG_RSP];
    }
    if (pc == (uintptr_t)wm_steps_back && here.within) {
        leave(registers);
        return;
    }
    if (!here.within)
        return;
    if (here.result->count == here.limit) {
        here.result->exhausted = 1;
        here.result->pc = pc;
        leave(registers);
        return;
    }
    memcpy(here.steps[here.result->count++], registers, sizeof(wm_step));
}

static void handle(int number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    /* int3 and a signal that someone sends are no steps. */
    if (number == SIGTRAP && (info->si_code == TRAP_TRACE || info->si_code == TRAP_BRKPT)) {
        step(registers);
        return;
    }
    here.result->signal = (uint64_t)number;
    here.result->address = (uint64_t)(uintptr_t)info->si_addr;
    /* Of a page fault's code; what is no page fault has no address. */
    here.result->access =
        info->si_code == SI_KERNEL ? WM_STEPS_NO_PAGE : (uint64_t)registers[REG_ERR] >> 1 & 1;
    here.result->pc = (uint64_t)registers[REG_RIP];
    leave(registers);
}

static void *map(size_t octets, int flags)
{
    void *at =
        mmap(NULL, octets, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

int wm_steps_open(size_t most, size_t stack_octets)
{
    size_t octets = (stack_octets + PAGE - 1) / PAGE * PAGE;
    unsigned char *answer = map(PAGE + most * sizeof(wm_step), MAP_SHARED);
    unsigned char *stack = map(octets + 2 * GUARD_OCTETS, MAP_PRIVATE);
    if (!answer || !stack)
        return errno;
    if (mprotect(stack, GUARD_OCTETS, PROT_NONE) ||
        mprotect(stack + GUARD_OCTETS + octets, GUARD_OCTETS, PROT_NONE))
        return errno;
    here.result = (wm_steps_result *)(void *)answer;
    here.steps = (wm_step *)(void *)(answer + PAGE);
    here.most = most;
    here.low = (uintptr_t)stack + GUARD_OCTETS;
    here.top = here.low + octets;
    return 0;
}

wm_steps_result *wm_steps_answer(void)
{
    return here.result;
}

const wm_step *wm_steps_list(void)
{
    return (const wm_step *)here.steps;
}

uintptr_t wm_steps_stack(void)
{
    return here.low;
}

void wm_steps_call(uintptr_t entry, const uint64_t *words, size_t count, size_t limit)
{
    struct sigaction before[FAULT_COUNT];
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    stack_t own = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack}, other;
    size_t pushed = count > REGISTER_WORDS ? count - REGISTER_WORDS : 0;
    /* ABI: before the call the stack pointer is a multiple of 16. */
    uintptr_t stack = (here.top - pushed * sizeof *words - 64) & ~(uintptr_t)15;
    memset(&entering, 0, sizeof entering);
    memset(here.result, 0, sizeof *here.result);
    for (size_t i = 0; i < count && i < REGISTER_WORDS; i++)
        entering.registers[i] = words[i];
    if (pushed)
        memcpy((void *)stack, words + REGISTER_WORDS, pushed * sizeof *words);
    entering.entry = entry;
    entering.stack = stack;
    /* interrupts on, as everywhere in user mode, and the bit that is always set */
    entering.trap = 0x202u | TRAP_FLAG;
    here.entry = entry;
    here.limit = limit < here.most ? limit : here.most;
    here.within = 0;
    sigaltstack(&own, &other);
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < FAULT_COUNT; i++)
        sigaction(FAULTS[i], &action, &before[i]);
    wm_steps_enter(&entering);
    for (size_t i = 0; i < FAULT_COUNT; i++)
        sigaction(FAULTS[i], &before[i], NULL);
    sigaltstack(&other, NULL);
    here.result->value = entering.value;
}

const char *wm_steps_symbol(uintptr_t address)
{
    Dl_info info;
    return dladdr((const void *)address, &info) ? info.dli_sname : NULL;
}

struct looking {
    uintptr_t address, start, end;
};

static int look(struct dl_phdr_info *object, size_t size, void *data)
{
    struct looking *l = data;
    (void)size;
    uintptr_t end = 0;
    int found = 0;
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_LOAD)
            continue;
        uintptr_t from = object->dlpi_addr + part->p_vaddr, to = from + part->p_memsz;
        found |= l->address >= from && l->address < to;
        end = to > end ? to : end;
    }
    if (found) {
        l->start = object->dlpi_addr;
        l->end = end;
    }
    return found;
}

uintptr_t wm_steps_object(uintptr_t address, uintptr_t *end)
{
    struct looking l = {.address = address};
    if (!dl_iterate_phdr(look, &l))
        return 0;
    *end = l.end;
    return l.start;
}
