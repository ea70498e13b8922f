// The hardware around the core: pins, the scan's interrupt, USB, the watchdog. docs/hub-protocol.md.
//
// 1. The scan's interrupt comes every HUB_SCAN_US, before all others; only the end of a pulse comes before it.
// 2. The main loop talks; it never touches a pin.
// 3. The watchdog is fed by the main loop, and only if the scan has gone on.
#include "hardware/adc.h"
#include "hardware/gpio.h"
#include "hardware/irq.h"
#include "hardware/spi.h"
#include "hardware/structs/vreg_and_chip_reset.h"
#include "hardware/sync.h"
#include "hardware/timer.h"
#include "hardware/watchdog.h"
#include "pico/bootrom.h"
#include "pico/unique_id.h"
#include "pins.h"
#include "session.h"
#include "strip.h"
#include "tusb.h"

#define SPI_HZ 4000000
#define SETTLE_US 4
#define LATCH_CYCLES 60 // 0.5 us
#define LEAD_US 6 // interrupts are held off for 6 us at most (measured)
#define SCAN_ALARM 0
#define END_ALARM 1
#define SCAN_PRIORITY 0x40 // above all but the end of a pulse
#define END_LEAST_US 2     // an alarm nearer than this might be missed
#define TEMPERATURE_INPUT 4
#define MARKS 2 // bytes that come back from the far end of the chain
#define BOOTS_MAGIC 0x48784255 // scratch 0 holds it when scratch 1 counts

#ifndef SOURCE_DIGEST
#error "SOURCE_DIGEST: the first 16 hexadecimal digits of the digest of the sources"
#endif

static core_t core;
static session_t session;
static uint64_t due_us;
static unsigned round_half;

// --- the scan ---

// All chips take their inputs at this instant. Returns which it was.
static uint32_t latch_chain(void) {
    gpio_put(PIN_LATCH, false);
    busy_wait_at_least_cycles(LATCH_CYCLES);
    gpio_put(PIN_LATCH, true);
    return timer_hw->timerawl;
}

static void read_chain(uint32_t at_us) {
    static uint8_t raw[HUB_CHIPS + MARKS];
    const config_t *config = core_config(&core);
    const size_t chips = (config->inputs + 7u) / 8;
    if (chips) {
        // The far end is high for the first byte and low afterwards: behind the inputs this must come back.
        gpio_put(PIN_LOOP, true);
        spi_read_blocking(spi0, 0, raw, 1);
        gpio_put(PIN_LOOP, false);
        spi_read_blocking(spi0, 0, &raw[1], chips - 1 + (config->loop ? MARKS : 0));
        core_inputs(&core, raw, !config->loop || (raw[chips] == 0xFF && raw[chips + 1] == 0), at_us);
    }
}

static void set_step(const step_t *step) {
    gpio_put_masked(ADDRESS_MASK, (uint32_t)step->address << PIN_ADDRESS | (uint32_t)(step->bank & 1) << PIN_BANK_LOW |
                                      (uint32_t)(step->bank >> 1) << PIN_BANK_HIGH);
    busy_wait_us_32(SETTLE_US);
}

static void convert(const step_t *step) {
    for (unsigned column = 0; column < 3; column++) {
        if (step->columns >> column & 1) {
            adc_select_input(column);
            const uint32_t at_us = timer_hw->timerawl;
            core_linear(&core, config_channel(step, column), adc_read(), at_us);
        }
    }
}

// The mean of several conversions; in turn, so that those of one linear lie apart and their noise differs.
static void convert_mean(const step_t *step, unsigned shift) {
    const uint32_t at_us = timer_hw->timerawl;
    uint32_t sums[3] = {0};
    for (unsigned n = 0; n < 1u << shift; n++) {
        for (unsigned column = 0; column < 3; column++) {
            if (step->columns >> column & 1) {
                adc_select_input(column);
                sums[column] += adc_read();
            }
        }
    }
    for (unsigned column = 0; column < 3; column++) {
        if (step->columns >> column & 1) {
            const uint16_t mean = (uint16_t)((sums[column] + (1u << shift >> 1)) >> shift);
            core_linear(&core, config_channel(step, column), mean, at_us);
        }
    }
}

