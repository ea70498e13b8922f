#include "session.h"

#include <string.h>

#define OUT_KEPT_FREE (3 * FRAME_WIRE) // for the longest answer to what is read next
#define WISHES_KEPT_FREE 4
#define WARN_EVERY_US 50000
#define LATE_WARN_US (2 * HUB_SCAN_US)
#define EDGES_A_FRAME 40
#define RAW_A_FRAME 60
#define BOOT_WORD 0x544F4F42
#define CAPABILITIES 0x1F

enum { W_BROKEN = 1, W_GAP, W_UNKNOWN, W_BODY, W_LOST, W_LATE };
enum { C_FINE, C_PART, C_ORDER, C_CRC, C_ARMED, C_LAYOUT, C_RANGE };
enum { C_BEGIN, C_DATA, C_COMMIT };

// --- a body being written ---

typedef struct {
    uint8_t bytes[FRAME_BODY];
    uint8_t length;
} body_t;

static void put(body_t *body, uint64_t value, unsigned bytes) {
    for (; bytes-- > 0; value >>= 8) {
        body->bytes[body->length++] = (uint8_t)value;
    }
}

static void put_bytes(body_t *body, const uint8_t *bytes, unsigned count) {
    memcpy(&body->bytes[body->length], bytes, count);
    body->length = (uint8_t)(body->length + count);
}

static uint32_t get(const uint8_t *bytes, unsigned count) {
    uint32_t value = 0;
    while (count-- > 0) {
        value = value << 8 | bytes[count];
    }
    return value;
}

static size_t out_free(const session_t *session) {
    return SESSION_OUT - (session->out_head - session->out_tail);
}

static void send(session_t *session, char type, const body_t *body) {
    uint8_t wire[FRAME_WIRE];
    const size_t length = frame_write(wire, type, session->seq++, body->bytes, body->length);
    // Who calls has made sure of the place; were it wrong, the gap in seq tells the host.
    for (size_t n = 0; n < length && length <= out_free(session); n++) {
        session->out[(session->out_head + n) % SESSION_OUT] = wire[n];
    }
    session->out_head += length <= out_free(session) ? (uint32_t)length : 0;
}

static void warn(session_t *session, unsigned code, char type, uint32_t value) {
    session->warnings[code].wanted = true;
    session->warnings[code].type = type;
    session->warnings[code].value = value;
}

static void wish(session_t *session, wish_t wish) {
    core_wish(session->core, wish); // session_feed has made sure of the place
}

// --- the core's notes ---

static void send_greeting(session_t *session) {
    const core_t *core = session->core;
    const identity_t *identity = &session->identity;
    const uint8_t bytes[] = {HUB_PROTOCOL_MAJOR, HUB_PROTOCOL_MINOR, HUB_FIRMWARE_MAJOR, HUB_FIRMWARE_MINOR, HUB_FIRMWARE_PATCH,
                             identity->boot_reason, core_flags(core), core->cause};
    const uint16_t numbers[] = {CAPABILITIES, HUB_INPUTS, HUB_LINEARS, HUB_SCAN_US, HUB_COILS | HUB_QUEUE << 8,
                                HUB_PULSE_CAP_MS, HUB_PULSE_CEILING_MS, HUB_SILENCE_US / 1000, HUB_WATCHDOG_MS};
    body_t body = {.length = 0};
    put_bytes(&body, bytes, sizeof bytes);
    for (unsigned n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        put(&body, numbers[n], 2);
    }
    put(&body, core_config(core)->crc, 4);
    put(&body, core->last_us, 4);
    put_bytes(&body, identity->board_id, 8);
    put_bytes(&body, identity->source_digest, 8);
    put(&body, identity->watchdog_boots, 4);
    memset(session->warnings, 0, sizeof session->warnings);
    // The greeting is the first thing heard, even if half a frame of the old session is already on its way.
    session->out_tail = session->out_head;
    session->out[session->out_head++ % SESSION_OUT] = 0;
    session->seq = 0;
    session->greeted = true;
    send(session, 'h', &body);
}

static void send_state(session_t *session, const note_t *note) {
    body_t body = {.length = 0};
    put(&body, note->flags, 1);
    put(&body, note->cause, 1);
    put(&body, note->coil, 1);
    put(&body, note->why, 1);
    put(&body, note->at_us, 4);
    put(&body, core_config(session->core)->crc, 4);
    put(&body, 0, 4);
    send(session, 't', &body);
}

static void send_verdict(session_t *session, const note_t *note) {
    body_t body = {.length = 0};
    put(&body, note->request, 2);
    put(&body, note->coil, 1);
    put(&body, note->why, 1);
    put(&body, note->granted_ms, 2);
    put(&body, note->at_us, 4);
    send(session, 'f', &body);
}

