/* SPDX-License-Identifier: BSD-3-Clause */
/* An engine that does CCM* whole. It opens a frame when all of it is there. */
#include "ahead_engine_double.h"
#include <wardmote/ct.h>
#include "ahead_double.h"
#include "port_double.h"

#define NODES 2

typedef struct ahead_engine_double_node {
    wm_ahead_engine ahead;
    bool in_radio;
    uint8_t fault;
    wm_psdu_len read;                  /* octets that the node has taken */
    uint8_t plain[WM_PSDU_MAX];        /* of an opened frame */
    uint8_t head[WM_PSDU_MAX], asn[5]; /* of the frame to come */
    uint32_t counter;                  /* its */
    uint8_t answer[WM_PSDU_MAX];       /* the Enh-Ack that was prepared */
    bool has_head, has_answer;
    uint16_t prepared, answered, loads;
    bool refuses; /* what it receives */
} ahead_engine_double_node;

static ahead_engine_double_node nodes[NODES];

static ahead_engine_double_node *its(void)
{
    return &nodes[port_double_running()];
}

static wm_status secure_at_once(const wm_frame_job *job)
{
    const wm_status status = port_double_secure(job);

    ahead_double_loaded();
    return status;
}

static wm_status secure(const wm_frame_job *job)
{
    return wm_ahead_engine_secure(&its()->ahead, job);
}

static wm_status receive(wm_tsch *tsch, wm_frame_job *job)
{
    wm_status status = wm_ahead_engine_receive(&its()->ahead, tsch, job);

    if (status >= 0 && its()->refuses) {
        wm_ahead_engine_refuse(&its()->ahead, job);
        status = WM_ERR_SECURITY;
    }
    wm_port_drop();
    ahead_double_arrives(port_double_running(), 0);
    return status;
}

static void forget(void)
{
    wm_ahead_engine_forget(&its()->ahead);
}

void ahead_engine_double_use(uint8_t node, bool in_radio)
{
    static const port_double_strategy engine = {secure, receive, forget};

    wm_wipe(&nodes[node], sizeof nodes[node]);
    nodes[node].in_radio = in_radio;
    ahead_double_use(node); /* nothing has arrived */
    port_double_use(node, &engine);
}

bool ahead_engine_double_work(uint8_t node)
{
    port_double_run_as(node);
    return wm_ahead_engine_work(&nodes[node].ahead, port_double_tsch(node));
}

wm_ahead_engine *ahead_engine_double_state(uint8_t node)
{
    return &nodes[node].ahead;
}

void ahead_engine_double_breaks(uint8_t node, uint8_t fault)
{
    nodes[node].fault = fault;
}

bool ahead_engine_double_keeps(uint8_t node)
{
    uint8_t all = 0;
    wm_psdu_len i;

    for (i = 0; i < WM_PSDU_MAX; i++) {
        all |= nodes[node].plain[i];
    }
    return all != 0;
}

void ahead_engine_double_refuses(uint8_t node, bool refuses)
{
    nodes[node].refuses = refuses;
}

uint16_t ahead_engine_double_loads(uint8_t node)
{
    return nodes[node].loads;
}

wm_psdu_len ahead_engine_double_read(uint8_t node)
{
    return nodes[node].read;
}

uint16_t ahead_engine_double_prepared(uint8_t node)
{
    return nodes[node].prepared;
}

uint16_t ahead_engine_double_answered(uint8_t node)
{
    return nodes[node].answered;
}

static void copy(uint8_t *to, const uint8_t *from, wm_psdu_len len)
{
    while (len-- != 0) {
        *to++ = *from++;
    }
}

static bool same(const uint8_t *a, const uint8_t *b, wm_psdu_len len)
{
    return wm_ct_diff(a, b, len) == 0;
}

/* What the stack calls. */

void wm_port_open_expected(void)
{
}

wm_psdu_len wm_port_open_at(const wm_engine_plan *plan)
{
    const wm_psdu_len start = plan->split.m_start;

    return its()->in_radio ? start : (wm_psdu_len)(start + plan->split.m_len);
}

