#include "core.h"

#include <string.h>

// A note for each pulse of the line and one for the state must always find a place.
#define NOTES_KEPT_FREE (HUB_QUEUE + 4)

void core_reset(core_t *core) {
    memset(core, 0, sizeof *core);
    config_clear(&core->configs[0]);
    coils_limit(&core->coils, core->configs[0].coil);
    inputs_reset(&core->inputs);
    linears_reset(&core->linears);
    core->timing.shortest_us = UINT32_MAX;
}

uint8_t core_flags(const core_t *core) {
    return (uint8_t)((core->armed ? FLAG_ARMED : 0) | (core->estop_good ? FLAG_ESTOP_GOOD : 0) |
                     (core_config(core)->crc ? FLAG_CONFIGURED : 0) |
                     (core->edges.lost != core->lost_reported ? FLAG_EDGES_LOST : 0) |
                     (core->estop_seen ? FLAG_ESTOP_SEEN : 0) | (core->was_armed ? FLAG_WAS_ARMED : 0) |
                     (core->chain_open ? FLAG_CHAIN_OPEN : 0));
}

uint32_t core_wishes_free(const core_t *core) {
    return CORE_PLACES - (core->wish_head - core->wish_tail);
}

bool core_wish(core_t *core, wish_t wish) {
    const uint32_t head = core->wish_head;
    if (head - core->wish_tail >= CORE_PLACES) {
        return false;
    }
    core->wishes[head % CORE_PLACES] = wish;
    core->wish_head = head + 1;
    return true;
}

const note_t *core_note(const core_t *core) {
    return core->note_head == core->note_tail ? NULL : &core->notes[core->note_tail % CORE_PLACES];
}

void core_note_done(core_t *core) {
    core->note_tail++;
}

static void note(core_t *core, note_t note) {
    const uint32_t head = core->note_head;
    if (head - core->note_tail >= CORE_PLACES) {
        return;
    }
    note.flags = core_flags(core);
    note.cause = core->cause;
    note.edges_before = core->edges.head;
    core->notes[head % CORE_PLACES] = note;
    core->note_head = head + 1;
}

static void note_state(core_t *core, uint32_t now_us) {
    note(core, (note_t){.kind = NOTE_STATE, .coil = coils_on(&core->coils), .why = coils_queued(&core->coils), .at_us = now_us});
}

static void note_end(core_t *core, const coil_end_t *end) {
    note(core, (note_t){
                   .kind = NOTE_OFF,
                   .request = end->pulse.request,
                   .coil = end->pulse.coil,
                   .why = (uint8_t)end->why,
                   .at_us = (uint32_t)end->began_us,
                   .took_us = (uint32_t)(end->ended_us - end->began_us),
               });
}

static void all_off(core_t *core, uint64_t due_us, off_why_t why) {
    coil_end_t end;
    while (coils_drop(&core->coils, due_us, why, &end)) {
        note_end(core, &end);
    }
}

static void disarm(core_t *core, uint64_t due_us, uint32_t now_us, cause_t cause) {
    const bool was_armed = core->armed;
    core->armed = false;
    core->pump = false;
    core->cause = (uint8_t)cause;
    all_off(core, due_us, OFF_DISARMED);
    if (was_armed) {
        note_state(core, now_us);
    }
}

static void disarm_and_tell(core_t *core, uint64_t due_us, uint32_t now_us, cause_t cause) {
    if (!core->armed) {
        core->cause = (uint8_t)cause;
        note_state(core, now_us);
    }
    disarm(core, due_us, now_us, cause);
}

static void time_scan(core_t *core, uint32_t period_us) {
    timing_t *timing = &core->timing;
    if (timing->scans++ == 0) {
        return;
    }
    if (period_us < timing->shortest_us) {
        timing->shortest_us = period_us;
    }
    if (period_us > timing->longest_us) {
        timing->longest_us = period_us;
    }
}

// Two of four: a glitch is one sample, a pressed button is all of them.
static bool is_pressed(uint8_t samples) {
    const uint8_t bad = samples & 15;
    return (bad & (bad - 1)) != 0;
}

