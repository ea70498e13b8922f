#include "hearing.h"

#include <string.h>

#include "telling.h"

#define OUT_KEPT_FREE (3 * FRAME_WIRE) // for the longest answer to what is read next
#define WISHES_KEPT_FREE 4
#define RAW_A_FRAME 60
#define LAMPS_HEAD 3
#define BOOT_WORD 0x544F4F42

typedef struct {
    char type;
    uint8_t least, most; // bytes of the body
    void (*hear)(conversation_t *conversation, const frame_t *frame, uint64_t now_us);
} command_t;

bool hear_ready(const conversation_t *conversation) {
    return !conversation->waiting && conversation_out_free(conversation) >= OUT_KEPT_FREE &&
           core_wishes_free(conversation->core) >= WISHES_KEPT_FREE;
}

static void wish_for(conversation_t *conversation, wish_t wish) {
    core_wish(conversation->core, wish); // hear_ready has made sure of the place
}

static void wait_for(conversation_t *conversation, wish_kind_t kind) {
    conversation->waiting = true;
    wish_for(conversation, (wish_t){.kind = (uint8_t)kind});
}

void hear_resume(conversation_t *conversation, const note_t *note) {
    if (note->kind == NOTE_HELLO || note->kind == NOTE_SNAPSHOT || note->kind == NOTE_CONFIG) {
        conversation->waiting = false;
    }
}

static void hear_hello(conversation_t *conversation, const frame_t *frame, uint64_t now_us) {
    (void)frame;
    (void)now_us;
    conversation->greeted = false; // nothing of the old session is said any more
    conversation->blob_length = 0;
    wait_for(conversation, WISH_HELLO);
}

static uint8_t begin_config(conversation_t *conversation, const frame_t *frame) {
    const uint32_t length = body_get(&frame->body[1], 2);
    if (frame->length != 3) {
        return C_PART;
    }
    conversation->blob_got = 0;
    conversation->blob_length = length <= CONFIG_BLOB ? (uint16_t)length : 0;
    return conversation->blob_length ? C_FINE : C_LAYOUT;
}

static uint8_t take_config_data(conversation_t *conversation, const frame_t *frame) {
    if (frame->length < 4 || frame->length > 3 + 240) {
        return C_PART;
    }
    const uint16_t more = frame->length - 3;
    if (body_get(&frame->body[1], 2) != conversation->blob_got || conversation->blob_got + more > conversation->blob_length) {
        return C_ORDER;
    }
    memcpy(&conversation->blob[conversation->blob_got], &frame->body[3], more);
    conversation->blob_got = (uint16_t)(conversation->blob_got + more);
    return C_FINE;
}

static uint8_t commit_config(conversation_t *conversation, const frame_t *frame, uint32_t *value) {
    if (frame->length != 5) {
        return C_PART;
    }
    if (conversation->blob_length == 0 || conversation->blob_got != conversation->blob_length) {
        return C_ORDER;
    }
    if (frame_crc32(conversation->blob, conversation->blob_length) != body_get(&frame->body[1], 4)) {
        return C_CRC;
    }
    const int wrong = config_read(core_spare_config(conversation->core), conversation->blob, conversation->blob_length);
    if (wrong != CONFIG_FINE) {
        *value = wrong >= 0 ? (uint32_t)wrong : *value;
        return wrong >= 0 ? C_RANGE : C_LAYOUT;
    }
    wait_for(conversation, WISH_CONFIG); // its note sends the answer
    return C_FINE;
}

static void hear_config(conversation_t *conversation, const frame_t *frame, uint64_t now_us) {
    (void)now_us;
    const uint8_t part = frame->body[0];
    uint32_t value = core_config(conversation->core)->crc;
    uint8_t status = C_PART;
    if (conversation->core->armed) {
        status = C_ARMED;
    } else if (part == C_BEGIN) {
        status = begin_config(conversation, frame);
    } else if (part == C_DATA) {
        status = take_config_data(conversation, frame);
    } else if (part == C_COMMIT) {
        status = commit_config(conversation, frame, &value);
    }
    if (!conversation->waiting) {
        tell_configured(conversation, part, status, value);
    }
}

static void hear_query(conversation_t *conversation, const frame_t *frame, uint64_t now_us) {
    (void)frame;
    (void)now_us;
    wait_for(conversation, WISH_SNAPSHOT);
}

static void hear_ping(conversation_t *conversation, const frame_t *frame, uint64_t now_us) {
    body_t body = {.length = 0};
    body_put_bytes(&body, frame->body, 4);
    body_put(&body, now_us, 8);
    body_put(&body, core_flags(conversation->core), 1);
    conversation_send(conversation, 'p', &body);
}

static void hear_arm(conversation_t *conversation, const frame_t *frame, uint64_t now_us) {
    (void)now_us;
    if (frame->body[0] > 1) {
        conversation_warn(conversation, W_BODY, frame->type, frame->body[0]);
        return;
    }
    wish_for(conversation, (wish_t){.kind = frame->body[0] ? WISH_ARM : WISH_DISARM, .value = body_get(&frame->body[1], 4)});
}

static void hear_pulse(conversation_t *conversation, const frame_t *frame, uint64_t now_us) {
    (void)now_us;
    wish_for(conversation, (wish_t){
                               .kind = WISH_PULSE,
                               .small = frame->body[2],
                               .request = (uint16_t)body_get(frame->body, 2),
                               .value = body_get(&frame->body[3], 2),
                           });
}

static void hear_off(conversation_t *conversation, const frame_t *frame, uint64_t now_us) {
    (void)frame;
    (void)now_us;
    wish_for(conversation, (wish_t){.kind = WISH_OFF});
}