// Once a second, the chip's own temperature.
static void read_temperature(void) {
    if (core.timing.scans % HUB_SECOND_SCANS == 1) {
        adc_select_input(TEMPERATURE_INPUT);
        core.temperature = adc_read();
    }
}

// Half of the steps in each scan: every linear at half of its rate.
static void read_linears(void) {
    const config_t *config = core_config(&core);
    for (unsigned n = round_half; n < config->step_count; n += 2) {
        set_step(&config->steps[n]);
        if (config->mean_shift) {
            convert_mean(&config->steps[n], config->mean_shift);
        } else {
            convert(&config->steps[n]);
        }
    }
    round_half ^= 1;
}

// A pulse ends by an alarm of its own, which no late scan delays; the scan finds it ended and counts it so.
static void end_pulse(void) {
    timer_hw->intr = 1u << END_ALARM;
    gpio_clr_mask(GATES_MASK);
}

static void set_gates(void) {
    const uint32_t state = save_and_disable_interrupts(); // the end may not come between here and there
    uint8_t gates = core_gates(&core);
    if (gates) {
        const uint32_t end_us = (uint32_t)coils_end_us(&core.coils);
        timer_hw->alarm[END_ALARM] = end_us;
        if ((int32_t)(end_us - timer_hw->timerawl) < END_LEAST_US) {
            gates = 0;
        }
    }
    gpio_put_masked(GATES_MASK, GATES_TO_PINS((uint32_t)gates));
    restore_interrupts(state);
}

// The alarm matches one instant only: it must be set to one that has not gone by.
static void set_alarm(void) {
    timer_hw->intr = 1u << SCAN_ALARM;
    uint64_t next_us = due_us + HUB_SCAN_US;
    while ((int32_t)((uint32_t)next_us - timer_hw->timerawl) < 2 * LEAD_US) {
        next_us += HUB_SCAN_US;
    }
    timer_hw->alarm[SCAN_ALARM] = (uint32_t)next_us - LEAD_US;
    due_us = next_us;
}

// The alarm comes a little early: what is left of the wait hides how long interrupts were held off.
static uint32_t wait_until_due(void) {
    uint32_t now_us;
    do {
        now_us = timer_hw->timerawl;
    } while ((int32_t)(now_us - (uint32_t)due_us) < 0);
    return now_us;
}

static void scan(void) {
    const uint32_t now_us = wait_until_due();
    const uint64_t this_us = due_us;
    if (coils_ends(&core.coils, this_us)) {
        gpio_clr_mask(GATES_MASK); // before all else, should the alarm not have come
    }
    const uint32_t latched_us = latch_chain();
    core_begin(&core, this_us, now_us, gpio_get(PIN_ESTOP));
    set_gates();
    gpio_put(PIN_PUMP, core.pump);
    read_chain(latched_us);
    read_linears();
    read_temperature();
    core_end(&core, this_us, timer_hw->timerawl);
    set_gates();
    set_alarm();
}

static void start_alarm(uint alarm, irq_handler_t handler, uint8_t priority) {
    hardware_alarm_claim(alarm);
    const uint irq = hardware_alarm_get_irq_num(alarm);
    irq_set_exclusive_handler(irq, handler);
    irq_set_priority(irq, priority);
    hw_set_bits(&timer_hw->inte, 1u << alarm);
    irq_set_enabled(irq, true);
}

static void start_scan(void) {
    start_alarm(END_ALARM, end_pulse, PICO_HIGHEST_IRQ_PRIORITY);
    start_alarm(SCAN_ALARM, scan, SCAN_PRIORITY);
    due_us = time_us_64();
    set_alarm();
}

// --- start ---

static void start_pins(void) {
    const uint32_t outputs = GATES_MASK | ADDRESS_MASK | 1u << PIN_PUMP | 1u << PIN_LATCH | 1u << PIN_LOOP;
    gpio_init_mask(outputs);
    gpio_put_masked(outputs, 1u << PIN_LATCH);
    gpio_set_dir_out_masked(outputs);
    gpio_init(PIN_ESTOP);
    gpio_pull_down(PIN_ESTOP); // a cut wire is a pressed button
    spi_init(spi0, SPI_HZ);
    // Sample on the falling edge; the chips shift on the rising one.
    spi_set_format(spi0, 8, SPI_CPOL_1, SPI_CPHA_0, SPI_MSB_FIRST);
    gpio_set_function(PIN_SCK, GPIO_FUNC_SPI);
    gpio_set_function(PIN_MISO, GPIO_FUNC_SPI);
    adc_init();
    for (unsigned column = 0; column < 3; column++) {
        adc_gpio_init(PIN_ADC + column);
    }
    adc_set_temp_sensor_enabled(true);
}

