// What the three parts of the session share, and nobody else: session.c passes bytes, session_hear.c does what the
// host says, session_tell.c puts what the core says into words.
#ifndef SESSION_PARTS_H
#define SESSION_PARTS_H

#include "session.h"

enum { W_BROKEN = 1, W_GAP, W_UNKNOWN, W_BODY, W_LOST, W_LATE };
enum { C_FINE, C_PART, C_ORDER, C_CRC, C_ARMED, C_LAYOUT, C_RANGE };
enum { C_BEGIN, C_DATA, C_COMMIT };

// A body being written.
typedef struct {
    uint8_t bytes[FRAME_BODY];
    uint8_t length;
} body_t;

void body_put(body_t *body, uint64_t value, unsigned bytes); // little-endian
void body_put_bytes(body_t *body, const uint8_t *bytes, unsigned count);
uint32_t body_get(const uint8_t *bytes, unsigned count);

size_t session_out_free(const session_t *session);
void session_send(session_t *session, char type, const body_t *body);
void session_warn(session_t *session, unsigned code, char type, uint32_t value);

// Do what a good frame says.
void session_hear(session_t *session, const frame_t *frame, uint64_t now_us);

// Say what a note of the core means.
void session_tell(session_t *session, const note_t *note);
void session_tell_configured(session_t *session, uint8_t part, uint8_t status, uint32_t value);
void session_greet(session_t *session);

// Whether it is what the session was waiting for.
bool session_ends_waiting(const note_t *note);

#endif
