/* SPDX-License-Identifier: BSD-3-Clause */
/* A counter in two cells: wardmote/counter_cells.h has their layout, and why it holds.
 * Invariant of an open counter: the limits of two right cells are at most a block apart, and the
 * lower one is written next. */
#include <wardmote/counter_cells.h>
#include <wardmote/port/counter_cells_port.h>

#define CELL_OCTETS (WM_COUNTER_CELLS_OCTETS / 2)
#define LIMIT_OCTETS (CELL_OCTETS / 2)

static wm_counter_cells *cells_of(const wm_counter *counter)
{
    return (wm_counter_cells *)(uintptr_t)counter; /* its first member */
}

static uint16_t address_of(uint16_t at, uint8_t cell)
{
    return cell == 0 ? at : (uint16_t)(at + CELL_OCTETS);
}

/* Whether the cell is right; its limit then. */
static bool read_cell(uint16_t at, uint32_t *limit)
{
    bool right = true;
    uint32_t value = 0;
    for (uint8_t i = LIMIT_OCTETS; i-- != 0;) {
        const uint8_t octet = wm_port_cells_read((uint16_t)(at + i));
        const uint8_t other = wm_port_cells_read((uint16_t)(at + i + LIMIT_OCTETS));
        value = value << 8 | octet;
        right = right && (octet ^ other) == 0xFF;
    }
    *limit = value;
    return right;
}

static bool put(uint16_t at, uint32_t octets)
{
    bool done = true;
    for (uint8_t i = 0; i < LIMIT_OCTETS && done; i++) {
        wm_port_cells_write(at, (uint8_t)octets);
        done = wm_port_cells_read(at) == (uint8_t)octets;
        octets >>= 8;
        at++;
    }
    return done;
}

/* From the first octet that changes to the complement of the last, the cell is not right. */
static bool write_cell(uint16_t at, uint32_t limit)
{
    return put(at, limit) && put((uint16_t)(at + LIMIT_OCTETS), ~limit);
}

/* Grants a block more. */
static wm_status raise(wm_counter_cells *cells)
{
    const uint32_t left = WM_COUNTER_EXHAUSTED - cells->limit;
    const uint32_t limit = cells->limit + (left < cells->block ? left : cells->block);
    if (cells->failed || !write_cell(address_of(cells->at, cells->lower), limit)) {
        cells->failed = true;
        return WM_ERR_STORAGE;
    }
    cells->limit = limit;
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
        cells->written = true;
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
    uint32_t ignored;
    if (read_cell(at, &ignored) || read_cell(address_of(at, 1), &ignored)) {
        return WM_ERR_STATE;
    }
    return is_blank(at) && write_cell(address_of(at, 1), 0) && write_cell(at, 0) ? WM_OK
                                                                                 : WM_ERR_STORAGE;
}

/* The limit, and the cell that is written next, from those that are right. */
static wm_status load(wm_counter_cells *cells, uint16_t block)
{
    uint32_t first, second;
    const bool first_right = read_cell(cells->at, &first);
    const bool second_right = read_cell(address_of(cells->at, 1), &second);
    if (!first_right && !second_right) {
        return is_blank(cells->at) ? WM_ERR_NO_STORE : WM_ERR_STORAGE;
    }
    cells->lower = first_right && (!second_right || first > second);
    cells->limit = cells->lower != 0 ? first : second;
    const uint32_t other = cells->lower != 0 ? second : first;
    cells->block = block;
    cells->failed = false;
    return first_right && second_right && cells->limit - other <= block ? WM_OK : raise(cells);
}

wm_status wm_counter_cells_open(wm_counter_cells *cells, uint16_t at, uint16_t block)
{
    static const wm_counter_ops ops = {limit_of, continues, advance, clear};
    *cells = (wm_counter_cells){
        .counter = {&ops}, .limit = WM_COUNTER_EXHAUSTED, .at = at, .failed = true};
    wm_status status = block == 0 ? WM_ERR_PARAM : load(cells, block);
    if (status != WM_OK) {
        cells->limit = WM_COUNTER_EXHAUSTED;
        cells->block = 0;
    }
    return status;
}
