/* SPDX-License-Identifier: BSD-3-Clause */
/* A counter in two cells: wardmote/counter_cells.h has their layout, and why it holds.
 * Invariant of an open counter: the limits of two right cells are at most a block apart, and the
 * lower one is written next. */
#include <wardmote/counter_cells.h>
#include <wardmote/port/counter_cells_port.h>

#define CELL_OCTETS (WM_COUNTER_CELLS_OCTETS / 2)
#define LIMIT_OCTETS (CELL_OCTETS / 2)
#define FIRST 1u
#define SECOND 2u

static wm_counter_cells *cells_of(const wm_counter *counter)
{
    return (wm_counter_cells *)(uintptr_t)counter; /* its first member */
}

static uint16_t address_of(uint16_t at, uint8_t cell)
{
    return cell == 0 ? at : (uint16_t)(at + CELL_OCTETS);
}

/* 0: the cell is right, and this is its limit. */
static uint8_t read_cell(uint16_t at, uint32_t *limit)
{
    uint8_t wrong = 0;
    uint32_t value = 0;
    at = (uint16_t)(at + LIMIT_OCTETS);
    for (uint8_t left = LIMIT_OCTETS; left != 0; left--) {
        at--;
        const uint8_t octet = wm_port_cells_read(at);
        wrong |= (uint8_t)(octet ^ wm_port_cells_read((uint16_t)(at + LIMIT_OCTETS)) ^ 0xFF);
        value = value << 8 | octet;
    }
    *limit = value;
    return wrong;
}

/* Reads both cells. Bit i: cell i is right. */
static uint8_t read_cells(uint16_t at, uint32_t limits[2])
{
    const uint8_t first = read_cell(at, limits) == 0 ? FIRST : 0;
    return read_cell(address_of(at, 1), limits + 1) == 0 ? first | SECOND : first;
}

/* From the first octet that changes to the complement of the last, the cell is not right. */
static bool write_cell(uint16_t at, uint32_t limit)
{
    for (uint8_t left = CELL_OCTETS; left != 0; left--) {
        const uint8_t octet = (uint8_t)limit;
        wm_port_cells_write(at, octet);
        if (wm_port_cells_read(at) != octet) {
            return false;
        }
        at++;
        limit = limit >> 8 | (uint32_t)(octet ^ 0xFFu) << 24; /* its complement follows */
    }
    return true;
}

/* Grants a block more. */
static wm_status raise(wm_counter_cells *cells)
{
    uint32_t limit = cells->limit + cells->block;
    if (limit < cells->block) {
        limit = WM_COUNTER_EXHAUSTED;
    }
    if (cells->failed || !write_cell(address_of(cells->at, cells->lower), limit)) {
        cells->failed = true;
        return WM_ERR_STORAGE;
    }
    cells->limit = limit;
    cells->written = true;
    cells->lower ^= 1;
    return WM_OK;
}

static uint32_t limit_of(const wm_counter *counter)
{
    return cells_of(counter)->limit;
}

static bool continues(const wm_counter *counter, uint32_t next)
{
    const wm_counter_cells *cells = cells_of(counter);
    return next >= cells->limit ? cells->limit != WM_COUNTER_EXHAUSTED
                                : cells->written && cells->limit - next < cells->block;
}

static wm_status advance(wm_counter *counter, uint32_t next)
{
    wm_counter_cells *cells = cells_of(counter);
    if (next == 0) {
        return WM_ERR_COUNTER;
    }
    if (cells->block == 0) { /* not open */
        return WM_ERR_STORAGE;
    }
    wm_status status = WM_OK;
    while (next > cells->limit && status == WM_OK) {
        status = raise(cells);
    }
    return status;
}

static wm_status clear(wm_counter *counter)
{
    wm_counter_cells *cells = cells_of(counter);
    const uint16_t lower = address_of(cells->at, cells->lower);
    if (cells->failed) {
        return WM_ERR_STORAGE;
    }
    if (!write_cell(lower, 0) || !write_cell(address_of(cells->at, cells->lower ^ 1), 0)) {
        (void)write_cell(lower, cells->limit); /* the old keys hold */
        cells->failed = true;
        return WM_ERR_STORAGE;
    }
    cells->limit = 0;
    cells->written = true;
    return WM_OK;
}

/* Whether the first cell was never written: creation writes it last. */
static bool is_blank(uint16_t at)
{
    uint8_t all = 0xFF;
    for (uint8_t i = 0; i < CELL_OCTETS; i++) {
        all &= wm_port_cells_read((uint16_t)(at + i));
    }
    return all == 0xFF;
}

wm_status wm_counter_cells_create(uint16_t at)
{
    uint32_t ignored[2];
    if (read_cells(at, ignored) != 0) {
        return WM_ERR_STATE;
    }
    return is_blank(at) && write_cell(address_of(at, 1), 0) && write_cell(at, 0) ? WM_OK
                                                                                 : WM_ERR_STORAGE;
}

/* The limit, and the cell that is written next, from those that are right. */
static wm_status load(wm_counter_cells *cells, uint16_t block)
{
    uint32_t limits[2];
    const uint8_t right = read_cells(cells->at, limits);
    if (right == 0) {
        return is_blank(cells->at) ? WM_ERR_NO_STORE : WM_ERR_STORAGE;
    }
    const bool both = right == (FIRST | SECOND);
    const uint8_t lower = both ? limits[0] > limits[1] : right == FIRST;
    cells->lower = lower;
    cells->limit = limits[lower ^ 1];
    cells->block = block;
    cells->failed = false;
    return both && cells->limit - limits[lower] <= block ? WM_OK : raise(cells);
}

wm_status wm_counter_cells_open(wm_counter_cells *cells, uint16_t at, uint16_t block)
{
    static const wm_counter_ops ops = {limit_of, continues, advance, clear};
    cells->counter.ops = &ops;
    cells->at = at;
    cells->lower = 0;
    cells->failed = true;
    wm_status status = block == 0 ? WM_ERR_PARAM : load(cells, block);
    cells->written = false; /* what load writes says nothing about a counter */
    if (status != WM_OK) {
        cells->limit = WM_COUNTER_EXHAUSTED;
        cells->block = 0;
    }
    return status;
}