wm_status wm_port_open(wm_frame_job *job, const wm_engine_plan *plan, wm_psdu_len read)
{
    (void)job;
    (void)plan;
    its()->read = read;
    return its()->fault == ENGINE_DOUBLE_DOES_NOT_BEGIN ? WM_ERR_ENGINE : WM_OK;
}

wm_status wm_port_opened(wm_frame_job *job, const wm_engine_plan *plan, bool *rest)
{
    ahead_engine_double_node *node = its();
    const wm_psdu_len left = (wm_psdu_len)(job->len + WM_FCS_LEN - node->read);
    uint8_t *frame = job->frame;
    static uint8_t octets[WM_PSDU_MAX + WM_FCS_LEN]; /* of the board, not of the stack's calls */
    wm_security sec;
    wm_status status;

    copy(octets, frame, node->read);
    if (wm_port_arrived(octets + node->read, left) != left ||
        node->fault == ENGINE_DOUBLE_DOES_NOT_END) {
        return WM_ERR_ENGINE;
    }
    if (!wm_port_fcs_right(octets + job->len)) {
        return WM_ERR_FCS;
    }
    sec.cipher = port_double_cipher(job->key_slot);
    sec.profile = job->profile;
    sec.nonce_form = job->nonce_form;
    copy(sec.asn, job->asn, 5);
    sec.src_ext = job->src_ext;
    status = wm_frame_unsecure_as(&sec, &job->mhr, &job->map, octets, &job->len);
    copy(node->plain, octets, job->len);
    *rest = status >= 0 && node->in_radio && plan->split.m_len != 0;
    if (status >= 0 && !*rest) {
        copy(frame, octets, job->len);
        wm_wipe(node->plain, sizeof node->plain);
    }
    wm_wipe(octets, sizeof octets);
    return status;
}

void wm_port_open_rest(wm_frame_job *job, const wm_engine_plan *plan)
{
    const wm_psdu_len start = plan->split.m_start;

    copy(job->frame + start, its()->plain + start, plan->split.m_len);
    wm_wipe(its()->plain, sizeof its()->plain);
}

void wm_port_open_drop(bool opened)
{
    ahead_engine_double_node *node = its();

    if (opened) {
        wm_wipe(node->plain, sizeof node->plain);
    }
    node->has_answer = false;
    wm_port_drop();
}

wm_status wm_port_prepare_answer(const wm_frame_job *job)
{
    copy(its()->answer, job->frame, job->len);
    its()->has_answer = true;
    return WM_OK;
}

wm_status wm_port_answer(const wm_frame_job *job)
{
    ahead_engine_double_node *node = its();

    if (!node->has_answer || !same(node->answer, job->frame, job->len)) {
        return WM_ERR_STATE;
    }
    node->has_answer = false;
    node->answered++;
    return secure_at_once(job);
}

wm_status wm_port_prepare_data(const wm_frame_job *job, wm_psdu_len psdu_len)
{
    ahead_engine_double_node *node = its();

    if (psdu_len > WM_PSDU_MAX) {
        return WM_ERR_PARAM;
    }
    copy(node->head, job->frame, job->len);
    copy(node->asn, job->asn, 5);
    node->counter = job->mhr.ash.frame_counter;
    node->has_head = true;
    return WM_OK;
}

wm_status wm_port_finish_data(const wm_frame_job *job, wm_psdu_len have)
{
    ahead_engine_double_node *node = its();

    if (!node->has_head || !same(node->head, job->frame, have) || !same(node->asn, job->asn, 5) ||
        node->counter != job->mhr.ash.frame_counter) {
        return WM_ERR_STATE;
    }
    node->has_head = false;
    node->prepared++;
    return secure_at_once(job);
}

void wm_port_drop_data(void)
{
    its()->has_head = false;
}

void wm_port_load_rest(void)
{
    its()->loads++;
}

wm_status wm_port_secure_at_once(const wm_frame_job *job)
{
    return secure_at_once(job);
}

wm_status wm_port_receive_at_end(wm_tsch *tsch, wm_frame_job *job)
{
    return port_double_receive(tsch, job);
}
