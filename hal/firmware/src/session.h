// The protocol of docs/hub-protocol.md: frames in, wishes to the core; notes and edges of the core, frames out.
// Runs in the main loop. No hardware: bytes go in by session_feed and come out by session_take.
#ifndef SESSION_H
#define SESSION_H

#include "conversation.h"

typedef struct {
    conversation_t conversation;
    frame_reader_t reader;
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
