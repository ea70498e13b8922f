// What must hold for any bytes at all: nothing is read or written out of bounds, no two gates are on, no gate is on
// longer than the cap, and a frame that was written is read again. For libFuzzer (or AFL++ through it).
#include <stdlib.h>
#include <string.h>

#include "session.h"

#define CHECK(fact) \
    if (!(fact)) abort()

static void check_round_trip(const uint8_t *data, size_t size) {
    uint8_t wire[FRAME_WIRE];
    const uint8_t length = (uint8_t)(size < FRAME_BODY ? size : FRAME_BODY);
    const size_t written = frame_write(wire, 'e', 7, data, length);
    frame_reader_t reader = {.length = 0};
    frame_t frame;
    for (size_t n = 0; n + 1 < written; n++) {
        CHECK(wire[n] != 0);
        CHECK(frame_read(&reader, wire[n], &frame) == FRAME_NONE);
    }
    CHECK(frame_read(&reader, wire[written - 1], &frame) == FRAME_GOOD);
    CHECK(frame.type == 'e' && frame.seq == 7 && frame.length == length && memcmp(frame.body, data, length) == 0);
}

static core_t core;
static session_t session;
static uint64_t now_us;
static uint64_t on_us; // of the pulse that is on, up to this scan

// Most scans come in time; some were skipped, and some come a little early or late.
static uint32_t period_us(uint8_t noise) {
    static const uint32_t others[] = {499, 501, 2 * HUB_SCAN_US, 3 * HUB_SCAN_US, HUB_LATE_US, HUB_LATE_US + 1, 20000, 750};
    return noise % 4 != 3 ? HUB_SCAN_US : others[noise / 4 % 8];
}

// The gate of a pulse is shut when it ends, by an alarm, whenever the next scan comes.
static void pass_us(uint32_t period) {
    if (core_gates(&core)) {
        const uint64_t end_us = coils_end_us(&core.coils);
        CHECK(end_us >= now_us);
        on_us += end_us < now_us + period ? end_us - now_us : period;
        CHECK(on_us <= HUB_PULSE_CAP_MS * 1000u);
    }
    now_us += period;
}

static void scan(uint8_t noise) {
    uint8_t raw[HUB_CHIPS], said[CONVERSATION_OUT];
    memset(raw, noise, sizeof raw);
    pass_us(period_us(noise));
    core_begin(&core, now_us, (uint32_t)now_us, noise != 0xE5);
    const uint8_t gates = core_gates(&core);
    CHECK((gates & (gates - 1)) == 0);
    on_us = core.coils.on ? on_us : 0;
    core_inputs(&core, raw, noise % 16 != 9, (uint32_t)now_us);
    const config_t *config = core_config(&core);
    for (unsigned n = 0; n < config->step_count; n++) {
        CHECK(config_channel(&config->steps[n], 2) < HUB_LINEARS || !(config->steps[n].columns & 4));
        core_linear(&core, config_channel(&config->steps[n], 0) % HUB_LINEARS, (uint16_t)(noise << 4), (uint32_t)now_us);
    }
    core_end(&core, now_us, (uint32_t)now_us);
    session_poll(&session, (uint32_t)now_us);
    session_take(&session, said, noise % 8 ? sizeof said : 0); // now and then the host does not read
}

static void send(char type, const uint8_t *body, uint8_t length) {
    static uint8_t seq;
    uint8_t wire[FRAME_WIRE];
    const size_t written = frame_write(wire, type, seq++, body, length);
    session_feed(&session, wire, written, now_us);
    scan(0);
    scan(1);
}

// Load a blob with its right CRC, which chance would not find either, and arm.
static void load(const uint8_t *blob, uint8_t length) {
    const uint32_t crc = frame_crc32(blob, length);
    const uint8_t check[] = {(uint8_t)crc, (uint8_t)(crc >> 8), (uint8_t)(crc >> 16), (uint8_t)(crc >> 24)};
    uint8_t piece[FRAME_BODY] = {1, 0, 0};
    const uint8_t fits = length < 240 ? length : 240;
    memcpy(&piece[3], blob, fits);
    send('A', (const uint8_t[]){0, 0, 0, 0, 0}, 5);
    send('C', (const uint8_t[]){0, fits, 0}, 3);
    send('C', piece, 3 + fits);
    send('C', (const uint8_t[]){2, check[0], check[1], check[2], check[3]}, 5);
    send('A', (const uint8_t[]){1, check[0], check[1], check[2], check[3]}, 5);
}

static void load_usual(void) {
    uint8_t blob[6 + 8 + 6 * 4 + 8 * HUB_COILS] = {CONFIG_HELD, 1, 8, 0, 4, 0};
    memset(&blob[6], 0x82, 8);
    for (unsigned n = 0; n < 4; n++) {
        memcpy(&blob[14 + 6 * n], (const uint8_t[]){(uint8_t)(0x80 | n % 3), 1, 31, 0, 12, 0}, 6);
    }
    for (unsigned n = 0; n < HUB_COILS; n++) {
        memcpy(&blob[38 + 8 * n], (const uint8_t[]){HUB_PULSE_CAP_MS, 0, 250, 0, 100, 0, n % 4 ? 20 : 0, n % 4}, 8);
    }
    load(blob, sizeof blob);
}

static void start(void) {
    const identity_t identity = {.boot_reason = 1};
    core_reset(&core);
    session_reset(&session, &core, &identity);
    session_port(&session, true);
    on_us = 0;
    for (unsigned n = 0; n < 50; n++) {
        scan(1);
    }
    send('H', (const uint8_t[]){1, 0}, 2);
    load_usual();
    CHECK(core.armed);
    for (unsigned n = 0; n < LINEAR_SEED_SAMPLES; n++) {
        scan(1);
    }
}

// One part of the input: a scan, or a frame of any type whose body is what follows. Made frames get past the CRC,
// which chance would not. Returns how much was used.
static size_t speak(const uint8_t *data, size_t size) {
    if (data[0] < 'A') {
        scan(data[0]);
        return 1;
    }
    if (size < 2) {
        return size;
    }
    const size_t rest = size - 2;
    const uint8_t wanted = data[1] <= FRAME_BODY ? data[1] : FRAME_BODY;
    const uint8_t length = wanted < rest ? wanted : (uint8_t)rest;
    if (data[0] == '[') {
        load(&data[2], length);
    } else {
        send((char)data[0], &data[2], length);
    }
    return 2u + length;
}

static size_t pass_on(const uint8_t *data, size_t size) {
    const size_t taken = session_feed(&session, data, size, now_us);
    CHECK(taken <= size);
    scan(data[0]);
    return taken;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    check_round_trip(data, size);
    start();
    for (size_t used = 1; used < size;) {
        used += data[0] & 1 ? pass_on(&data[used], size - used) : speak(&data[used], size - used);
    }
    return 0;
}
