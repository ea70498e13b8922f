// A configuration: the blob as it comes over the wire, and what the scan makes of it.
#ifndef CONFIG_H
#define CONFIG_H

#include "hub.h"

#define CONFIG_PLAIN 1 // layouts
#define CONFIG_HELD 2  // with a flag for the chain's loop, and pull-in and hold of coils
#define CONFIG_BLOB (6 + HUB_INPUTS + 6 * HUB_LINEARS + 8 * HUB_COILS)
#define CONFIG_STEPS 48 // banks times addresses

typedef enum { LINEAR_ABOVE, LINEAR_BELOW, LINEAR_EITHER } linear_side_t;

typedef struct {
    bool used;
    uint8_t side;     // linear_side_t
    uint8_t debounce; // rounds of 1 ms
    uint16_t threshold, hysteresis;
} linear_config_t;

typedef struct {
    uint16_t max_pulse_ms, min_rest_ms, duty_permille;
    uint8_t pull_in_ms;    // after it the coil is held
    uint8_t hold_quarters; // in so many of four scans; 0: all of them
} coil_config_t;

// One setting of the multiplexers and the columns (ADC inputs) worth converting there.
typedef struct {
    uint8_t bank, address, columns;
} step_t;

typedef struct {
    uint32_t crc; // 0: no configuration
    uint16_t inputs, linears;
    uint8_t used[HUB_CHIPS], invert[HUB_CHIPS];
    uint8_t debounce[HUB_INPUTS];
    linear_config_t linear[HUB_LINEARS];
    coil_config_t coil[HUB_COILS];
    step_t steps[CONFIG_STEPS];
    uint8_t step_count;
    uint8_t mean_shift; // a linear's value is the mean of two to the power of this conversions
    bool loop;       // the chain's far end gives back what PIN_LOOP says
} config_t;

#define CONFIG_FINE (-1)
#define CONFIG_LENGTH (-2)

// Which linear hangs on a column of a step.
static inline uint8_t config_channel(const step_t *step, unsigned column) {
    return (uint8_t)((step->bank * 3u + column) * 16u + step->address);
}

// Read a blob. Returns CONFIG_FINE, CONFIG_LENGTH (layout or length), or the offset of the byte that is out of range.
int config_read(config_t *config, const uint8_t *blob, size_t length);

// No inputs, no linears, coils within the built-in limits.
void config_clear(config_t *config);

#endif
