// The lamps as the host wants them: bytes for a chain of WS2812, in the order of the wire.
#ifndef LAMPS_H
#define LAMPS_H

#include "hub.h"

#define LAMPS_MOST 340
#define LAMP_BYTES 3

typedef struct {
    uint8_t bytes[LAMPS_MOST * LAMP_BYTES];
    uint16_t count; // how many have been named
    bool wanted;    // not shown yet
} lamps_t;

// Take colours from lamp `first` on; false if that is out of range, or not whole lamps. They are shown when `wanted`.
bool lamps_take(lamps_t *lamps, unsigned first, const uint8_t *colours, unsigned bytes);

// All of them out: nobody says any more what they should be.
void lamps_dark(lamps_t *lamps);

#endif