static void send_off(session_t *session, const note_t *note) {
    body_t body = {.length = 0};
    put(&body, note->request, 2);
    put(&body, note->coil, 1);
    put(&body, note->why, 1);
    put(&body, note->at_us, 4);
    put(&body, note->took_us, 4);
    send(session, 'o', &body);
}

static void send_snapshot(session_t *session) {
    const core_t *core = session->core;
    const config_t *config = core_config(core);
    body_t body = {.length = 0};
    put(&body, core->snapshot.at_us, 4);
    put(&body, config->inputs, 2);
    put(&body, config->linears, 2);
    put_bytes(&body, core->snapshot.inputs, (config->inputs + 7u) / 8);
    put_bytes(&body, core->snapshot.linears, (config->linears + 7u) / 8);
    send(session, 's', &body);
}

static void send_configured(session_t *session, uint8_t part, uint8_t status, uint32_t value) {
    body_t body = {.length = 0};
    put(&body, part, 1);
    put(&body, status, 1);
    put(&body, value, 4);
    send(session, 'c', &body);
}

static void finish_config(session_t *session) {
    const uint32_t crc = core_config(session->core)->crc;
    const bool in_use = crc == frame_crc32(session->blob, session->blob_length);
    session->blob_length = 0;
    send_configured(session, C_COMMIT, in_use ? C_FINE : C_ARMED, crc);
}

static void send_zeroing(session_t *session, const note_t *note) {
    body_t body = {.length = 0};
    put(&body, note->coil, 1);
    put(&body, note->why, 1);
    send(session, 'z', &body);
}

static void send_note(session_t *session, const note_t *note) {
    switch (note->kind) {
    case NOTE_VERDICT:
        send_verdict(session, note);
        break;
    case NOTE_OFF:
        send_off(session, note);
        break;
    case NOTE_STATE:
        send_state(session, note);
        break;
    case NOTE_SNAPSHOT:
        send_snapshot(session);
        break;
    case NOTE_CONFIG:
        finish_config(session);
        break;
    case NOTE_ZERO:
        send_zeroing(session, note);
        break;
    default:
        send_greeting(session);
        break;
    }
}

static bool ends_waiting(const note_t *note) {
    return note->kind == NOTE_HELLO || note->kind == NOTE_SNAPSHOT || note->kind == NOTE_CONFIG;
}

// --- what the host says ---

typedef struct {
    char type;
    uint8_t least, most; // bytes of the body
    void (*hear)(session_t *session, const frame_t *frame, uint64_t now_us);
} command_t;

static void wait_for(session_t *session, wish_kind_t kind) {
    session->waiting = true;
    wish(session, (wish_t){.kind = (uint8_t)kind});
}

static void hear_hello(session_t *session, const frame_t *frame, uint64_t now_us) {
    (void)frame;
    (void)now_us;
    session->greeted = false; // nothing of the old session is said any more
    session->blob_length = 0;
    wait_for(session, WISH_HELLO);
}

static uint8_t begin_config(session_t *session, const frame_t *frame) {
    const uint32_t length = get(&frame->body[1], 2);
    if (frame->length != 3) {
        return C_PART;
    }
    session->blob_got = 0;
    session->blob_length = length <= CONFIG_BLOB ? (uint16_t)length : 0;
    return session->blob_length ? C_FINE : C_LAYOUT;
}

static uint8_t take_config_data(session_t *session, const frame_t *frame) {
    if (frame->length < 4 || frame->length > 3 + 240) {
        return C_PART;
    }
    const uint16_t more = frame->length - 3;
    if (get(&frame->body[1], 2) != session->blob_got || session->blob_got + more > session->blob_length) {
        return C_ORDER;
    }
    memcpy(&session->blob[session->blob_got], &frame->body[3], more);
    session->blob_got = (uint16_t)(session->blob_got + more);
    return C_FINE;
}

static uint8_t commit_config(session_t *session, const frame_t *frame, uint32_t *value) {
    if (frame->length != 5) {
        return C_PART;
    }
    if (session->blob_length == 0 || session->blob_got != session->blob_length) {
        return C_ORDER;
    }
    if (frame_crc32(session->blob, session->blob_length) != get(&frame->body[1], 4)) {
        return C_CRC;
    }
    const int wrong = config_read(core_spare_config(session->core), session->blob, session->blob_length);
    if (wrong != CONFIG_FINE) {
        *value = wrong >= 0 ? (uint32_t)wrong : *value;
        return wrong >= 0 ? C_RANGE : C_LAYOUT;
    }
    wait_for(session, WISH_CONFIG); // its note sends the answer
    return C_FINE;
}

