#include "conversation.h"

#include <string.h>

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

void conversation_begin(conversation_t *conversation) {
    memset(conversation->warnings, 0, sizeof conversation->warnings);
    // What comes next is the first thing heard, even if half a frame of the old session is already on its way.
    conversation->out_tail = conversation->out_head;
    conversation->out[conversation->out_head++ % CONVERSATION_OUT] = 0;
    conversation->seq = 0;
    conversation->stale = false;
    conversation->greeted = true;
}

size_t conversation_out_free(const conversation_t *conversation) {
    return CONVERSATION_OUT - (conversation->out_head - conversation->out_tail);
}

void conversation_send(conversation_t *conversation, char type, const body_t *body) {
    uint8_t wire[FRAME_WIRE];
    const size_t length = frame_write(wire, type, conversation->seq++, body->bytes, body->length);
    // Who calls has made sure of the place; were it wrong, the gap in seq tells the host.
    for (size_t n = 0; n < length && length <= conversation_out_free(conversation); n++) {
        conversation->out[(conversation->out_head + n) % CONVERSATION_OUT] = wire[n];
    }
    conversation->out_head += length <= conversation_out_free(conversation) ? (uint32_t)length : 0;
}

void conversation_warn(conversation_t *conversation, unsigned code, char type, uint32_t value) {
    conversation->warnings[code].wanted = true;
    conversation->warnings[code].type = type;
    conversation->warnings[code].value = value;
}
