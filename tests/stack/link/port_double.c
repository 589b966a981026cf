/* SPDX-License-Identifier: BSD-3-Clause */
/* Without hooks this compiles and links on every target, so that a library with the TSCH engine has
 * no undefined symbol. */
#include "port_double.h"
#include <stddef.h>
#include <wardmote/aes128.h>
#include <wardmote/ct.h>

#define NODES 2

typedef struct port_double_node {
    wm_tsch tsch;
    wm_aes128_small_key key[WM_KEY_SLOTS];
    port_double_radio radio;
    const port_double_strategy *strategy; /* NULL: its own */
    uint32_t granted;                     /* counters below it; 0: all */
    uint16_t armed;                       /* of a quiet board: the alarm */
    uint8_t payloads;                     /* asked for */
} port_double_node;

static port_double_table hooks;
static port_double_node nodes[NODES];
static port_double_node *running = nodes;
static uint16_t quiet_now;

const uint8_t wm_port_listen_ticks = 7;

/* What the test calls. */

void port_double_hooks(const port_double_table *table)
{
    hooks = *table;
    wm_wipe(nodes, sizeof nodes);
    running = nodes;
}

void port_double_run_as(uint8_t node)
{
    running = nodes + node;
}

wm_tsch *port_double_tsch(uint8_t node)
{
    return &nodes[node].tsch;
}

const uint8_t *port_double_sent(uint8_t node, wm_psdu_len *len)
{
    *len = nodes[node].radio.tx_len;
    return nodes[node].radio.tx;
}

void port_double_grant(uint8_t node, uint32_t counters)
{
    nodes[node].granted = counters;
}

void port_double_deliver(uint8_t node, const uint8_t *frame, wm_psdu_len len, uint8_t fcs_ok)
{
    wm_psdu_len i;

    for (i = 0; i < len && i < WM_PSDU_MAX; i++) {
        nodes[node].radio.rx[i] = frame[i];
    }
    nodes[node].radio.rx_len = i;
    nodes[node].radio.rx_fcs_ok = fcs_ok != 0;
}

void port_double_use(uint8_t node, const port_double_strategy *strategy)
{
    nodes[node].strategy = strategy;
}

uint8_t port_double_running(void)
{
    return (uint8_t)(running - nodes);
}

port_double_radio *port_double_its_radio(void)
{
    return &running->radio;
}

const wm_cipher *port_double_cipher(uint8_t key_slot)
{
    return &running->key[key_slot].cipher;
}

void port_double_works(uint8_t what)
{
    hooks.work(what);
}

static uint16_t quiet_ticks(void)
{
    return quiet_now;
}

static uint8_t quiet_alarm(uint16_t tick)
{
    running->armed = tick;
    return 1;
}

static void quiet_radio(uint8_t what, uint8_t channel)
{
    (void)what;
    (void)channel;
}

static void quiet_work(uint8_t what)
{
    (void)what;
}

void port_double_quiet(void)
{
    const port_double_table quiet = {quiet_ticks, quiet_alarm, quiet_radio, quiet_work,
                                     quiet_radio};

    port_double_hooks(&quiet);
    quiet_now = 0;
}

void port_double_wake(uint8_t node)
{
    port_double_run_as(node);
    quiet_now = running->armed;
}

/* What the engine calls. */

uint16_t wm_port_ticks(void)
{
    return hooks.ticks();
}

bool wm_port_alarm(uint16_t tick)
{
    return hooks.alarm(tick) != 0;
}

bool wm_port_listens_at_once(void)
{
    return false;
}

uint8_t wm_port_turnaround(void)
{
    return 7;
}

void wm_port_radio_tune(uint8_t channel)
{
    running->radio.tx_len = 0;
    running->radio.rx_len = 0;
    hooks.radio(0, channel);
}

void wm_port_radio_listen(void)
{
    hooks.radio(1, 0);
}

wm_status wm_port_radio_send(void)
{
    hooks.radio(2, 0);
    return WM_OK;
}

void wm_port_radio_idle(void)
{
    hooks.radio(3, 0);
}

void wm_port_key(uint8_t slot, const uint8_t key[16])
{
    if (running->strategy != NULL) {
        running->strategy->forget();
    }
    wm_aes128_small_init(&running->key[slot], key);
}

/* Octets that count up, from one more each time. */
void wm_port_payload(uint8_t *to, wm_psdu_len len)
{
    wm_psdu_len i;

    for (i = 0; i < len; i++) {
        to[i] = (uint8_t)(running->payloads + i);
    }
    running->payloads++;
}

static wm_security security_of(const wm_frame_job *job)
{
    wm_security sec;
    wm_psdu_len i;

    sec.cipher = &running->key[job->key_slot].cipher;
    sec.profile = job->profile;
    sec.nonce_form = job->nonce_form;
    for (i = 0; i < 5; i++) {
        sec.asn[i] = job->asn[i];
    }
    sec.src_ext = job->src_ext;
    return sec;
}

wm_status port_double_secure(const wm_frame_job *job)
{
    const wm_security sec = security_of(job);
    wm_psdu_len len = job->len;
    wm_psdu_len i;
    wm_status status;

    for (i = 0; i < len; i++) {
        running->radio.tx[i] = job->frame[i];
    }
    status = wm_frame_secure_as(&sec, &job->mhr, &job->map, running->radio.tx, WM_PSDU_MAX, &len);
    running->radio.tx_len = status >= 0 ? len : 0;
    return status >= 0 ? WM_OK : status;
}

wm_status wm_port_secure(const wm_frame_job *job)
{
    hooks.work(0);
    if (running->granted != 0 && job->mhr.ash.frame_counter >= running->granted) {
        running->radio.tx_len = 0;
        return WM_ERR_STORAGE;
    }
    if (running->strategy != NULL) {
        return running->strategy->secure(job);
    }
    return port_double_secure(job);
}

wm_status port_double_receive(wm_tsch *tsch, wm_frame_job *job)
{
    wm_security sec;
    wm_status status;
    wm_psdu_len i;

    for (i = 0; i < running->radio.rx_len; i++) {
        job->frame[i] = running->radio.rx[i];
    }
    job->len = running->radio.rx_len;
    running->radio.rx_len = 0;
    if (!running->radio.rx_fcs_ok) {
        return WM_ERR_FCS;
    }
    status = wm_frame_parse(job->frame, job->len, &job->mhr, &job->map);
    if (status == WM_OK) {
        status = wm_tsch_admit(tsch, job);
    }
    if (status != WM_OK) {
        return status;
    }
    sec = security_of(job);
    return wm_frame_unsecure_as(&sec, &job->mhr, &job->map, job->frame, &job->len);
}

wm_status wm_port_receive(struct wm_tsch *tsch, wm_frame_job *job)
{
    wm_status status;

    hooks.work(1);
    status = running->strategy != NULL ? running->strategy->receive(tsch, job)
                                       : port_double_receive(tsch, job);
    if (status < 0) {
        wm_wipe(job->frame, WM_PSDU_MAX);
        job->len = 0;
    }
    return status;
}

wm_status wm_port_admits(const struct wm_tsch *tsch, const wm_frame_job *job)
{
    (void)tsch;
    (void)job;
    return WM_OK;
}

wm_status wm_port_builds(const struct wm_tsch *tsch, const wm_frame_job *job)
{
    (void)tsch;
    (void)job;
    return WM_OK;
}

void wm_port_mark_begin(wm_mark phase)
{
    hooks.mark((uint8_t)phase, 1);
}

void wm_port_mark_end(wm_mark phase)
{
    hooks.mark((uint8_t)phase, 0);
}
