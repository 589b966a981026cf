/* SPDX-License-Identifier: BSD-3-Clause */
/** @file psdu_names.h
 *  With a PSDU other than the usual one every function that knows frames has another name, which
 *  carries both lengths: wm_frame_parse is wm_frame_parse_psdu2047_fcs4. So a program does not link
 *  with a library that was built for other lengths. With the usual PSDU, 127 octets and an FCS of 2,
 *  nothing has another name. Here is every function of the headers that include ieee802154.h, which
 *  includes this one; a test compares. */
#ifndef WARDMOTE_PSDU_NAMES_H
#define WARDMOTE_PSDU_NAMES_H

#if WM_PSDU_MAX != 127 || WM_FCS_LEN != 2

/* Defined before by who calls either library by name, as tests do. */
#ifndef WM_PSDU_NAME
#define WM_PSDU_NAME(name) WM_PSDU_NAME_OF(name, WM_PSDU_MAX, WM_FCS_LEN)
#endif
#define WM_PSDU_NAME_OF(name, psdu, fcs) WM_PSDU_NAME_PASTE(name, psdu, fcs)
#define WM_PSDU_NAME_PASTE(name, psdu, fcs) name##_psdu##psdu##_fcs##fcs

/* ieee802154.h */
#define wm_frame_parse WM_PSDU_NAME(wm_frame_parse)
#define wm_frame_parse_clear WM_PSDU_NAME(wm_frame_parse_clear)
#define wm_mhr_build WM_PSDU_NAME(wm_mhr_build)
#define wm_frame_addressing_len WM_PSDU_NAME(wm_frame_addressing_len)
#define wm_ash_len WM_PSDU_NAME(wm_ash_len)
#define wm_level_mic_len WM_PSDU_NAME(wm_level_mic_len)

/* link_security.h */
#define wm_frame_nonce WM_PSDU_NAME(wm_frame_nonce)
#define wm_frame_split_clear WM_PSDU_NAME(wm_frame_split_clear)
#define wm_frame_split_secured WM_PSDU_NAME(wm_frame_split_secured)
#define wm_frame_secure WM_PSDU_NAME(wm_frame_secure)
#define wm_frame_secure_as WM_PSDU_NAME(wm_frame_secure_as)
#define wm_frame_unsecure WM_PSDU_NAME(wm_frame_unsecure)
#define wm_frame_unsecure_as WM_PSDU_NAME(wm_frame_unsecure_as)

/* ie.h */
#define wm_ie_next_header WM_PSDU_NAME(wm_ie_next_header)
#define wm_ie_next_payload WM_PSDU_NAME(wm_ie_next_payload)
#define wm_ie_next_nested WM_PSDU_NAME(wm_ie_next_nested)
#define wm_header_ies_end WM_PSDU_NAME(wm_header_ies_end)
#define wm_time_correction_build WM_PSDU_NAME(wm_time_correction_build)
#define wm_time_correction_parse WM_PSDU_NAME(wm_time_correction_parse)

/* eb.h */
#define wm_eb_build WM_PSDU_NAME(wm_eb_build)
#define wm_eb_parse WM_PSDU_NAME(wm_eb_parse)
#define wm_eb_asn WM_PSDU_NAME(wm_eb_asn)

/* tsch.h */
#define wm_tsch_init WM_PSDU_NAME(wm_tsch_init)
#define wm_tsch_resume WM_PSDU_NAME(wm_tsch_resume)
#define wm_tsch_start WM_PSDU_NAME(wm_tsch_start)
#define wm_tsch_limit_join WM_PSDU_NAME(wm_tsch_limit_join)
#define wm_tsch_on_alarm WM_PSDU_NAME(wm_tsch_on_alarm)
#define wm_tsch_on_frame_start WM_PSDU_NAME(wm_tsch_on_frame_start)
#define wm_tsch_on_frame_end WM_PSDU_NAME(wm_tsch_on_frame_end)
#define wm_tsch_rests WM_PSDU_NAME(wm_tsch_rests)
#define wm_tsch_admit WM_PSDU_NAME(wm_tsch_admit)

/* csma.h */
#define wm_csma_init WM_PSDU_NAME(wm_csma_init)
#define wm_csma_send WM_PSDU_NAME(wm_csma_send)
#define wm_csma_sending WM_PSDU_NAME(wm_csma_sending)
#define wm_csma_on_alarm WM_PSDU_NAME(wm_csma_on_alarm)
#define wm_csma_receive WM_PSDU_NAME(wm_csma_receive)
#define wm_csma_repeated WM_PSDU_NAME(wm_csma_repeated)

/* security_pib.h */
#define wm_pib_check WM_PSDU_NAME(wm_pib_check)
#define wm_pib_restore WM_PSDU_NAME(wm_pib_restore)
#define wm_pib_set_asn WM_PSDU_NAME(wm_pib_set_asn)
#define wm_pib_minimal WM_PSDU_NAME(wm_pib_minimal)

