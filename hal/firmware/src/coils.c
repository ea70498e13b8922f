#include "coils.h"

#include <string.h>

static uint16_t at_most(uint16_t value, uint16_t most) {
    return value < most ? value : most;
}

void coils_limit(coils_t *coils, const coil_config_t limit[HUB_COILS]) {
    for (unsigned n = 0; n < HUB_COILS; n++) {
        coils->limit[n].max_pulse_ms = at_most(limit[n].max_pulse_ms, HUB_PULSE_CAP_MS);
        coils->limit[n].min_rest_ms = limit[n].min_rest_ms > HUB_REST_MS ? limit[n].min_rest_ms : HUB_REST_MS;
        coils->limit[n].duty_permille = at_most(limit[n].duty_permille, HUB_DUTY_PERMILLE);
        coils->limit[n].pull_in_ms = limit[n].pull_in_ms;
        coils->limit[n].hold_quarters = limit[n].hold_quarters;
    }
}

// The last spell of a coil, what waits in the line included; none: all zero.
static spell_t last_spell(const coils_t *coils, uint8_t coil) {
    for (unsigned n = coils->length; n-- > 0;) {
        if (coils->line[n].coil == coil) {
            return (spell_t){coils->line[n].starts_us, coils->line[n].ends_us};
        }
    }
    return coils->past[coil][coils->newest[coil]];
}

static bool has_rested(const coils_t *coils, uint8_t coil, uint64_t starts_us) {
    const spell_t last = last_spell(coils, coil);
    const uint64_t least_us = coils->limit[coil].min_rest_ms * 1000u;
    const uint64_t earned_us = HUB_REST_FACTOR * (last.ended_us - last.began_us);
    return last.ended_us == 0 || starts_us >= last.ended_us + (earned_us > least_us ? earned_us : least_us);
}

static uint64_t overlap_us(spell_t spell, uint64_t from_us) {
    if (spell.ended_us <= from_us) {
        return 0;
    }
    return spell.ended_us - (spell.began_us > from_us ? spell.began_us : from_us);
}

// How long the coil is on in the window that ends with this pulse; no other window holds more of it.
static bool within_duty(const coils_t *coils, uint8_t coil, uint64_t starts_us, uint64_t length_us) {
    const uint64_t end_us = starts_us + length_us;
    const uint64_t from_us = end_us > HUB_DUTY_WINDOW_US ? end_us - HUB_DUTY_WINDOW_US : 0;
    uint64_t spent_us = length_us;
    for (unsigned n = 0; n < COILS_PAST; n++) {
        spent_us += overlap_us(coils->past[coil][n], from_us);
    }
    for (unsigned n = 0; n < coils->length; n++) {
        if (coils->line[n].coil == coil) {
            spent_us += overlap_us((spell_t){coils->line[n].starts_us, coils->line[n].ends_us}, from_us);
        }
    }
    return spent_us <= (uint64_t)coils->limit[coil].duty_permille * (HUB_DUTY_WINDOW_US / 1000);
}

static uint64_t next_start(const coils_t *coils, uint64_t soonest_us) {
    const uint64_t free_us = coils->length ? coils->line[coils->length - 1].ends_us + HUB_GAP_US : coils->quiet_until_us;
    return free_us > soonest_us ? free_us : soonest_us;
}

static verdict_t judge(const coils_t *coils, uint64_t soonest_us, uint8_t coil, uint16_t pulse_ms) {
    verdict_t verdict = {.result = PULSE_UNKNOWN};
    if (coil >= HUB_COILS || coils->limit[coil].max_pulse_ms == 0) {
        return verdict;
    }
    verdict.granted_ms = at_most(pulse_ms, coils->limit[coil].max_pulse_ms);
    verdict.starts_us = next_start(coils, soonest_us);
    if (pulse_ms == 0) {
        verdict.result = PULSE_ZERO;
    } else if (coils_queued(coils) >= HUB_QUEUE) {
        verdict.result = PULSE_QUEUE_FULL;
    } else if (!has_rested(coils, coil, verdict.starts_us)) {
        verdict.result = PULSE_REST;
    } else if (!within_duty(coils, coil, verdict.starts_us, verdict.granted_ms * 1000u)) {
        verdict.result = PULSE_DUTY;
    } else {
        verdict.result = verdict.granted_ms < pulse_ms ? PULSE_CLAMPED : PULSE_DONE;
    }
    return verdict;
}

verdict_t coils_request(coils_t *coils, uint64_t soonest_us, uint16_t request, uint8_t coil, uint16_t pulse_ms) {
    verdict_t verdict = judge(coils, soonest_us, coil, pulse_ms);
    coils->refused += verdict.result != PULSE_DONE;
    if (verdict.result > PULSE_CLAMPED) {
        verdict.granted_ms = 0;
        verdict.starts_us = 0;
        return verdict;
    }
    coils->line[coils->length++] = (pulse_t){
        .starts_us = verdict.starts_us,
        .ends_us = verdict.starts_us + verdict.granted_ms * 1000u,
        .request = request,
        .coil = coil,
    };
    return verdict;
}

static void remember(coils_t *coils, const coil_end_t *end) {
    const uint8_t coil = end->pulse.coil;
    coils->newest[coil] = (uint8_t)((coils->newest[coil] + 1) % COILS_PAST);
    coils->past[coil][coils->newest[coil]] = (spell_t){end->began_us, end->ended_us};
    coils->quiet_until_us = end->ended_us + HUB_GAP_US;
}

bool coils_drop(coils_t *coils, uint64_t now_us, off_why_t why, coil_end_t *end) {
    if (coils->length == 0) {
        return false;
    }
    if (coils_ends(coils, now_us)) {
        now_us = coils_end_us(coils); // the gate was shut then, if this scan came late
    }
    end->pulse = coils->line[0];
    end->why = why;
    end->began_us = coils->on ? end->pulse.starts_us : now_us;
    end->ended_us = now_us;
    if (coils->on) {
        remember(coils, end);
    }
    coils->on = coils->driven = false;
    coils->length--;
    memmove(&coils->line[0], &coils->line[1], coils->length * sizeof coils->line[0]);
    return true;
}

// The pauses of a hold are whole scans, spread evenly.
static bool is_driven(const coils_t *coils, uint64_t now_us) {
    const pulse_t *pulse = &coils->line[0];
    const coil_config_t *limit = &coils->limit[pulse->coil];
    const uint32_t on_us = (uint32_t)(now_us - pulse->starts_us), pull_in_us = limit->pull_in_ms * 1000u;
    if (limit->hold_quarters == 0 || on_us < pull_in_us) {
        return true;
    }
    const uint32_t scan = (on_us - pull_in_us) / HUB_SCAN_US;
    return (scan + 1) * limit->hold_quarters / 4 > scan * limit->hold_quarters / 4;
}

bool coils_tick(coils_t *coils, uint64_t now_us, coil_end_t *end) {
    if (coils_ends(coils, now_us)) {
        return coils_drop(coils, now_us, OFF_IN_TIME, end);
    }
    if (!coils->on && coils->length && now_us >= coils->line[0].starts_us) {
        // A scan that came late must not shorten the gap or lengthen the pulse: the whole line moves.
        const uint64_t late_us = now_us - coils->line[0].starts_us;
        for (unsigned n = 0; n < coils->length; n++) {
            coils->line[n].starts_us += late_us;
            coils->line[n].ends_us += late_us;
        }
        coils->on = true;
        coils->fired++;
    }
    coils->driven = coils->on && is_driven(coils, now_us);
    return false;
}
