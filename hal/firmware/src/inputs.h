// The digital inputs: from the bytes of one scan to debounced levels and edges.
#ifndef INPUTS_H
#define INPUTS_H

#include "config.h"
#include "edges.h"

typedef struct {
    uint8_t level[HUB_CHIPS];   // debounced, logical
    uint8_t pending[HUB_CHIPS]; // differ from the level, not yet long enough
    uint8_t count[HUB_INPUTS];  // samples of the new level so far
    uint32_t since_us[HUB_INPUTS];
    uint32_t glitches, edges;
    bool begun; // false: the next scan is the level at the start
} inputs_t;

// Begin anew: the next scan gives the levels, without edges.
void inputs_reset(inputs_t *inputs);

// Take one scan, made at `at_us`: byte n is chip n, bit b its pin Db.
void inputs_scan(inputs_t *inputs, const config_t *config, const uint8_t *raw, uint32_t at_us, edges_t *out);

#endif
