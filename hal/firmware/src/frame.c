#include "frame.h"

#include <string.h>

uint16_t frame_crc16(const uint8_t *data, size_t length) {
    static const uint16_t nibble[16] = {0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50A5, 0x60C6, 0x70E7,
                                        0x8108, 0x9129, 0xA14A, 0xB16B, 0xC18C, 0xD1AD, 0xE1CE, 0xF1EF};
    uint16_t crc = 0xFFFF;
    for (size_t i = 0; i < length; i++) {
        crc = (uint16_t)(crc << 4) ^ nibble[(crc >> 12) ^ (data[i] >> 4)];
        crc = (uint16_t)(crc << 4) ^ nibble[(crc >> 12) ^ (data[i] & 15)];
    }
    return crc;
}

uint32_t frame_crc32(const uint8_t *data, size_t length) {
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < length; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = (crc >> 1) ^ (0xEDB88320 & (0u - (crc & 1)));
        }
    }
    return ~crc;
}

// Undo COBS in place; returns the plain length, or 0 if the codes do not add up.
static size_t unstuff(uint8_t *bytes, size_t length) {
    size_t from = 0, to = 0;
    while (from < length) {
        const uint8_t code = bytes[from++];
        if (code == 0 || from + code - 1u > length) {
            return 0;
        }
        memmove(&bytes[to], &bytes[from], code - 1u);
        to += code - 1u;
        from += code - 1u;
        if (code != 0xFF && from < length) {
            bytes[to++] = 0;
        }
    }
    return to;
}

static bool is_letter(uint8_t byte) {
    return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

static frame_result_t finish(frame_reader_t *reader, frame_t *frame) {
    const bool was_nothing = reader->length == 0 && !reader->too_long;
    const size_t length = reader->too_long ? 0 : unstuff(reader->bytes, reader->length);
    reader->length = 0;
    reader->too_long = false;
    if (was_nothing) {
        return FRAME_NONE;
    }
    if (length < 4 || length > FRAME_PLAIN || frame_crc16(reader->bytes, length) != 0 || !is_letter(reader->bytes[0])) {
        return FRAME_BAD;
    }
    frame->type = (char)reader->bytes[0];
    frame->seq = reader->bytes[1];
    frame->length = (uint8_t)(length - 4);
    frame->body = &reader->bytes[2];
    return FRAME_GOOD;
}

frame_result_t frame_read(frame_reader_t *reader, uint8_t byte, frame_t *frame) {
    if (byte == 0) {
        return finish(reader, frame);
    }
    if (reader->length >= FRAME_WIRE - 1) {
        reader->too_long = true;
    } else {
        reader->bytes[reader->length++] = byte;
    }
    return FRAME_NONE;
}

// Stuff at most 254 bytes, so that no code 255 is followed by anything. Returns the length with end mark.
static size_t stuff(uint8_t *wire, const uint8_t *plain, size_t length) {
    size_t code_at = 0, to = 1;
    for (size_t i = 0; i < length; i++) {
        if (plain[i] == 0) {
            wire[code_at] = (uint8_t)(to - code_at);
            code_at = to++;
        } else {
            wire[to++] = plain[i];
        }
    }
    wire[code_at] = (uint8_t)(to - code_at);
    wire[to++] = 0;
    return to;
}

size_t frame_write(uint8_t *wire, char type, uint8_t seq, const uint8_t *body, uint8_t length) {
    uint8_t plain[FRAME_PLAIN];
    plain[0] = (uint8_t)type;
    plain[1] = seq;
    memcpy(&plain[2], body, length);
    const uint16_t crc = frame_crc16(plain, length + 2u);
    plain[length + 2] = (uint8_t)(crc >> 8);
    plain[length + 3] = (uint8_t)crc;
    return stuff(wire, plain, length + 4u);
}
