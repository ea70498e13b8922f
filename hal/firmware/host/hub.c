// The hub without hardware, for tests on the host: core and session in a time that only goes on by scans.
#include <stdlib.h>
#include <string.h>

#include "session.h"

typedef struct {
    core_t core;
    session_t session;
    uint64_t now_us;
    uint8_t raw[HUB_CHIPS];
    bool estop_good, chain_open;
} host_hub_t;

host_hub_t *host_new(void) {
    host_hub_t *hub = calloc(1, sizeof *hub);
    const identity_t identity = {.boot_reason = 1};
    core_reset(&hub->core);
    session_reset(&hub->session, &hub->core, &identity);
    session_port(&hub->session, true);
    hub->estop_good = true;
    hub->now_us = 1000;
    return hub;
}

void host_free(host_hub_t *hub) {
    free(hub);
}

void host_set_input(host_hub_t *hub, unsigned number, bool high) {
    const uint8_t bit = (uint8_t)(1u << number % 8);
    hub->raw[number / 8] = (uint8_t)(high ? hub->raw[number / 8] | bit : hub->raw[number / 8] & ~bit);
}

void host_set_estop(host_hub_t *hub, bool good) {
    hub->estop_good = good;
}

// Cut the chain of shift registers, or mend it: what its far end says does not come back.
void host_set_chain(host_hub_t *hub, bool open) {
    hub->chain_open = open;
}

// What the chip's own temperature sensor gives, counts.
void host_set_temperature(host_hub_t *hub, uint16_t counts) {
    hub->core.temperature = counts;
}

// What the hub wants its lamps to show: three bytes each. Returns how many lamps; they count as shown.
unsigned host_lamps(host_hub_t *hub, uint8_t *colours) {
    lamps_t *lamps = &hub->session.conversation.lamps;
    memcpy(colours, lamps->bytes, lamps->count * LAMP_BYTES);
    const unsigned shown = lamps->wanted ? lamps->count : 0;
    lamps->wanted = false;
    return shown;
}

// One scan after `period_us`, with the main loop after it. Returns the gates.
uint8_t host_scan(host_hub_t *hub, uint32_t period_us) {
    hub->now_us += period_us;
    core_begin(&hub->core, hub->now_us, (uint32_t)hub->now_us, hub->estop_good);
    const uint8_t gates = core_gates(&hub->core);
    const bool whole = !core_config(&hub->core)->loop || !hub->chain_open;
    core_inputs(&hub->core, hub->raw, whole, (uint32_t)hub->now_us);
    core_end(&hub->core, hub->now_us, (uint32_t)hub->now_us + 20);
    session_poll(&hub->session, (uint32_t)hub->now_us);
    return gates;
}

// Many scans; their gates go to `gates`. The port's words are not taken out meanwhile.
void host_run(host_hub_t *hub, unsigned scans, uint8_t *gates) {
    for (unsigned n = 0; n < scans; n++) {
        gates[n] = host_scan(hub, HUB_SCAN_US);
    }
}

// The host gives a sign of life without saying anything.
void host_seen(host_hub_t *hub) {
    hub->core.host_seen_us = (uint32_t)hub->now_us;
}

void host_linear(host_hub_t *hub, unsigned channel, uint16_t raw) {
    core_linear(&hub->core, channel, raw, (uint32_t)hub->now_us);
}

size_t host_feed(host_hub_t *hub, const uint8_t *data, size_t length) {
    return session_feed(&hub->session, data, length, hub->now_us);
}

size_t host_take(host_hub_t *hub, uint8_t *data, size_t most) {
    return session_take(&hub->session, data, most);
}

bool host_pump(const host_hub_t *hub) {
    return hub->core.pump;
}

uint64_t host_now_us(const host_hub_t *hub) {
    return hub->now_us;
}

// The board's id and the digest that this hub gives for its firmware, 8 bytes each.
void host_identify(host_hub_t *hub, const uint8_t *board_id, const uint8_t *source_digest) {
    memcpy(hub->session.conversation.identity.board_id, board_id, 8);
    memcpy(hub->session.conversation.identity.source_digest, source_digest, 8);
}

// The port was opened or closed.
void host_port(host_hub_t *hub, bool open) {
    session_port(&hub->session, open);
}

// Whether the hub was asked to restart as a USB disk.
bool host_boot_wanted(const host_hub_t *hub) {
    return hub->session.conversation.boot_wanted;
}
