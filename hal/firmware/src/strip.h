// The chain of WS2812 on PIN_LAMPS: a state machine makes the bits, a DMA channel feeds it; neither disturbs the scan.
#ifndef STRIP_H
#define STRIP_H

#include "lamps.h"

void strip_start(void);

// Send the lamps, if the chain has taken the last ones; false: ask again.
bool strip_show(const lamps_t *lamps);

#endif