// Bad is believed within two scans; good must last.
static void watch_estop(core_t *core, bool line, uint32_t now_us) {
    const bool was_good = core->estop_good;
    core->estop_bad = (uint8_t)(core->estop_bad << 1 | !line);
    if (was_good ? is_pressed(core->estop_bad) : !line) {
        core->estop_scans = 0;
    } else if (core->estop_scans < HUB_ESTOP_GOOD_SCANS) {
        core->estop_scans++;
    }
    core->estop_good = core->estop_scans >= HUB_ESTOP_GOOD_SCANS;
    core->estop_seen = core->estop_seen || (was_good && !core->estop_good); // a host that was away must hear of it
    if (core->estop_good != was_good && !core->armed) {
        note_state(core, now_us);
    }
}

static cause_t why_unsafe(const core_t *core, uint32_t now_us, uint32_t period_us) {
    if (!core->estop_good) {
        return CAUSE_ESTOP;
    }
    if (!core->port_open) {
        return CAUSE_CLOSED;
    }
    // Seen after `now_us` was read gives a small negative number: not silent.
    if ((int32_t)(now_us - core->host_seen_us) > HUB_SILENCE_US) {
        return CAUSE_SILENT;
    }
    return period_us > HUB_LATE_US ? CAUSE_LATE : CAUSE_ARMED;
}

void core_begin(core_t *core, uint64_t due_us, uint32_t now_us, bool estop_line) {
    const uint32_t period_us = now_us - core->last_us;
    core->last_us = now_us;
    time_scan(core, period_us);
    watch_estop(core, estop_line, now_us);
    if (!core->armed) {
        return;
    }
    const cause_t cause = why_unsafe(core, now_us, period_us);
    if (cause != CAUSE_ARMED) {
        disarm(core, due_us, now_us, cause);
        return;
    }
    coil_end_t end;
    if (coils_tick(&core->coils, due_us, &end)) {
        note_end(core, &end);
    }
    core->pump = !core->pump;
}

static void watch_chain(core_t *core, bool whole, uint32_t at_us) {
    core->chain_faults += !whole;
    core->chain_bad = whole ? 0 : (uint8_t)(core->chain_bad + (core->chain_bad < HUB_CHAIN_BAD_SCANS));
    core->chain_good = whole ? (uint8_t)(core->chain_good + (core->chain_good < HUB_CHAIN_GOOD_SCANS)) : 0;
    const bool open = core->chain_open ? core->chain_good < HUB_CHAIN_GOOD_SCANS : core->chain_bad >= HUB_CHAIN_BAD_SCANS;
    if (open != core->chain_open) {
        core->chain_open = open;
        note_state(core, at_us);
    }
}

void core_inputs(core_t *core, const uint8_t *raw, bool whole, uint32_t at_us) {
    watch_chain(core, whole, at_us);
    if (whole) {
        inputs_scan(&core->inputs, core_config(core), raw, at_us, &core->edges);
    }
}

void core_linear(core_t *core, unsigned channel, uint16_t raw, uint32_t at_us) {
    linears_sample(&core->linears, core_config(core), channel, raw, at_us, &core->edges);
}

static cause_t why_not_armed(const core_t *core, uint32_t crc, uint32_t now_us) {
    const uint32_t in_use = core_config(core)->crc;
    if (in_use == 0) {
        return CAUSE_UNCONFIGURED;
    }
    return in_use != crc ? CAUSE_OTHER_CONFIG : why_unsafe(core, now_us, 0);
}

static void arm(core_t *core, uint32_t crc, uint64_t due_us, uint32_t now_us) {
    const cause_t cause = why_not_armed(core, crc, now_us);
    if (cause != CAUSE_ARMED) {
        disarm_and_tell(core, due_us, now_us, cause);
        return;
    }
    core->armed = core->was_armed = true;
    core->estop_seen = false;
    core->cause = CAUSE_ARMED;
    note_state(core, now_us);
}

