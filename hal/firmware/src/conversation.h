// What hub and host have said to each other so far, and how the hub says a thing: in a frame on its way out.
// Hearing, telling and session stand on it; it knows none of them, so that calls go one way.
#ifndef CONVERSATION_H
#define CONVERSATION_H

#include "core.h"
#include "frame.h"
#include "lamps.h"

#define CONVERSATION_OUT 4096 // a power of two

enum { W_BROKEN = 1, W_GAP, W_UNKNOWN, W_BODY, W_LOST, W_LATE, W_CHAIN, W_END };

typedef struct {
    uint8_t board_id[8], source_digest[8];
    uint8_t boot_reason;
    uint32_t watchdog_boots;
} identity_t;

typedef struct {
    uint32_t value, last_us;
    char type;
    bool wanted, ever;
} warning_t;

typedef struct {
    core_t *core;
    identity_t identity;
    uint8_t out[CONVERSATION_OUT];
    uint32_t out_head, out_tail;
    uint8_t seq, host_seq;
    bool greeted; // a hello was answered on the open port
    bool waiting; // for the core's answer, before anything else is read
    bool boot_wanted;
    lamps_t lamps;
    uint8_t blob[CONFIG_BLOB];
    uint16_t blob_length, blob_got;
    uint32_t good, bad, gaps, lost_seen, late_seen, chain_seen;
    uint32_t dropped; // edges that were too old to be told
    bool stale;       // until the next snapshot no edge is told: the host is away
    warning_t warnings[W_END]; // [0] is never used
} conversation_t;

// A body being written.
typedef struct {
    uint8_t bytes[FRAME_BODY];
    uint8_t length;
} body_t;

void body_put(body_t *body, uint64_t value, unsigned bytes); // little-endian
void body_put_bytes(body_t *body, const uint8_t *bytes, unsigned count);
uint32_t body_get(const uint8_t *bytes, unsigned count);

// Forget what was said before: the next frame is the first one that the host hears.
void conversation_begin(conversation_t *conversation);

size_t conversation_out_free(const conversation_t *conversation);
void conversation_send(conversation_t *conversation, char type, const body_t *body);

// Have a warning sent, as soon as there is place and the last one of its code is long enough ago.
void conversation_warn(conversation_t *conversation, unsigned code, char type, uint32_t value);

#endif
