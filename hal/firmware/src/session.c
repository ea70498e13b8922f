#include "session.h"

#include <string.h>

#include "session_parts.h"

#define OUT_KEPT_FREE (3 * FRAME_WIRE) // for the longest answer to what is read next
#define WISHES_KEPT_FREE 4
#define WARN_EVERY_US 50000
#define LATE_WARN_US (2 * HUB_SCAN_US)
#define EDGES_A_FRAME 40

void body_put(body_t *body, uint64_t value, unsigned bytes) {
    for (; bytes-- > 0; value >>= 8) {
        body->bytes[body->length++] = (uint8_t)value;
    }
}

void body_put_bytes(body_t *body, const uint8_t *bytes, unsigned count) {
    memcpy(&body->bytes[body->length], bytes, count);
    body->length = (uint8_t)(body->length + count);
}

uint32_t body_get(const uint8_t *bytes, unsigned count) {
    uint32_t value = 0;
    while (count-- > 0) {
        value = value << 8 | bytes[count];
    }
    return value;
}

size_t session_out_free(const session_t *session) {
    return SESSION_OUT - (session->out_head - session->out_tail);
}

void session_send(session_t *session, char type, const body_t *body) {
    uint8_t wire[FRAME_WIRE];
    const size_t length = frame_write(wire, type, session->seq++, body->bytes, body->length);
    // Who calls has made sure of the place; were it wrong, the gap in seq tells the host.
    for (size_t n = 0; n < length && length <= session_out_free(session); n++) {
        session->out[(session->out_head + n) % SESSION_OUT] = wire[n];
    }
    session->out_head += length <= session_out_free(session) ? (uint32_t)length : 0;
}

void session_warn(session_t *session, unsigned code, char type, uint32_t value) {
    session->warnings[code].wanted = true;
    session->warnings[code].type = type;
    session->warnings[code].value = value;
}

void session_reset(session_t *session, core_t *core, const identity_t *identity) {
    memset(session, 0, sizeof *session);
    session->core = core;
    session->identity = *identity;
}

void session_port(session_t *session, bool open) {
    session->core->port_open = open;
    session->greeted = false;
    session->reader = (frame_reader_t){.length = 0};
    session->out_tail = session->out_head;
}

static bool may_read(const session_t *session) {
    return !session->waiting && session_out_free(session) >= OUT_KEPT_FREE && core_wishes_free(session->core) >= WISHES_KEPT_FREE;
}

size_t session_feed(session_t *session, const uint8_t *data, size_t length, uint64_t now_us) {
    size_t taken = 0;
    while (taken < length && may_read(session)) {
        frame_t frame;
        const frame_result_t result = frame_read(&session->reader, data[taken++], &frame);
        if (result == FRAME_GOOD) {
            session_hear(session, &frame, now_us);
        } else if (result == FRAME_BAD) {
            session_warn(session, W_BROKEN, 0, ++session->bad);
        }
    }
    return taken;
}

// Send the edges before `limit`; false when there is no place for all of them.
static bool send_edges(session_t *session, uint32_t limit) {
    edges_t *edges = &session->core->edges;
    while ((int32_t)(limit - edges->tail) > 0) {
        if (session_out_free(session) < FRAME_WIRE) {
            return false;
        }
        body_t body = {.length = 0};
        for (; edges->tail != limit && body.length < 6 * EDGES_A_FRAME; edges->tail++) {
            const edge_t edge = edges->edges[edges->tail % EDGES_PLACES];
            body_put(&body, edge.what, 2);
            body_put(&body, edge.at_us, 4);
        }
        session_send(session, 'e', &body);
    }
    return true;
}

// Say nothing, but do not let the rings run full either.
static void discard(session_t *session) {
    core_t *core = session->core;
    const note_t *note;
    while (!session->greeted && (note = core_note(core)) != NULL) {
        core->edges.tail = note->edges_before;
        if (session_ends_waiting(note)) {
            session->waiting = false;
        }
        if (note->kind == NOTE_HELLO && core->port_open) {
            session_greet(session);
        }
        core_note_done(core);
    }
}

static void look_for_trouble(session_t *session) {
    const core_t *core = session->core;
    if (core->edges.lost != session->lost_seen) {
        session->lost_seen = core->edges.lost;
        session_warn(session, W_LOST, 0, session->lost_seen);
    }
    if (core->timing.longest_us > LATE_WARN_US && core->timing.longest_us > session->late_seen) {
        session->late_seen = core->timing.longest_us;
        session_warn(session, W_LATE, 0, session->late_seen);
    }
}

static void send_warnings(session_t *session, uint32_t now_us) {
    for (unsigned code = 1; code < SESSION_WARNINGS; code++) {
        warning_t *warning = &session->warnings[code];
        if (!warning->wanted || (warning->ever && now_us - warning->last_us < WARN_EVERY_US) || session_out_free(session) < FRAME_WIRE) {
            continue;
        }
        warning->wanted = false;
        warning->ever = true;
        warning->last_us = now_us;
        body_t body = {.length = 0};
        body_put(&body, code, 1);
        body_put(&body, (uint8_t)warning->type, 1);
        body_put(&body, warning->value, 4);
        session_send(session, 'w', &body);
    }
}

// Send the notes, each after the edges that were before it; false when there is no place for all of them.
static bool send_notes(session_t *session) {
    const note_t *note;
    while ((note = core_note(session->core)) != NULL) {
        if (!send_edges(session, note->edges_before) || session_out_free(session) < FRAME_WIRE) {
            return false;
        }
        if (session_ends_waiting(note)) {
            session->waiting = false;
        }
        session_tell(session, note);
        core_note_done(session->core);
    }
    return true;
}

void session_poll(session_t *session, uint32_t now_us) {
    // Read before the notes: no note that comes later can belong before these edges.
    const uint32_t limit = session->core->edges.head;
    look_for_trouble(session);
    if (!session->greeted) {
        discard(session);
    }
    if (!session->greeted) {
        session->core->edges.tail = limit;
        return;
    }
    if (send_notes(session) && send_edges(session, limit)) {
        send_warnings(session, now_us);
    }
}

size_t session_take(session_t *session, uint8_t *data, size_t most) {
    size_t count = 0;
    while (count < most && session->out_tail != session->out_head) {
        data[count++] = session->out[session->out_tail++ % SESSION_OUT];
    }
    return count;
}
