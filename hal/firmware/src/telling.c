#include "telling.h"

#define WARN_EVERY_US 50000
#define EDGES_A_FRAME 40
#define OUT_MOST 512 // bytes before the next edges: what waits longer can still be dropped
#define CAPABILITIES 0x3F

void tell_greeting(conversation_t *conversation) {
    const core_t *core = conversation->core;
    const identity_t *identity = &conversation->identity;
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
    conversation_begin(conversation);
    conversation_send(conversation, 'h', &body);
}

static void send_state(conversation_t *conversation, const note_t *note) {
    body_t body = {.length = 0};
    body_put(&body, note->flags, 1);
    body_put(&body, note->cause, 1);
    body_put(&body, note->coil, 1);
    body_put(&body, note->why, 1);
    body_put(&body, note->at_us, 4);
    body_put(&body, core_config(conversation->core)->crc, 4);
    body_put(&body, 0, 4);
    conversation_send(conversation, 't', &body);
}

static void send_verdict(conversation_t *conversation, const note_t *note) {
    body_t body = {.length = 0};
    body_put(&body, note->request, 2);
    body_put(&body, note->coil, 1);
    body_put(&body, note->why, 1);
    body_put(&body, note->granted_ms, 2);
    body_put(&body, note->at_us, 4);
    conversation_send(conversation, 'f', &body);
}

static void send_off(conversation_t *conversation, const note_t *note) {
    body_t body = {.length = 0};
    body_put(&body, note->request, 2);
    body_put(&body, note->coil, 1);
    body_put(&body, note->why, 1);
    body_put(&body, note->at_us, 4);
    body_put(&body, note->took_us, 4);
    conversation_send(conversation, 'o', &body);
}

static void send_snapshot(conversation_t *conversation) {
    const core_t *core = conversation->core;
    const config_t *config = core_config(core);
    body_t body = {.length = 0};
    body_put(&body, core->snapshot.at_us, 4);
    body_put(&body, config->inputs, 2);
    body_put(&body, config->linears, 2);
    body_put_bytes(&body, core->snapshot.inputs, (config->inputs + 7u) / 8);
    body_put_bytes(&body, core->snapshot.linears, (config->linears + 7u) / 8);
    conversation_send(conversation, 's', &body);
}

void tell_configured(conversation_t *conversation, uint8_t part, uint8_t status, uint32_t value) {
    body_t body = {.length = 0};
    body_put(&body, part, 1);
    body_put(&body, status, 1);
    body_put(&body, value, 4);
    conversation_send(conversation, 'c', &body);
}

static void finish_config(conversation_t *conversation) {
    const uint32_t crc = core_config(conversation->core)->crc;
    const bool in_use = crc == frame_crc32(conversation->blob, conversation->blob_length);
    conversation->blob_length = 0;
    tell_configured(conversation, C_COMMIT, in_use ? C_FINE : C_ARMED, crc);
}

static void send_zeroing(conversation_t *conversation, const note_t *note) {
    body_t body = {.length = 0};
    body_put(&body, note->coil, 1);
    body_put(&body, note->why, 1);
    conversation_send(conversation, 'z', &body);
}

void tell_note(conversation_t *conversation, const note_t *note) {
    switch (note->kind) {
    case NOTE_VERDICT:
        send_verdict(conversation, note);
        break;
    case NOTE_OFF:
        send_off(conversation, note);
        break;
    case NOTE_STATE:
        send_state(conversation, note);
        break;
    case NOTE_SNAPSHOT:
        send_snapshot(conversation);
        break;
    case NOTE_CONFIG:
        finish_config(conversation);
        break;
    case NOTE_ZERO:
        send_zeroing(conversation, note);
        break;
    default:
        tell_greeting(conversation);
        break;
    }
}

bool tell_edges(conversation_t *conversation, uint32_t limit) {
    edges_t *edges = &conversation->core->edges;
    if (conversation->stale && (int32_t)(limit - edges->tail) > 0) {
        conversation->dropped += limit - edges->tail;
        edges->tail = limit;
    }
    while ((int32_t)(limit - edges->tail) > 0) {
        if (CONVERSATION_OUT - conversation_out_free(conversation) > OUT_MOST) {
            return false;
        }
        body_t body = {.length = 0};
        for (; edges->tail != limit && body.length < 6 * EDGES_A_FRAME; edges->tail++) {
            const edge_t edge = edges->edges[edges->tail % EDGES_PLACES];
            body_put(&body, edge.what, 2);
            body_put(&body, edge.at_us, 4);
        }
        conversation_send(conversation, 'e', &body);
    }
    return true;
}

static bool is_due(const warning_t *warning, uint32_t now_us) {
    return warning->wanted && (!warning->ever || now_us - warning->last_us >= WARN_EVERY_US);
}

void tell_warnings(conversation_t *conversation, uint32_t now_us) {
    for (unsigned code = 1; code < W_END; code++) {
        warning_t *warning = &conversation->warnings[code];
        if (!is_due(warning, now_us) || conversation_out_free(conversation) < FRAME_WIRE) {
            continue;
        }
        warning->wanted = false;
        warning->ever = true;
        warning->last_us = now_us;
        body_t body = {.length = 0};
        body_put(&body, code, 1);
        body_put(&body, (uint8_t)warning->type, 1);
        body_put(&body, warning->value, 4);
        conversation_send(conversation, 'w', &body);
    }
}
