// The coils: the only place that decides what current flows. Nothing here can be switched off by a setting.
//
// 1. A pulse is granted for a length that is never longer than the cap, and its end is known before it begins.
// 2. One coil at a time, with a gap; a rest after each pulse; a share of any 10 s.
// 3. Nothing holds a coil beyond what was granted. Within it a coil may be held with less current once it has pulled in.
// 4. Time is that of the scans: whole multiples of HUB_SCAN_US.
#ifndef COILS_H
#define COILS_H

#include "config.h"

#define COILS_NONE 255
#define COILS_PAST 42 // pulses of a coil that 10 s can hold, with rests of 250 ms

typedef enum {
    PULSE_DONE,
    PULSE_CLAMPED,
    PULSE_UNKNOWN,
    PULSE_NOT_ARMED,
    PULSE_REST,
    PULSE_DUTY,
    PULSE_QUEUE_FULL,
    PULSE_ZERO,
} pulse_result_t;

typedef enum { OFF_IN_TIME, OFF_ASKED, OFF_DISARMED } off_why_t;

typedef struct {
    uint64_t began_us, ended_us;
} spell_t;

typedef struct {
    uint64_t starts_us, ends_us;
    uint16_t request;
    uint8_t coil;
} pulse_t;

typedef struct {
    pulse_result_t result;
    uint16_t granted_ms;
    uint64_t starts_us;
} verdict_t;

typedef struct {
    coil_config_t limit[HUB_COILS];
    spell_t past[HUB_COILS][COILS_PAST]; // a ring each
    uint8_t newest[HUB_COILS];
    pulse_t line[1 + HUB_QUEUE]; // [0] is on, or next
    uint8_t length;
    bool on;     // line[0] is on
    bool driven; // its gate is high: always, but for the pauses of a hold
    uint64_t quiet_until_us; // end of the gap after the last pulse
    uint32_t fired, refused;
} coils_t;

// A pulse that ended, or was dropped before it began (then began_us == ended_us).
typedef struct {
    pulse_t pulse;
    uint64_t began_us, ended_us;
    off_why_t why;
} coil_end_t;

// Put limits to use; they are cut down to the built-in ones. What was done so far keeps counting.
void coils_limit(coils_t *coils, const coil_config_t limit[HUB_COILS]);

// Judge a request that can begin at `soonest_us`, and queue it if it is granted.
verdict_t coils_request(coils_t *coils, uint64_t soonest_us, uint16_t request, uint8_t coil, uint16_t pulse_ms);

// Begin or end what is due. Returns true and fills `end` if a pulse has ended.
bool coils_tick(coils_t *coils, uint64_t now_us, coil_end_t *end);

// End or drop the first of the line. Returns false when there is none.
bool coils_drop(coils_t *coils, uint64_t now_us, off_why_t why, coil_end_t *end);

// The coil that is on, or COILS_NONE.
static inline uint8_t coils_on(const coils_t *coils) {
    return coils->on ? coils->line[0].coil : COILS_NONE;
}

// When the pulse that is on must end; whoever has the gates ends it then, even if no scan comes.
static inline uint64_t coils_end_us(const coils_t *coils) {
    return coils->line[0].ends_us;
}

// Whether a pulse must end now.
static inline bool coils_ends(const coils_t *coils, uint64_t now_us) {
    return coils->on && now_us >= coils->line[0].ends_us;
}

static inline uint8_t coils_queued(const coils_t *coils) {
    return (uint8_t)(coils->length - (coils->on ? 1 : 0));
}

#endif
