// The linear Halls: a slowly tracked baseline, a threshold with hysteresis, edges like those of any input.
#ifndef LINEARS_H
#define LINEARS_H

#include "config.h"
#include "edges.h"

#define LINEAR_SEED_SAMPLES 64
#define LINEAR_TRACK_SHIFT 12 // at 1 kHz a time constant of 4.1 s

typedef struct {
    int32_t baseline_q16; // counts with 16 bits behind the point
    uint32_t since_us;
    uint16_t newest;
    uint8_t seed_left; // samples until the baseline is found
    uint8_t count;     // rounds of the new level so far; 0: none
    bool active;
} linear_t;

typedef struct {
    linear_t linear[HUB_LINEARS];
    uint32_t glitches, edges;
} linears_t;

// Find the baselines of these anew. What is active becomes inactive, with an edge.
void linears_zero(linears_t *linears, unsigned first, unsigned count, uint32_t at_us, edges_t *out);

// Begin anew without any edges.
void linears_reset(linears_t *linears);

// Take one conversion (0..4095) of a linear that is in use.
void linears_sample(linears_t *linears, const config_t *config, unsigned channel, uint16_t raw, uint32_t at_us, edges_t *out);

static inline uint16_t linear_baseline(const linear_t *linear) {
    return (uint16_t)(linear->baseline_q16 >> 16);
}

#endif
