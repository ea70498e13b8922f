#include "linears.h"

#include <string.h>

static void settle(linears_t *linears, unsigned channel, bool active, uint32_t at_us, edges_t *out) {
    linears->linear[channel].active = active;
    linears->edges++;
    edges_put(out, (uint16_t)(HUB_FIRST_LINEAR + channel), active, at_us);
}

void linears_reset(linears_t *linears) {
    memset(linears->linear, 0, sizeof linears->linear);
    for (unsigned n = 0; n < HUB_LINEARS; n++) {
        linears->linear[n].seed_left = LINEAR_SEED_SAMPLES;
    }
}

void linears_zero(linears_t *linears, unsigned first, unsigned count, uint32_t at_us, edges_t *out) {
    for (unsigned n = first; n < first + count; n++) {
        if (linears->linear[n].active) {
            settle(linears, n, false, at_us, out);
        }
        linears->linear[n].count = 0;
        linears->linear[n].baseline_q16 = 0;
        linears->linear[n].seed_left = LINEAR_SEED_SAMPLES;
    }
}

// The mean of the first samples, built up as a sum of 64ths.
static void seed(linear_t *linear, uint16_t raw) {
    linear->baseline_q16 += ((int32_t)raw << 16) / LINEAR_SEED_SAMPLES;
    linear->seed_left--;
}

static int distance(const linear_t *linear, uint8_t side, uint16_t raw) {
    const int delta = raw - ((linear->baseline_q16 + 0x8000) >> 16);
    if (side == LINEAR_BELOW || (side == LINEAR_EITHER && delta < 0)) {
        return -delta;
    }
    return delta;
}

static void debounce(linears_t *linears, unsigned channel, uint8_t rounds, bool differs, uint32_t at_us, edges_t *out) {
    linear_t *linear = &linears->linear[channel];
    if (!differs) {
        linears->glitches += linear->count != 0;
        linear->count = 0;
        return;
    }
    if (linear->count == 0) {
        linear->since_us = at_us;
    }
    if (++linear->count >= rounds) {
        linear->count = 0;
        settle(linears, channel, !linear->active, linear->since_us, out);
    }
}

void linears_sample(linears_t *linears, const config_t *config, unsigned channel, uint16_t raw, uint32_t at_us, edges_t *out) {
    linear_t *linear = &linears->linear[channel];
    const linear_config_t *wanted = &config->linear[channel];
    linear->newest = raw;
    if (linear->seed_left) {
        seed(linear, raw);
        return;
    }
    const int limit = linear->active ? wanted->threshold - wanted->hysteresis : wanted->threshold;
    const bool beyond = distance(linear, wanted->side, raw) >= limit;
    if (!beyond && !linear->active) {
        linear->baseline_q16 += (((int32_t)raw << 16) - linear->baseline_q16) >> LINEAR_TRACK_SHIFT;
    }
    debounce(linears, channel, wanted->debounce, beyond != linear->active, at_us, out);
}