static void hear_config(session_t *session, const frame_t *frame, uint64_t now_us) {
    (void)now_us;
    const uint8_t part = frame->body[0];
    uint32_t value = core_config(session->core)->crc;
    uint8_t status = C_PART;
    if (session->core->armed) {
        status = C_ARMED;
    } else if (part == C_BEGIN) {
        status = begin_config(session, frame);
    } else if (part == C_DATA) {
        status = take_config_data(session, frame);
    } else if (part == C_COMMIT) {
        status = commit_config(session, frame, &value);
    }
    if (!session->waiting) {
        send_configured(session, part, status, value);
    }
}

static void hear_query(session_t *session, const frame_t *frame, uint64_t now_us) {
    (void)frame;
    (void)now_us;
    wait_for(session, WISH_SNAPSHOT);
}

static void hear_ping(session_t *session, const frame_t *frame, uint64_t now_us) {
    body_t body = {.length = 0};
    put_bytes(&body, frame->body, 4);
    put(&body, now_us, 8);
    put(&body, core_flags(session->core), 1);
    send(session, 'p', &body);
}

static void hear_arm(session_t *session, const frame_t *frame, uint64_t now_us) {
    (void)now_us;
    if (frame->body[0] > 1) {
        warn(session, W_BODY, frame->type, frame->body[0]);
        return;
    }
    wish(session, (wish_t){.kind = frame->body[0] ? WISH_ARM : WISH_DISARM, .value = get(&frame->body[1], 4)});
}

static void hear_pulse(session_t *session, const frame_t *frame, uint64_t now_us) {
    (void)now_us;
    wish(session, (wish_t){.kind = WISH_PULSE,
                           .small = frame->body[2],
                           .request = (uint16_t)get(frame->body, 2),
                           .value = get(&frame->body[3], 2)});
}

static void hear_off(session_t *session, const frame_t *frame, uint64_t now_us) {
    (void)frame;
    (void)now_us;
    wish(session, (wish_t){.kind = WISH_OFF});
}

static void hear_state(session_t *session, const frame_t *frame, uint64_t now_us) {
    (void)frame;
    (void)now_us;
    wish(session, (wish_t){.kind = WISH_STATE});
}

static bool linears_named(session_t *session, const frame_t *frame, unsigned most) {
    const unsigned first = frame->body[0], count = frame->body[1];
    const bool good = count >= 1 && count <= most && first + count <= HUB_LINEARS;
    if (!good) {
        warn(session, W_BODY, frame->type, first | count << 8);
    }
    return good;
}

static void hear_raw(session_t *session, const frame_t *frame, uint64_t now_us) {
    if (!linears_named(session, frame, RAW_A_FRAME)) {
        return;
    }
    body_t body = {.length = 0};
    put_bytes(&body, frame->body, 2);
    put(&body, now_us, 4);
    for (unsigned n = frame->body[0]; n < frame->body[0] + frame->body[1]; n++) {
        const linear_t linear = session->core->linears.linear[n];
        put(&body, linear.newest, 2);
        put(&body, linear_baseline(&linear), 2);
    }
    send(session, 'r', &body);
}

static void hear_zero(session_t *session, const frame_t *frame, uint64_t now_us) {
    (void)now_us;
    if (linears_named(session, frame, HUB_LINEARS)) {
        wish(session, (wish_t){.kind = WISH_ZERO, .small = frame->body[0], .value = frame->body[1]});
    }
}

static void hear_diagnosis(session_t *session, const frame_t *frame, uint64_t now_us) {
    (void)frame;
    (void)now_us;
    const core_t *core = session->core;
    const timing_t timing = core->timing;
    const uint32_t numbers[12] = {
        timing.scans,
        timing.shortest_us,
        timing.longest_us,
        timing.longest_scan_us,
        core->inputs.edges + core->linears.edges,
        core->edges.lost,
        core->inputs.glitches + core->linears.glitches,
        session->good,
        session->bad,
        session->gaps,
        core->coils.fired,
        core->coils.refused,
    };
    body_t body = {.length = 0};
    for (unsigned n = 0; n < 12; n++) {
        put(&body, numbers[n], 4);
    }
    send(session, 'd', &body);
    session->late_seen = 0;
    wish(session, (wish_t){.kind = WISH_FRESH});
}

static void hear_boot(session_t *session, const frame_t *frame, uint64_t now_us) {
    (void)now_us;
    session->boot_wanted = get(frame->body, 4) == BOOT_WORD && !session->core->armed;
    if (!session->boot_wanted) {
        warn(session, W_BODY, frame->type, get(frame->body, 4));
    }
}

static const command_t commands[] = {
    {'H', 2, 2, hear_hello}, {'C', 3, FRAME_BODY, hear_config}, {'Q', 0, 0, hear_query},     {'P', 4, 4, hear_ping},
    {'A', 5, 5, hear_arm},   {'S', 5, 5, hear_pulse},           {'O', 0, 0, hear_off},       {'T', 0, 0, hear_state},
    {'R', 2, 2, hear_raw},   {'Z', 2, 2, hear_zero},            {'D', 0, 0, hear_diagnosis}, {'B', 4, 4, hear_boot},
};

