#include "inputs.h"

#include <string.h>

void inputs_reset(inputs_t *inputs) {
    memset(inputs->pending, 0, sizeof inputs->pending);
    memset(inputs->level, 0, sizeof inputs->level);
    inputs->begun = false;
}

static void sample(inputs_t *inputs, const config_t *config, unsigned number, bool differs, uint32_t at_us, edges_t *out) {
    const unsigned chip = number / 8;
    const uint8_t bit = (uint8_t)(1u << number % 8);
    if (!differs) {
        inputs->pending[chip] &= (uint8_t)~bit;
        inputs->glitches++;
        return;
    }
    if (!(inputs->pending[chip] & bit)) {
        inputs->pending[chip] |= bit;
        inputs->since_us[number] = at_us; // the change counts from its first sample
        inputs->count[number] = 0;
    }
    if (++inputs->count[number] < config->debounce[number]) {
        return;
    }
    inputs->pending[chip] &= (uint8_t)~bit;
    inputs->level[chip] ^= bit;
    inputs->edges++;
    edges_put(out, (uint16_t)number, (inputs->level[chip] & bit) != 0, inputs->since_us[number]);
}

static void scan_chip(inputs_t *inputs, const config_t *config, unsigned chip, uint8_t level, uint32_t at_us, edges_t *out) {
    const uint8_t differs = level ^ inputs->level[chip];
    const uint8_t busy = differs | inputs->pending[chip];
    for (unsigned bit = 0; busy >> bit; bit++) {
        if (busy >> bit & 1) {
            sample(inputs, config, chip * 8 + bit, (differs >> bit & 1) != 0, at_us, out);
        }
    }
}

void inputs_scan(inputs_t *inputs, const config_t *config, const uint8_t *raw, uint32_t at_us, edges_t *out) {
    const unsigned chips = (config->inputs + 7u) / 8;
    for (unsigned chip = 0; chip < chips; chip++) {
        const uint8_t level = (raw[chip] ^ config->invert[chip]) & config->used[chip];
        if (!inputs->begun) {
            inputs->level[chip] = level;
        } else if (level != inputs->level[chip] || inputs->pending[chip]) {
            scan_chip(inputs, config, chip, level, at_us, out);
        }
    }
    inputs->begun = true;
}