static void hear_state(conversation_t *conversation, const frame_t *frame, uint64_t now_us) {
    (void)frame;
    (void)now_us;
    wish_for(conversation, (wish_t){.kind = WISH_STATE});
}

static bool linears_named(conversation_t *conversation, const frame_t *frame, unsigned most) {
    const unsigned first = frame->body[0], count = frame->body[1];
    const bool good = count >= 1 && count <= most && first + count <= HUB_LINEARS;
    if (!good) {
        conversation_warn(conversation, W_BODY, frame->type, first | count << 8);
    }
    return good;
}

static void hear_raw(conversation_t *conversation, const frame_t *frame, uint64_t now_us) {
    if (!linears_named(conversation, frame, RAW_A_FRAME)) {
        return;
    }
    body_t body = {.length = 0};
    body_put_bytes(&body, frame->body, 2);
    body_put(&body, now_us, 4);
    for (unsigned n = frame->body[0]; n < frame->body[0] + frame->body[1]; n++) {
        const linear_t linear = conversation->core->linears.linear[n];
        body_put(&body, linear.newest, 2);
        body_put(&body, linear_baseline(&linear), 2);
    }
    conversation_send(conversation, 'r', &body);
}

static void hear_zero(conversation_t *conversation, const frame_t *frame, uint64_t now_us) {
    (void)now_us;
    if (linears_named(conversation, frame, HUB_LINEARS)) {
        wish_for(conversation, (wish_t){.kind = WISH_ZERO, .small = frame->body[0], .value = frame->body[1]});
    }
}

// Hundredths of a degree: 27 C give 0.706 V, a degree more 1.721 mV less (data sheet of the RP2040, 4.9.5).
static int32_t celsius_100(uint16_t counts) {
    const int32_t microvolts = (int32_t)((uint64_t)counts * 3300000 / 4096);
    return 2700 - (microvolts - 706000) * 100 / 1721;
}

static void hear_diagnosis(conversation_t *conversation, const frame_t *frame, uint64_t now_us) {
    (void)frame;
    (void)now_us;
    const core_t *core = conversation->core;
    const timing_t timing = core->timing;
    const uint32_t numbers[15] = {
        timing.scans,
        timing.shortest_us,
        timing.longest_us,
        timing.longest_scan_us,
        core->inputs.edges + core->linears.edges,
        core->edges.lost + conversation->dropped,
        core->inputs.glitches + core->linears.glitches,
        conversation->good,
        conversation->bad,
        conversation->gaps,
        core->coils.fired,
        core->coils.refused,
        timing.load_permille,
        (uint32_t)celsius_100(core->temperature),
        core->chain_faults,
    };
    body_t body = {.length = 0};
    for (unsigned n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        body_put(&body, numbers[n], 4);
    }
    conversation_send(conversation, 'd', &body);
    conversation->late_seen = 0;
    wish_for(conversation, (wish_t){.kind = WISH_FRESH});
}

static void hear_lamps(conversation_t *conversation, const frame_t *frame, uint64_t now_us) {
    (void)now_us;
    const unsigned first = body_get(frame->body, 2);
    if (!lamps_take(&conversation->lamps, first, &frame->body[LAMPS_HEAD], frame->length - LAMPS_HEAD)) {
        conversation_warn(conversation, W_BODY, frame->type, first);
        return;
    }
    conversation->lamps.wanted = conversation->lamps.wanted || frame->body[2] != 0;
}

static void hear_boot(conversation_t *conversation, const frame_t *frame, uint64_t now_us) {
    (void)now_us;
    conversation->boot_wanted = body_get(frame->body, 4) == BOOT_WORD && !conversation->core->armed;
    if (!conversation->boot_wanted) {
        conversation_warn(conversation, W_BODY, frame->type, body_get(frame->body, 4));
    }
}

static const command_t commands[] = {
    {'H', 2, 2, hear_hello}, {'C', 3, FRAME_BODY, hear_config}, {'Q', 0, 0, hear_query},     {'P', 4, 4, hear_ping},
    {'A', 5, 5, hear_arm},   {'S', 5, 5, hear_pulse},           {'O', 0, 0, hear_off},       {'T', 0, 0, hear_state},
    {'R', 2, 2, hear_raw},   {'Z', 2, 2, hear_zero},            {'D', 0, 0, hear_diagnosis}, {'B', 4, 4, hear_boot},
    {'L', LAMPS_HEAD, FRAME_BODY, hear_lamps},
};

static const command_t *command_of(char type) {
    for (unsigned n = 0; n < sizeof commands / sizeof *commands; n++) {
        if (commands[n].type == type) {
            return &commands[n];
        }
    }
    return NULL;
}

static void watch_seq(conversation_t *conversation, const frame_t *frame) {
    if (frame->type != 'H' && frame->seq != conversation->host_seq) {
        conversation->gaps++;
        conversation_warn(conversation, W_GAP, frame->type, (uint32_t)conversation->host_seq << 8 | frame->seq);
    }
    conversation->host_seq = (uint8_t)(frame->seq + 1);
}

void hear_frame(conversation_t *conversation, const frame_t *frame, uint64_t now_us) {
    conversation->good++;
    conversation->core->host_seen_us = (uint32_t)now_us;
    if (!conversation->greeted && frame->type != 'H') {
        return; // nothing is done without a hello
    }
    watch_seq(conversation, frame);
    const command_t *command = command_of(frame->type);
    if (command == NULL) {
        conversation_warn(conversation, W_UNKNOWN, frame->type, (uint8_t)frame->type);
    } else if (frame->length < command->least || frame->length > command->most) {
        conversation_warn(conversation, W_BODY, frame->type, frame->length);
    } else {
        command->hear(conversation, frame, now_us);
    }
}