static uint8_t boot_reason(void) {
    const uint32_t reset = vreg_and_chip_reset_hw->chip_reset;
    if (watchdog_caused_reboot()) {
        return watchdog_enable_caused_reboot() ? 3 : 4;
    }
    if (reset & VREG_AND_CHIP_RESET_CHIP_RESET_HAD_PSM_RESTART_BITS) {
        return 5;
    }
    if (reset & VREG_AND_CHIP_RESET_CHIP_RESET_HAD_RUN_BITS) {
        return 2;
    }
    return reset & VREG_AND_CHIP_RESET_CHIP_RESET_HAD_POR_BITS ? 1 : 0;
}

// The scratch registers outlive a watchdog reset, and nothing else.
static uint32_t count_watchdog_boots(uint8_t reason) {
    const uint32_t before = watchdog_hw->scratch[0] == BOOTS_MAGIC ? watchdog_hw->scratch[1] : 0;
    watchdog_hw->scratch[0] = BOOTS_MAGIC;
    watchdog_hw->scratch[1] = before + (reason == 3);
    return watchdog_hw->scratch[1];
}

static uint8_t hex_value(char digit) {
    return (uint8_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

static identity_t identify(void) {
    static const char digest[] = SOURCE_DIGEST;
    identity_t identity = {.boot_reason = boot_reason()};
    identity.watchdog_boots = count_watchdog_boots(identity.boot_reason);
    pico_unique_board_id_t board;
    pico_get_unique_board_id(&board);
    for (unsigned n = 0; n < 8; n++) {
        identity.board_id[n] = board.id[n];
        identity.source_digest[n] = (uint8_t)(hex_value(digest[2 * n]) << 4 | hex_value(digest[2 * n + 1]));
    }
    return identity;
}

// --- the main loop ---

static void hear_usb(void) {
    static uint8_t bytes[64];
    static uint32_t got, used;
    const uint64_t now_us = time_us_64();
    for (;;) {
        if (used == got) {
            used = 0;
            got = tud_cdc_read(bytes, sizeof bytes);
        }
        if (got == 0) {
            return;
        }
        used += session_feed(&session, &bytes[used], got - used, now_us);
        if (used < got) {
            return; // no place for answers now
        }
    }
}

static void tell_usb(void) {
    uint8_t bytes[64];
    uint32_t place;
    while ((place = tud_cdc_write_available()) > 0) {
        const size_t count = session_take(&session, bytes, place < sizeof bytes ? place : sizeof bytes);
        if (count == 0) {
            break;
        }
        tud_cdc_write(bytes, count);
    }
    tud_cdc_write_flush();
}

static void talk(void) {
    static bool was_open;
    const bool open = tud_cdc_connected();
    if (open != was_open) {
        was_open = open;
        tud_cdc_write_clear();
        session_port(&session, open);
    }
    if (open) {
        hear_usb();
    }
    session_poll(&session, timer_hw->timerawl);
    if (open) {
        tell_usb();
    }
    lamps_t *lamps = &session.conversation.lamps;
    if (lamps->wanted && strip_show(lamps)) {
        lamps->wanted = false;
    }
}

static void feed_watchdog(void) {
    static uint32_t fed_at;
    const uint32_t scans = core.timing.scans;
    if (scans != fed_at) {
        fed_at = scans;
        watchdog_update();
    }
}

static void rest(void) {
    const uint32_t state = save_and_disable_interrupts();
    if (!tud_task_event_ready()) {
        __wfi(); // wakes even so; the interrupt runs when they are enabled again
    }
    restore_interrupts(state);
}

int main(void) {
    start_pins();
    strip_start();
    const identity_t identity = identify();
    core_reset(&core);
    session_reset(&session, &core, &identity);
    tusb_init();
    start_scan();
    watchdog_enable(HUB_WATCHDOG_MS, false);
    for (;;) {
        tud_task();
        talk();
        feed_watchdog();
        if (session.conversation.boot_wanted) {
            reset_usb_boot(0, 0);
        }
        rest();
    }
}
