#include "config.h"

#include <string.h>

#include "frame.h"

#define USED 0x80
#define LOW_ACTIVE 0x40
#define LOOP 1
#define MOST_SHIFT 2

static uint16_t u16(const uint8_t *bytes) {
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static bool read_input(config_t *config, unsigned number, uint8_t byte) {
    const uint8_t bit = (uint8_t)(1u << number % 8);
    if ((byte & 0x30) != 0 || ((byte & USED) != 0 && (byte & 15) == 0)) {
        return false;
    }
    if (byte & USED) {
        config->used[number / 8] |= bit;
    }
    if (byte & LOW_ACTIVE) {
        config->invert[number / 8] |= bit;
    }
    config->debounce[number] = byte & 15;
    return true;
}

// Returns the offset of the wrong byte, or CONFIG_FINE.
static int read_linear(linear_config_t *linear, const uint8_t *bytes) {
    linear->used = (bytes[0] & USED) != 0;
    linear->side = bytes[0] & 3;
    linear->debounce = bytes[1];
    linear->threshold = u16(&bytes[2]);
    linear->hysteresis = u16(&bytes[4]);
    if ((bytes[0] & 0x7C) != 0 || linear->side > LINEAR_EITHER) {
        return 0;
    }
    if (!linear->used) {
        return CONFIG_FINE;
    }
    if (linear->debounce == 0) {
        return 1;
    }
    if (linear->threshold == 0 || linear->threshold >= 4096) {
        return 2;
    }
    return linear->hysteresis < linear->threshold ? CONFIG_FINE : 4;
}

static int read_coil(coil_config_t *coil, const uint8_t *bytes) {
    coil->max_pulse_ms = u16(&bytes[0]);
    coil->min_rest_ms = u16(&bytes[2]);
    coil->duty_permille = u16(&bytes[4]);
    if (coil->max_pulse_ms > HUB_PULSE_CAP_MS) {
        return 0;
    }
    if (coil->min_rest_ms < HUB_REST_MS) {
        return 2;
    }
    return coil->duty_permille <= HUB_DUTY_PERMILLE ? CONFIG_FINE : 4;
}

// Pull-in and hold: both or neither.
static int read_hold(coil_config_t *coil, const uint8_t *bytes) {
    coil->pull_in_ms = bytes[0];
    coil->hold_quarters = bytes[1];
    if (coil->hold_quarters > 3) {
        return 1;
    }
    return (coil->pull_in_ms == 0) == (coil->hold_quarters == 0) ? CONFIG_FINE : 0;
}

// Few linears leave time for several conversions of each, half of them in each scan.
static void plan_repeats(config_t *config, unsigned used) {
    config->mean_shift = MOST_SHIFT;
    while (config->mean_shift && (used + 1u) / 2 << config->mean_shift > HUB_CONVERSIONS) {
        config->mean_shift--;
    }
}

static void plan_steps(config_t *config) {
    unsigned used = 0;
    for (unsigned n = 0; n < CONFIG_STEPS; n++) {
        step_t step = {.bank = (uint8_t)(n / 16), .address = (uint8_t)(n % 16)};
        for (unsigned column = 0; column < 3; column++) {
            const unsigned channel = config_channel(&step, column);
            if (channel < config->linears && config->linear[channel].used) {
                step.columns |= (uint8_t)(1u << column);
                used++;
            }
        }
        if (step.columns) {
            config->steps[config->step_count++] = step;
        }
    }
    plan_repeats(config, used);
}

static int read_linears(config_t *config, const uint8_t *blob, int at) {
    for (unsigned n = 0; n < config->linears; n++, at += 6) {
        const int wrong = read_linear(&config->linear[n], &blob[at]);
        if (wrong >= 0) {
            return at + wrong;
        }
    }
    return CONFIG_FINE;
}

static int read_coils(config_t *config, const uint8_t *blob, int at) {
    const bool held = blob[0] == CONFIG_HELD;
    for (unsigned n = 0; n < HUB_COILS; n++, at += held ? 8 : 6) {
        int wrong = read_coil(&config->coil[n], &blob[at]);
        if (wrong >= 0) {
            return at + wrong;
        }
        wrong = held ? read_hold(&config->coil[n], &blob[at + 6]) : CONFIG_FINE;
        if (wrong >= 0) {
            return at + 6 + wrong;
        }
    }
    return CONFIG_FINE;
}

static bool layout_known(const uint8_t *blob, size_t length) {
    return length >= 6 && ((blob[0] == CONFIG_PLAIN && blob[1] == 0) || (blob[0] == CONFIG_HELD && blob[1] <= LOOP));
}

int config_read(config_t *config, const uint8_t *blob, size_t length) {
    memset(config, 0, sizeof *config);
    if (!layout_known(blob, length)) {
        return CONFIG_LENGTH;
    }
    const unsigned coil_bytes = blob[0] == CONFIG_HELD ? 8 : 6;
    config->loop = (blob[1] & LOOP) != 0;
    config->inputs = u16(&blob[2]);
    config->linears = u16(&blob[4]);
    if (config->inputs > HUB_INPUTS || config->linears > HUB_LINEARS ||
        length != 6u + config->inputs + 6u * config->linears + coil_bytes * HUB_COILS) {
        return CONFIG_LENGTH;
    }
    for (unsigned n = 0; n < config->inputs; n++) {
        if (!read_input(config, n, blob[6 + n])) {
            return (int)(6 + n);
        }
    }
    const int linears_at = 6 + config->inputs;
    int wrong = read_linears(config, blob, linears_at);
    if (wrong == CONFIG_FINE) {
        wrong = read_coils(config, blob, linears_at + 6 * config->linears);
    }
    plan_steps(config);
    config->crc = frame_crc32(blob, length);
    return wrong;
}

void config_clear(config_t *config) {
    memset(config, 0, sizeof *config);
    for (unsigned n = 0; n < HUB_COILS; n++) {
        config->coil[n] = (coil_config_t){HUB_PULSE_USUAL_MS, HUB_REST_MS, HUB_DUTY_PERMILLE, 0, 0};
    }
}
