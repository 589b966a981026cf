/* SPDX-License-Identifier: BSD-3-Clause */
/* UART0 at 115 200 baud: what is printed goes through its FIFO, long texts by uDMA, what is heard
 * comes by the FIFO's interrupts. */
#include <sys/stat.h>
#include "platform.h"

#define UART0(offset) REG(0x4000C000 + (offset))
#define DR UART0(0x00)
#define FR UART0(0x18)
#define TXFF 0x20u
#define RXFE 0x10u
#define BUSY 0x08u
#define RX_AND_TIMEOUT 0x50u
#define UDMA(offset) REG(0x400FF000 + (offset))
#define RING 64u
#define UART0_TX 9
#define SOFTWARE 30

typedef struct control {
    const volatile void *source_end;
    volatile void *destination_end;
    uint32_t word, unused;
} control;

static __attribute__((aligned(1024))) volatile control channels[32];
static volatile uint8_t ring[RING];
static volatile uint32_t put_at, get_at;
volatile uint32_t udma_ends, uart_dma_ends;

void uart_start(void)
{
    REG(0x400D2028) |= 1; /* clock: running, asleep */
    REG(0x400D202C) |= 1;
    REG(0x400D4100) = 0; /* received on PA0 */
    REG(0x400D4004) = 0; /* PA1 sends */
    REG(0x400D4084) = 8; /* and drives */
    REG(0x400D4080) = 0;
    REG(0x400D9420) |= 3; /* AFSEL */
    UART0(0x30) = 0;
    UART0(0xFC8) = 0; /* from the system clock */
    UART0(0x24) = 8;  /* 16 MHz / 16 / 115 200 = 8.68 */
    UART0(0x28) = 44;
    UART0(0x2C) = 0x70; /* 8 bits, FIFOs */
    UART0(0x34) = 0x12; /* at half */
    UART0(0x38) = RX_AND_TIMEOUT;
    UART0(0x30) = 0x301;
    nvic_enable(5);
}

void uart0_isr(void);
void uart0_isr(void)
{
    UART0(0x44) = RX_AND_TIMEOUT;
    while ((FR & RXFE) == 0) {
        ring[put_at++ % RING] = (uint8_t)DR;
    }
    if (UDMA(0x504) & 1u << UART0_TX) {
        UDMA(0x504) = 1u << UART0_TX;
        uart_dma_ends++;
        process_poll(PROCESS_TESTS);
    }
    process_poll(PROCESS_SHELL);
}

int uart_get(void)
{
    return get_at == put_at ? -1 : ring[get_at++ % RING];
}

void uart_wait(void)
{
    while (FR & BUSY) {
    }
}

void udma_start(void)
{
    UDMA(0x04) = 1;
    UDMA(0x08) = (uint32_t)channels;
    nvic_enable(46);
}

void udma_isr(void);
void udma_isr(void)
{
    UDMA(0x504) = 1u << SOFTWARE;
    udma_ends++;
    process_poll(PROCESS_TESTS);
}

/* Words, automatic, four in a turn. */
void udma_copy(const uint32_t *from, uint32_t *to, uint32_t words)
{
    channels[SOFTWARE].source_end = from + words - 1;
    channels[SOFTWARE].destination_end = to + words - 1;
    channels[SOFTWARE].word =
        2u << 30 | 2u << 28 | 2u << 26 | 2u << 24 | 2u << 14 | (words - 1) << 4 | 2u;
    UDMA(0x28) = 1u << SOFTWARE;
    UDMA(0x14) = 1u << SOFTWARE;
}

/* Octets to one register, as the FIFO asks for them. */
void uart_send_by_dma(const char *text, uint32_t octets)
{
    channels[UART0_TX].source_end = text + octets - 1;
    channels[UART0_TX].destination_end = &DR;
    channels[UART0_TX].word = 3u << 30 | 2u << 14 | (octets - 1) << 4 | 1u;
    UDMA(0x514) &= ~0xF0u; /* channel 9 is UART0's */
    UDMA(0x1C) = 1u << UART0_TX;
    UDMA(0x24) = 1u << UART0_TX;
    UDMA(0x28) = 1u << UART0_TX;
    UART0(0x48) |= 2;
}

/* What newlib asks for. */
int _write(int file, const char *text, int octets);
int _write(int file, const char *text, int octets)
{
    (void)file;
    for (int i = 0; i < octets; i++) {
        while (FR & TXFF) {
        }
        DR = (uint8_t)text[i];
    }
    return octets;
}

void *_sbrk(int octets);
void *_sbrk(int octets)
{
    extern char _heap[], _heap_end[];
    static char *end = _heap;
    char *before = end;
    if (octets > _heap_end - end) {
        return (void *)-1;
    }
    end += octets;
    return before;
}

int _fstat(int file, struct stat *status);
int _fstat(int file, struct stat *status)
{
    (void)file;
    status->st_mode = S_IFCHR;
    return 0;
}
