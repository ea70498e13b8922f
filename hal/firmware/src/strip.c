#include "strip.h"

#include "hardware/clocks.h"
#include "hardware/dma.h"
#include "hardware/pio.h"
#include "hardware/pio_instructions.h"
#include "hardware/timer.h"
#include "pins.h"

// A bit takes ten steps of 125 ns: three high for a 0, six for a 1, the rest low. Between lamps it is two or three more.
#define STEPS_HZ 8000000.0f
#define LAMP_US 31
#define LOW 0
#define HIGH_LEVEL 1
#define LATCH_US 400 // low for so long shows what was sent; SK6812 and newer WS2812 want 280
#define LAMP_BITS 24

static uint32_t words[LAMPS_MOST];
static uint channel;
static uint32_t free_us;
static bool ever;

// An instruction with the level of the line, which lasts for so many steps.
static uint16_t step(uint instruction, uint level, uint steps) {
    return (uint16_t)(instruction | pio_encode_sideset(1, level) | pio_encode_delay(steps - 1));
}

void strip_start(void) {
    enum { LAMP, COUNT, BIT, HIGH, ONE, ZERO, END, STEPS };
    const uint16_t steps[STEPS] = {
        [LAMP] = step(pio_encode_pull(false, true), LOW, 1),
        [COUNT] = step(pio_encode_set(pio_y, LAMP_BITS - 1), LOW, 1),
        [BIT] = step(pio_encode_out(pio_x, 1), LOW, 4),
        [HIGH] = step(pio_encode_jmp_not_x(ZERO), HIGH_LEVEL, 3),
        [ONE] = step(pio_encode_jmp_y_dec(BIT), HIGH_LEVEL, 3), // the last bit: on to the next lamp
        [ZERO] = step(pio_encode_jmp_y_dec(BIT), LOW, 3),
        [END] = step(pio_encode_jmp(LAMP), LOW, 1),
    };
    const struct pio_program program = {.instructions = steps, .length = STEPS, .origin = 0};
    pio_add_program(pio0, &program);
    pio_sm_config config = pio_get_default_sm_config();
    sm_config_set_wrap(&config, LAMP, ONE);
    sm_config_set_sideset(&config, 1, false, false);
    sm_config_set_sideset_pins(&config, PIN_LAMPS);
    sm_config_set_out_shift(&config, false, false, 32);
    sm_config_set_fifo_join(&config, PIO_FIFO_JOIN_TX);
    sm_config_set_clkdiv(&config, (float)clock_get_hz(clk_sys) / STEPS_HZ);
    pio_gpio_init(pio0, PIN_LAMPS);
    pio_sm_set_consecutive_pindirs(pio0, 0, PIN_LAMPS, 1, true);
    pio_sm_init(pio0, 0, LAMP, &config);
    pio_sm_set_enabled(pio0, 0, true);

    channel = (uint)dma_claim_unused_channel(true);
    dma_channel_config feed = dma_channel_get_default_config(channel);
    channel_config_set_dreq(&feed, pio_get_dreq(pio0, 0, true));
    dma_channel_configure(channel, &feed, &pio0->txf[0], words, 0, false);
}

bool strip_show(const lamps_t *lamps) {
    if (ever && (int32_t)(timer_hw->timerawl - free_us) < 0) {
        return false;
    }
    for (unsigned n = 0; n < lamps->count; n++) {
        const uint8_t *colour = &lamps->bytes[n * LAMP_BYTES];
        words[n] = (uint32_t)colour[0] << 24 | (uint32_t)colour[1] << 16 | (uint32_t)colour[2] << 8;
    }
    ever = true;
    free_us = timer_hw->timerawl + lamps->count * LAMP_US + LATCH_US;
    dma_channel_transfer_from_buffer_now(channel, words, lamps->count);
    return true;
}
