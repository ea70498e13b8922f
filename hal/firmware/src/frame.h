// Frames: COBS(type, seq, body, crc16 big-endian) 00. No hardware, no memory of its own but the reader's.
#ifndef FRAME_H
#define FRAME_H

#include "hub.h"

#define FRAME_BODY 250
#define FRAME_PLAIN (FRAME_BODY + 4)
#define FRAME_WIRE (FRAME_PLAIN + 2) // one code byte and the end mark

typedef struct {
    char type;
    uint8_t seq;
    uint8_t length;
    const uint8_t *body; // inside the reader; good until its next byte
} frame_t;

typedef enum { FRAME_NONE, FRAME_GOOD, FRAME_BAD } frame_result_t;

// Collects bytes until a frame is whole. All zero is a fresh one.
typedef struct {
    uint8_t bytes[FRAME_WIRE];
    uint16_t length;
    bool too_long;
} frame_reader_t;

uint16_t frame_crc16(const uint8_t *data, size_t length);
uint32_t frame_crc32(const uint8_t *data, size_t length);

// Take one byte. FRAME_GOOD: `frame` is filled. FRAME_BAD: something ended that was no frame.
frame_result_t frame_read(frame_reader_t *reader, uint8_t byte, frame_t *frame);

// Write a frame of at most FRAME_BODY bytes to `wire` (FRAME_WIRE bytes); returns its length.
size_t frame_write(uint8_t *wire, char type, uint8_t seq, const uint8_t *body, uint8_t length);

#endif
