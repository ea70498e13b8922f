// The protocol of docs/hub-protocol.md: frames in, wishes to the core; notes and edges of the core, frames out.
// Runs in the main loop. No hardware: bytes go in by session_feed and come out of `out`.
#ifndef SESSION_H
#define SESSION_H

#include "core.h"
#include "frame.h"

#define SESSION_OUT 4096 // a power of two
#define SESSION_WARNINGS 7

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
    frame_reader_t reader;
    uint8_t out[SESSION_OUT];
    uint32_t out_head, out_tail;
    uint8_t seq, host_seq;
    bool greeted; // a hello was answered on the open port
    bool waiting; // for the core's answer, before anything else is read
    bool boot_wanted;
    uint8_t blob[CONFIG_BLOB];
    uint16_t blob_length, blob_got;
    uint32_t good, bad, gaps, lost_seen, late_seen;
    warning_t warnings[SESSION_WARNINGS];
} session_t;

void session_reset(session_t *session, core_t *core, const identity_t *identity);

// The port was opened or closed.
void session_port(session_t *session, bool open);

// Take bytes; returns how many were taken. The rest must come again later: there is no place for answers now.
size_t session_feed(session_t *session, const uint8_t *data, size_t length, uint64_t now_us);

// Turn what the core has to say into frames, as far as there is place.
void session_poll(session_t *session, uint32_t now_us);

// Take out at most `most` bytes to send.
size_t session_take(session_t *session, uint8_t *data, size_t most);

#endif