/* security_procedures.h */
#define wm_outgoing_secure WM_PSDU_NAME(wm_outgoing_secure)
#define wm_outgoing_build WM_PSDU_NAME(wm_outgoing_build)
#define wm_incoming_unsecure WM_PSDU_NAME(wm_incoming_unsecure)
#define wm_incoming_ack WM_PSDU_NAME(wm_incoming_ack)
#define wm_incoming_join WM_PSDU_NAME(wm_incoming_join)
#define wm_incoming_admit WM_PSDU_NAME(wm_incoming_admit)
#define wm_incoming_accept WM_PSDU_NAME(wm_incoming_accept)
#define wm_outgoing_admit WM_PSDU_NAME(wm_outgoing_admit)
#define wm_outgoing_take WM_PSDU_NAME(wm_outgoing_take)
#define wm_ack_params WM_PSDU_NAME(wm_ack_params)
#define wm_ash_insert WM_PSDU_NAME(wm_ash_insert)
#define wm_ash_remove WM_PSDU_NAME(wm_ash_remove)

/* port/tsch_port.h */
#define wm_port_ticks WM_PSDU_NAME(wm_port_ticks)
#define wm_port_alarm WM_PSDU_NAME(wm_port_alarm)
#define wm_port_turnaround WM_PSDU_NAME(wm_port_turnaround)
#define wm_port_listens_at_once WM_PSDU_NAME(wm_port_listens_at_once)
#define wm_port_radio_tune WM_PSDU_NAME(wm_port_radio_tune)
#define wm_port_radio_listen WM_PSDU_NAME(wm_port_radio_listen)
#define wm_port_radio_send WM_PSDU_NAME(wm_port_radio_send)
#define wm_port_radio_idle WM_PSDU_NAME(wm_port_radio_idle)
#define wm_port_key WM_PSDU_NAME(wm_port_key)
#define wm_port_secure WM_PSDU_NAME(wm_port_secure)
#define wm_port_receive WM_PSDU_NAME(wm_port_receive)
#define wm_port_payload WM_PSDU_NAME(wm_port_payload)
#define wm_port_admits WM_PSDU_NAME(wm_port_admits)
#define wm_port_builds WM_PSDU_NAME(wm_port_builds)
#define wm_port_mark_begin WM_PSDU_NAME(wm_port_mark_begin)
#define wm_port_mark_end WM_PSDU_NAME(wm_port_mark_end)

/* port/csma_port.h */
#define wm_port_csma_alarm WM_PSDU_NAME(wm_port_csma_alarm)
#define wm_port_csma_load WM_PSDU_NAME(wm_port_csma_load)
#define wm_port_csma_send WM_PSDU_NAME(wm_port_csma_send)
#define wm_port_csma_done WM_PSDU_NAME(wm_port_csma_done)

/* tsch_ahead.h */
#define wm_ahead_work WM_PSDU_NAME(wm_ahead_work)
#define wm_ahead_secure WM_PSDU_NAME(wm_ahead_secure)
#define wm_ahead_receive WM_PSDU_NAME(wm_ahead_receive)
#define wm_ahead_forget WM_PSDU_NAME(wm_ahead_forget)

/* port/tsch_ahead_port.h */
#define wm_port_arrived WM_PSDU_NAME(wm_port_arrived)
#define wm_port_receiver_off WM_PSDU_NAME(wm_port_receiver_off)
#define wm_port_drop WM_PSDU_NAME(wm_port_drop)
#define wm_port_fcs_right WM_PSDU_NAME(wm_port_fcs_right)
#define wm_port_load WM_PSDU_NAME(wm_port_load)
#define wm_port_load_more WM_PSDU_NAME(wm_port_load_more)
#define wm_port_cipher WM_PSDU_NAME(wm_port_cipher)

/* tsch_ahead_engine.h */
#define wm_ahead_engine_work WM_PSDU_NAME(wm_ahead_engine_work)
#define wm_ahead_engine_secure WM_PSDU_NAME(wm_ahead_engine_secure)
#define wm_ahead_engine_receive WM_PSDU_NAME(wm_ahead_engine_receive)
#define wm_ahead_engine_refuse WM_PSDU_NAME(wm_ahead_engine_refuse)
#define wm_ahead_engine_forget WM_PSDU_NAME(wm_ahead_engine_forget)

/* port/tsch_ahead_engine_port.h */
#define wm_port_open_expected WM_PSDU_NAME(wm_port_open_expected)
#define wm_port_open_at WM_PSDU_NAME(wm_port_open_at)
#define wm_port_open WM_PSDU_NAME(wm_port_open)
#define wm_port_opened WM_PSDU_NAME(wm_port_opened)
#define wm_port_open_rest WM_PSDU_NAME(wm_port_open_rest)
#define wm_port_open_drop WM_PSDU_NAME(wm_port_open_drop)
#define wm_port_prepare_answer WM_PSDU_NAME(wm_port_prepare_answer)
#define wm_port_answer WM_PSDU_NAME(wm_port_answer)
#define wm_port_prepare_data WM_PSDU_NAME(wm_port_prepare_data)
#define wm_port_finish_data WM_PSDU_NAME(wm_port_finish_data)
#define wm_port_drop_data WM_PSDU_NAME(wm_port_drop_data)
#define wm_port_load_rest WM_PSDU_NAME(wm_port_load_rest)
#define wm_port_secure_at_once WM_PSDU_NAME(wm_port_secure_at_once)
#define wm_port_receive_at_end WM_PSDU_NAME(wm_port_receive_at_end)

#endif

#endif
