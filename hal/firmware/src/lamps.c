#include "lamps.h"

#include <string.h>

bool lamps_take(lamps_t *lamps, unsigned first, const uint8_t *colours, unsigned bytes) {
    const unsigned end = first + bytes / LAMP_BYTES;
    if (bytes % LAMP_BYTES != 0 || end > LAMPS_MOST) {
        return false;
    }
    memcpy(&lamps->bytes[first * LAMP_BYTES], colours, bytes);
    lamps->count = end > lamps->count ? (uint16_t)end : lamps->count;
    return true;
}

void lamps_dark(lamps_t *lamps) {
    memset(lamps->bytes, 0, sizeof lamps->bytes);
    lamps->wanted = lamps->count != 0;
}
