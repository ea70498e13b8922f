#include <string.h>

#include "session_parts.h"

#define RAW_A_FRAME 60
#define BOOT_WORD 0x544F4F42

static void session_wish(session_t *session, wish_t wish) {
    core_wish(session->core, wish); // session_feed has made sure of the place
}

typedef struct {
    char type;
    uint8_t least, most; // bytes of the body
    void (*hear)(session_t *session, const frame_t *frame, uint64_t now_us);
} command_t;

static void wait_for(session_t *session, wish_kind_t kind) {
    session->waiting = true;
    session_wish(session, (wish_t){.kind = (uint8_t)kind});
}

static void hear_hello(session_t *session, const frame_t *frame, uint64_t now_us) {
    (void)frame;
    (void)now_us;
    session->greeted = false; // nothing of the old session is said any more
    session->blob_length = 0;
    wait_for(session, WISH_HELLO);
}

static uint8_t begin_config(session_t *session, const frame_t *frame) {
    const uint32_t length = body_get(&frame->body[1], 2);
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
    if (body_get(&frame->body[1], 2) != session->blob_got || session->blob_got + more > session->blob_length) {
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
    if (frame_crc32(session->blob, session->blob_length) != body_get(&frame->body[1], 4)) {
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
        session_tell_configured(session, part, status, value);
    }
}

static void hear_query(session_t *session, const frame_t *frame, uint64_t now_us) {
    (void)frame;
    (void)now_us;
    wait_for(session, WISH_SNAPSHOT);
}

static void hear_ping(session_t *session, const frame_t *frame, uint64_t now_us) {
    body_t body = {.length = 0};
    body_put_bytes(&body, frame->body, 4);
    body_put(&body, now_us, 8);
    body_put(&body, core_flags(session->core), 1);
    session_send(session, 'p', &body);
}

static void hear_arm(session_t *session, const frame_t *frame, uint64_t now_us) {
    (void)now_us;
    if (frame->body[0] > 1) {
        session_warn(session, W_BODY, frame->type, frame->body[0]);
        return;
    }
    session_wish(session, (wish_t){.kind = frame->body[0] ? WISH_ARM : WISH_DISARM, .value = body_get(&frame->body[1], 4)});
}

static void hear_pulse(session_t *session, const frame_t *frame, uint64_t now_us) {
    (void)now_us;
    session_wish(session, (wish_t){.kind = WISH_PULSE,
                           .small = frame->body[2],
                           .request = (uint16_t)body_get(frame->body, 2),
                           .value = body_get(&frame->body[3], 2)});
}

static void hear_off(session_t *session, const frame_t *frame, uint64_t now_us) {
    (void)frame;
    (void)now_us;
    session_wish(session, (wish_t){.kind = WISH_OFF});
}

static void hear_state(session_t *session, const frame_t *frame, uint64_t now_us) {
    (void)frame;
    (void)now_us;
    session_wish(session, (wish_t){.kind = WISH_STATE});
}

static bool linears_named(session_t *session, const frame_t *frame, unsigned most) {
    const unsigned first = frame->body[0], count = frame->body[1];
    const bool good = count >= 1 && count <= most && first + count <= HUB_LINEARS;
    if (!good) {
        session_warn(session, W_BODY, frame->type, first | count << 8);
    }
    return good;
}

static void hear_raw(session_t *session, const frame_t *frame, uint64_t now_us) {
    if (!linears_named(session, frame, RAW_A_FRAME)) {
        return;
    }
    body_t body = {.length = 0};
    body_put_bytes(&body, frame->body, 2);
    body_put(&body, now_us, 4);
    for (unsigned n = frame->body[0]; n < frame->body[0] + frame->body[1]; n++) {
        const linear_t linear = session->core->linears.linear[n];
        body_put(&body, linear.newest, 2);
        body_put(&body, linear_baseline(&linear), 2);
    }
    session_send(session, 'r', &body);
}

static void hear_zero(session_t *session, const frame_t *frame, uint64_t now_us) {
    (void)now_us;
    if (linears_named(session, frame, HUB_LINEARS)) {
        session_wish(session, (wish_t){.kind = WISH_ZERO, .small = frame->body[0], .value = frame->body[1]});
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
        body_put(&body, numbers[n], 4);
    }
    session_send(session, 'd', &body);
    session->late_seen = 0;
    session_wish(session, (wish_t){.kind = WISH_FRESH});
}

static void hear_boot(session_t *session, const frame_t *frame, uint64_t now_us) {
    (void)now_us;
    session->boot_wanted = body_get(frame->body, 4) == BOOT_WORD && !session->core->armed;
    if (!session->boot_wanted) {
        session_warn(session, W_BODY, frame->type, body_get(frame->body, 4));
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
        session_warn(session, W_GAP, frame->type, (uint32_t)session->host_seq << 8 | frame->seq);
    }
    session->host_seq = (uint8_t)(frame->seq + 1);
}

void session_hear(session_t *session, const frame_t *frame, uint64_t now_us) {
    session->good++;
    session->core->host_seen_us = (uint32_t)now_us;
    if (!session->greeted && frame->type != 'H') {
        return; // nothing is done without a hello
    }
    watch_seq(session, frame);
    const command_t *command = command_of(frame->type);
    if (command == NULL) {
        session_warn(session, W_UNKNOWN, frame->type, (uint8_t)frame->type);
    } else if (frame->length < command->least || frame->length > command->most) {
        session_warn(session, W_BODY, frame->type, frame->length);
    } else {
        command->hear(session, frame, now_us);
    }
}