static void pulse(core_t *core, const wish_t *wish, uint64_t soonest_us) {
    const uint16_t pulse_ms = (uint16_t)wish->value;
    verdict_t verdict = {.result = PULSE_NOT_ARMED};
    if (core->armed) {
        verdict = coils_request(&core->coils, soonest_us, wish->request, wish->small, pulse_ms);
    } else {
        core->coils.refused++;
    }
    note(core, (note_t){
                   .kind = NOTE_VERDICT,
                   .request = wish->request,
                   .coil = wish->small,
                   .why = (uint8_t)verdict.result,
                   .granted_ms = verdict.granted_ms,
                   .at_us = (uint32_t)verdict.starts_us,
               });
}

static void take_config(core_t *core, uint32_t now_us) {
    if (!core->armed) {
        core->config_in_use = 1 - core->config_in_use;
        coils_limit(&core->coils, core_config(core)->coil);
        inputs_reset(&core->inputs);
        linears_reset(&core->linears);
        core->chain_open = false;
        core->chain_bad = core->chain_good = 0;
        core->cause = CAUSE_NEVER;
    }
    note(core, (note_t){.kind = NOTE_CONFIG, .at_us = now_us});
}

static void take_snapshot(core_t *core, uint32_t now_us) {
    snapshot_t *snapshot = &core->snapshot;
    memset(snapshot, 0, sizeof *snapshot);
    snapshot->at_us = now_us;
    memcpy(snapshot->inputs, core->inputs.level, sizeof snapshot->inputs);
    for (unsigned n = 0; n < core_config(core)->linears; n++) {
        snapshot->linears[n / 8] |= (uint8_t)(core->linears.linear[n].active << n % 8);
    }
    core->lost_reported = core->edges.lost;
    note(core, (note_t){.kind = NOTE_SNAPSHOT});
}

// What ends a pulse here counts it to the next scan: a little more than it was, never less.
static void hear(core_t *core, const wish_t *wish, uint64_t next_us, uint32_t now_us) {
    switch (wish->kind) {
    case WISH_HELLO:
        disarm(core, next_us, now_us, CAUSE_HELLO);
        note(core, (note_t){.kind = NOTE_HELLO});
        break;
    case WISH_ARM:
        arm(core, wish->value, next_us, now_us);
        break;
    case WISH_DISARM:
        disarm_and_tell(core, next_us, now_us, CAUSE_ASKED);
        break;
    case WISH_PULSE:
        pulse(core, wish, next_us);
        break;
    case WISH_OFF:
        all_off(core, next_us, OFF_ASKED);
        note_state(core, now_us);
        break;
    case WISH_STATE:
        note_state(core, now_us);
        break;
    case WISH_CONFIG:
        take_config(core, now_us);
        break;
    case WISH_ZERO:
        linears_zero(&core->linears, wish->small, wish->value, now_us, &core->edges);
        note(core, (note_t){.kind = NOTE_ZERO, .coil = wish->small, .why = (uint8_t)wish->value});
        break;
    case WISH_SNAPSHOT:
        take_snapshot(core, now_us);
        break;
    case WISH_FRESH:
        core->timing.shortest_us = UINT32_MAX;
        core->timing.longest_us = core->timing.longest_scan_us = 0;
        break;
    default:
        break;
    }
}

static void measure_load(timing_t *timing, uint32_t took_us) {
    timing->busy_us += took_us;
    if (timing->scans % HUB_SECOND_SCANS == 0) {
        timing->load_permille = timing->busy_us / 1000;
        timing->busy_us = 0;
    }
}

void core_end(core_t *core, uint64_t due_us, uint32_t now_us) {
    const uint32_t took_us = now_us - core->last_us;
    if (took_us > core->timing.longest_scan_us) {
        core->timing.longest_scan_us = took_us;
    }
    measure_load(&core->timing, took_us);
    // One wish in a scan keeps the scan short; they come far slower.
    const uint32_t free = CORE_PLACES - (core->note_head - core->note_tail);
    if (core->wish_tail != core->wish_head && free > NOTES_KEPT_FREE) {
        hear(core, &core->wishes[core->wish_tail % CORE_PLACES], due_us + HUB_SCAN_US, now_us);
        core->wish_tail++;
    }
}
