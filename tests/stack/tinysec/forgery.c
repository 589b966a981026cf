/* SPDX-License-Identifier: BSD-3-Clause */
/* How often a guessed tag is right.
 *
 *     forgery [BITS [TRIES]]
 *
 * First: the tags of one packet that differ in their last BITS bits (32: all there are) go through
 * the comparison of the receiver, which must accept the right one alone. Then: TRIES packets with
 * random data, each with two octets of its tag right and two guessed, go through the whole
 * receiver. So it stands before the guesser as one whose tags have 16 bits, and is still the one
 * that is shipped. It must accept TRIES / 65536 of them, within 3.29 standard deviations (999 of 1000
 * such runs), and exactly those whose guess was right.
 *
 * Exit code 1: it does not. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wardmote/ct.h>
#include <wardmote/octets.h>
#include <wardmote/skipjack.h>
#include <wardmote/tinysec.h>

#define DEVIATIONS 3.29
#define GUESSES 65536.0

/* xorshift64*, so that a run can be repeated */
static uint64_t state = 0x9E3779B97F4A7C15u;
static uint32_t draw(void)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)(state * 0x2545F4914F6CDD1Du >> 32);
}

static void make_packet(wm_tinysec *node, uint8_t packet[WM_TINYSEC_PACKET_MAX], uint8_t *len)
{
    wm_tinysec_message message = {.dst = node->address, .type = 4, .len = 8};
    wm_store_le32(message.data, draw());
    wm_store_le32(message.data + 4, draw());
    if (wm_tinysec_secure(node, &message, packet, WM_TINYSEC_PACKET_MAX, len) != WM_OK) {
        abort();
    }
}

static bool all_tags(const uint8_t right[WM_TINYSEC_TAG_LEN], unsigned bits)
{
    uint64_t accepted = 0;
    uint32_t last = 0;
    const uint32_t base = wm_load_le32(right);
    for (uint64_t guess = 0; guess < UINT64_C(1) << bits; guess++) {
        uint8_t tag[WM_TINYSEC_TAG_LEN];
        wm_store_le32(tag, base ^ (uint32_t)guess);
        if (wm_ct_diff(tag, right, sizeof tag) == 0) {
            accepted++;
            last = base ^ (uint32_t)guess;
        }
    }
    printf("comparison: %llu of 2^%u tags accepted\n", (unsigned long long)accepted, bits);
    return accepted == 1 && last == base;
}

static bool cut_tags(wm_tinysec *node, uint32_t tries)
{
    static const uint8_t places[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    uint32_t accepted = 0, right = 0;
    for (uint32_t i = 0; i < tries; i++) {
        uint8_t packet[WM_TINYSEC_PACKET_MAX], len;
        wm_tinysec_receiver receiver;
        wm_tinysec_message message;
        const uint8_t *guessed = places[i % 6];
        const uint32_t guess = draw();
        make_packet(node, packet, &len);
        uint8_t *tag = packet + len - WM_TINYSEC_TAG_LEN;
        right += tag[guessed[0]] == (uint8_t)guess && tag[guessed[1]] == (uint8_t)(guess >> 8);
        tag[guessed[0]] = (uint8_t)guess;
        tag[guessed[1]] = (uint8_t)(guess >> 8);
        (void)wm_tinysec_receive(&receiver, node);
        (void)wm_tinysec_take(&receiver, packet, len);
        accepted += wm_tinysec_accept_packet(node, &receiver, &message) == WM_OK;
    }
    const double expected = tries / GUESSES;
    const double half = DEVIATIONS * sqrt(expected);
    printf("receiver: %u of %u packets accepted, expected %.1f, interval %.1f to %.1f\n", accepted,
           tries, expected, expected - half, expected + half);
    return accepted == right && fabs(accepted - expected) <= half;
}

int main(int count, char **words)
{
    const unsigned bits = count > 1 ? (unsigned)strtoul(words[1], NULL, 10) : 32;
    const uint32_t tries = count > 2 ? (uint32_t)strtoul(words[2], NULL, 10) : 10000000;
    static const uint8_t octets[10] = "\x0A\x69\x93\x3F\xDD\x6C\x6F\x7B";
    wm_skipjack_key key;
    wm_tinysec node = {.mac = &key.cipher, .address = 2};
    uint8_t packet[WM_TINYSEC_PACKET_MAX], len;
    wm_skipjack_init(&key, octets);
    if (bits > 32 || wm_tinysec_start(&node) != WM_OK) {
        return 2;
    }
    make_packet(&node, packet, &len);
    const bool one = all_tags(packet + len - WM_TINYSEC_TAG_LEN, bits);
    const bool rate = cut_tags(&node, tries);
    return one && rate ? EXIT_SUCCESS : EXIT_FAILURE;
}
