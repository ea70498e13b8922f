#include <string.h>

#include "session_parts.h"

#define CAPABILITIES 0x1F

void session_greet(session_t *session) {
    const core_t *core = session->core;
    const identity_t *identity = &session->identity;
    const uint8_t bytes[] = {HUB_PROTOCOL_MAJOR, HUB_PROTOCOL_MINOR, HUB_FIRMWARE_MAJOR, HUB_FIRMWARE_MINOR, HUB_FIRMWARE_PATCH,
                             identity->boot_reason, core_flags(core), core->cause};
    const uint16_t numbers[] = {CAPABILITIES, HUB_INPUTS, HUB_LINEARS, HUB_SCAN_US, HUB_COILS | HUB_QUEUE << 8,
                                HUB_PULSE_CAP_MS, HUB_PULSE_CEILING_MS, HUB_SILENCE_US / 1000, HUB_WATCHDOG_MS};
    body_t body = {.length = 0};
    body_put_bytes(&body, bytes, sizeof bytes);
    for (unsigned n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        body_put(&body, numbers[n], 2);
    }
    body_put(&body, core_config(core)->crc, 4);
    body_put(&body, core->last_us, 4);
    body_put_bytes(&body, identity->board_id, 8);
    body_put_bytes(&body, identity->source_digest, 8);
    body_put(&body, identity->watchdog_boots, 4);
    memset(session->warnings, 0, sizeof session->warnings);
    // The greeting is the first thing heard, even if half a frame of the old session is already on its way.
    session->out_tail = session->out_head;
    session->out[session->out_head++ % SESSION_OUT] = 0;
    session->seq = 0;
    session->greeted = true;
    session_send(session, 'h', &body);
}

static void send_state(session_t *session, const note_t *note) {
    body_t body = {.length = 0};
    body_put(&body, note->flags, 1);
    body_put(&body, note->cause, 1);
    body_put(&body, note->coil, 1);
    body_put(&body, note->why, 1);
    body_put(&body, note->at_us, 4);
    body_put(&body, core_config(session->core)->crc, 4);
    body_put(&body, 0, 4);
    session_send(session, 't', &body);
}

static void send_verdict(session_t *session, const note_t *note) {
    body_t body = {.length = 0};
    body_put(&body, note->request, 2);
    body_put(&body, note->coil, 1);
    body_put(&body, note->why, 1);
    body_put(&body, note->granted_ms, 2);
    body_put(&body, note->at_us, 4);
    session_send(session, 'f', &body);
}

static void send_off(session_t *session, const note_t *note) {
    body_t body = {.length = 0};
    body_put(&body, note->request, 2);
    body_put(&body, note->coil, 1);
    body_put(&body, note->why, 1);
    body_put(&body, note->at_us, 4);
    body_put(&body, note->took_us, 4);
    session_send(session, 'o', &body);
}

static void send_snapshot(session_t *session) {
    const core_t *core = session->core;
    const config_t *config = core_config(core);
    body_t body = {.length = 0};
    body_put(&body, core->snapshot.at_us, 4);
    body_put(&body, config->inputs, 2);
    body_put(&body, config->linears, 2);
    body_put_bytes(&body, core->snapshot.inputs, (config->inputs + 7u) / 8);
    body_put_bytes(&body, core->snapshot.linears, (config->linears + 7u) / 8);
    session_send(session, 's', &body);
}

void session_tell_configured(session_t *session, uint8_t part, uint8_t status, uint32_t value) {
    body_t body = {.length = 0};
    body_put(&body, part, 1);
    body_put(&body, status, 1);
    body_put(&body, value, 4);
    session_send(session, 'c', &body);
}

static void finish_config(session_t *session) {
    const uint32_t crc = core_config(session->core)->crc;
    const bool in_use = crc == frame_crc32(session->blob, session->blob_length);
    session->blob_length = 0;
    session_tell_configured(session, C_COMMIT, in_use ? C_FINE : C_ARMED, crc);
}

static void send_zeroing(session_t *session, const note_t *note) {
    body_t body = {.length = 0};
    body_put(&body, note->coil, 1);
    body_put(&body, note->why, 1);
    session_send(session, 'z', &body);
}

void session_tell(session_t *session, const note_t *note) {
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
        session_greet(session);
        break;
    }
}

bool session_ends_waiting(const note_t *note) {
    return note->kind == NOTE_HELLO || note->kind == NOTE_SNAPSHOT || note->kind == NOTE_CONFIG;
}