static const command_t *command_of(char type) {
    for (unsigned n = 0; n < sizeof commands / sizeof *commands; n++) {
        if (commands[n].type == type) {
            return &commands[n];
        }
    }
    return NULL;
}

static void watch_seq(session_t *session, const frame_t *frame) {
    if (frame->type != 'H' && frame->seq != session->host_seq) {
        session->gaps++;
        warn(session, W_GAP, frame->type, (uint32_t)session->host_seq << 8 | frame->seq);
    }
    session->host_seq = (uint8_t)(frame->seq + 1);
}

static void hear(session_t *session, const frame_t *frame, uint64_t now_us) {
    session->good++;
    session->core->host_seen_us = (uint32_t)now_us;
    if (!session->greeted && frame->type != 'H') {
        return; // nothing is done without a hello
    }
    watch_seq(session, frame);
    const command_t *command = command_of(frame->type);
    if (command == NULL) {
        warn(session, W_UNKNOWN, frame->type, (uint8_t)frame->type);
    } else if (frame->length < command->least || frame->length > command->most) {
        warn(session, W_BODY, frame->type, frame->length);
    } else {
        command->hear(session, frame, now_us);
    }
}

// --- what main.c calls ---

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
    return !session->waiting && out_free(session) >= OUT_KEPT_FREE && core_wishes_free(session->core) >= WISHES_KEPT_FREE;
}

size_t session_feed(session_t *session, const uint8_t *data, size_t length, uint64_t now_us) {
    size_t taken = 0;
    while (taken < length && may_read(session)) {
        frame_t frame;
        const frame_result_t result = frame_read(&session->reader, data[taken++], &frame);
        if (result == FRAME_GOOD) {
            hear(session, &frame, now_us);
        } else if (result == FRAME_BAD) {
            warn(session, W_BROKEN, 0, ++session->bad);
        }
    }
    return taken;
}

// Send the edges before `limit`; false when there is no place for all of them.
static bool send_edges(session_t *session, uint32_t limit) {
    edges_t *edges = &session->core->edges;
    while ((int32_t)(limit - edges->tail) > 0) {
        if (out_free(session) < FRAME_WIRE) {
            return false;
        }
        body_t body = {.length = 0};
        for (; edges->tail != limit && body.length < 6 * EDGES_A_FRAME; edges->tail++) {
            const edge_t edge = edges->edges[edges->tail % EDGES_PLACES];
            put(&body, edge.what, 2);
            put(&body, edge.at_us, 4);
        }
        send(session, 'e', &body);
    }
    return true;
}

// Say nothing, but do not let the rings run full either.
static void discard(session_t *session) {
    core_t *core = session->core;
    const note_t *note;
    while (!session->greeted && (note = core_note(core)) != NULL) {
        core->edges.tail = note->edges_before;
        if (ends_waiting(note)) {
            session->waiting = false;
        }
        if (note->kind == NOTE_HELLO && core->port_open) {
            send_greeting(session);
        }
        core_note_done(core);
    }
}

static void look_for_trouble(session_t *session) {
    const core_t *core = session->core;
    if (core->edges.lost != session->lost_seen) {
        session->lost_seen = core->edges.lost;
        warn(session, W_LOST, 0, session->lost_seen);
    }
    if (core->timing.longest_us > LATE_WARN_US && core->timing.longest_us > session->late_seen) {
        session->late_seen = core->timing.longest_us;
        warn(session, W_LATE, 0, session->late_seen);
    }
}

static void send_warnings(session_t *session, uint32_t now_us) {
    for (unsigned code = 1; code < SESSION_WARNINGS; code++) {
        warning_t *warning = &session->warnings[code];
        if (!warning->wanted || (warning->ever && now_us - warning->last_us < WARN_EVERY_US) || out_free(session) < FRAME_WIRE) {
            continue;
        }
        warning->wanted = false;
        warning->ever = true;
        warning->last_us = now_us;
        body_t body = {.length = 0};
        put(&body, code, 1);
        put(&body, (uint8_t)warning->type, 1);
        put(&body, warning->value, 4);
        send(session, 'w', &body);
    }
}

// Send the notes, each after the edges that were before it; false when there is no place for all of them.
static bool send_notes(session_t *session) {
    const note_t *note;
    while ((note = core_note(session->core)) != NULL) {
        if (!send_edges(session, note->edges_before) || out_free(session) < FRAME_WIRE) {
            return false;
        }
        if (ends_waiting(note)) {
            session->waiting = false;
        }
        send_note(session, note);
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
