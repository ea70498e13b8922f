// The core: everything that happens in the scan's interrupt, without any hardware.
//
// 1. The interrupt owns all of it. The main loop only posts wishes and reads notes, through rings with one
//    writer and one reader; so nothing needs a lock and no scan is ever kept waiting.
// 2. What is unsafe acts at once; what is safe again needs a new wish to arm.
#ifndef CORE_H
#define CORE_H

#include "coils.h"
#include "config.h"
#include "edges.h"
#include "inputs.h"
#include "linears.h"

#define CORE_PLACES 32 // of each ring; a power of two

typedef enum {
    CAUSE_NEVER,
    CAUSE_ASKED,
    CAUSE_SILENT,
    CAUSE_ESTOP,
    CAUSE_UNCONFIGURED,
    CAUSE_OTHER_CONFIG,
    CAUSE_HELLO,
    CAUSE_CLOSED,
    CAUSE_ARMED,
    CAUSE_LATE,
} cause_t;

#define FLAG_ARMED 1
#define FLAG_ESTOP_GOOD 2
#define FLAG_CONFIGURED 4
#define FLAG_EDGES_LOST 8
#define FLAG_ESTOP_SEEN 16 // pressed, or 12 V gone, since the coils were last armed (or since the start)
#define FLAG_WAS_ARMED 32  // since the start
#define FLAG_CHAIN_OPEN 64 // what is sent to the far end of the chain does not come back

typedef enum {
    WISH_HELLO,
    WISH_ARM,
    WISH_DISARM,
    WISH_PULSE,
    WISH_OFF,
    WISH_STATE,
    WISH_CONFIG,
    WISH_ZERO,
    WISH_SNAPSHOT,
    WISH_FRESH,
} wish_kind_t;

typedef struct {
    uint8_t kind; // wish_kind_t
    uint8_t small; // coil, first linear
    uint16_t request;
    uint32_t value; // pulse_ms, crc, count
} wish_t;

typedef enum { NOTE_HELLO, NOTE_VERDICT, NOTE_OFF, NOTE_STATE, NOTE_SNAPSHOT, NOTE_CONFIG, NOTE_ZERO } note_kind_t;

typedef struct {
    uint8_t kind; // note_kind_t
    uint8_t flags, cause, coil, why; // why: pulse_result_t or off_why_t; of NOTE_STATE: queued
    uint16_t request, granted_ms;
    uint32_t at_us, took_us;
    uint32_t edges_before; // edges that were put before this note
} note_t;

typedef struct {
    uint32_t at_us;
    uint8_t inputs[HUB_CHIPS], linears[HUB_LINEARS / 8];
} snapshot_t;

typedef struct {
    uint32_t scans, shortest_us, longest_us, longest_scan_us;
    uint32_t busy_us, load_permille; // of this second so far; of the last one
} timing_t;

typedef struct {
    inputs_t inputs;
    linears_t linears;
    coils_t coils;
    edges_t edges;
    config_t configs[2];
    volatile uint8_t config_in_use;
    wish_t wishes[CORE_PLACES];
    volatile uint32_t wish_head, wish_tail;
    note_t notes[CORE_PLACES];
    volatile uint32_t note_head, note_tail;
    snapshot_t snapshot; // written for WISH_SNAPSHOT; read before the next one
    timing_t timing;
    volatile uint32_t host_seen_us; // written by the main loop
    volatile bool port_open;        // written by the main loop
    volatile bool armed;
    volatile uint8_t cause;
    volatile bool estop_good;
    volatile bool estop_seen, was_armed;
    uint8_t estop_scans, estop_bad; // good ones in a row; the last four samples, 1 is bad
    uint8_t chain_bad, chain_good;  // scans in a row
    bool chain_open;
    volatile uint32_t chain_faults;
    volatile uint16_t temperature; // what the chip's own sensor gives, counts
    uint32_t last_us, lost_reported;
    bool pump;
} core_t;

void core_reset(core_t *core);

// --- the interrupt, in this order ---

// Begin a scan that is due at `due_us` and really came at `now_us`. Then set the gates.
void core_begin(core_t *core, uint64_t due_us, uint32_t now_us, bool estop_line);
// What the chain gave; `whole`: its mark came back, or none is wanted. A scan that is not whole counts for nothing.
void core_inputs(core_t *core, const uint8_t *raw, bool whole, uint32_t at_us);
void core_linear(core_t *core, unsigned channel, uint16_t raw, uint32_t at_us);
// Finish: hear the oldest wish. `due_us` is that of this scan. Then set the gates again.
void core_end(core_t *core, uint64_t due_us, uint32_t now_us);

// The gates: bit n is coil n. Never more than one.
static inline uint8_t core_gates(const core_t *core) {
    const bool high = core->armed && core->coils.on && core->coils.driven;
    return high ? (uint8_t)(1u << coils_on(&core->coils)) : 0;
}

static inline const config_t *core_config(const core_t *core) {
    return &core->configs[core->config_in_use];
}

// --- the main loop ---

// The configuration that is not in use, to be filled before WISH_CONFIG.
static inline config_t *core_spare_config(core_t *core) {
    return &core->configs[1 - core->config_in_use];
}

uint8_t core_flags(const core_t *core);
uint32_t core_wishes_free(const core_t *core);
bool core_wish(core_t *core, wish_t wish); // false: no place
const note_t *core_note(const core_t *core); // the oldest, or NULL
void core_note_done(core_t *core);

#endif
