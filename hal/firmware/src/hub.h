// What the sensor hub is: its numbers. docs/hub-protocol.md explains them; both must agree.
#ifndef HUB_H
#define HUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HUB_PROTOCOL_MAJOR 1
#define HUB_PROTOCOL_MINOR 1
#define HUB_FIRMWARE_MAJOR 1
#define HUB_FIRMWARE_MINOR 1
#define HUB_FIRMWARE_PATCH 0

#define HUB_INPUTS 192
#define HUB_CHIPS (HUB_INPUTS / 8)
#define HUB_LINEARS 128
#define HUB_FIRST_LINEAR 256 // number on the wire of linear 0
#define HUB_COILS 8
#define HUB_QUEUE 4

#define HUB_SCAN_US 500
#define HUB_LATE_US 5000     // a scan this late ends every pulse
#define HUB_SILENCE_US 500000
#define HUB_WATCHDOG_MS 200
#define HUB_ESTOP_GOOD_SCANS 40 // good after 20 ms; bad after two of four samples
#define HUB_STALE_US 500000     // edges that the host has not taken for so long are dropped for a snapshot
#define HUB_CHAIN_BAD_SCANS 4   // scans in a row whose mark did not come back: the chain is open
#define HUB_CHAIN_GOOD_SCANS 40
#define HUB_SECOND_SCANS (1000000 / HUB_SCAN_US)
#define HUB_CONVERSIONS 64      // that a scan has time for

// The longest pulse of this build: a gate needs more than 100 ms to let a ball go (hal/wiring/circuits.toml), and
// the host's configuration gives every coil its own, shorter cap. A build may choose another one, but none above
// the ceiling.
#ifndef HUB_PULSE_CAP_MS
#define HUB_PULSE_CAP_MS 200
#endif
#define HUB_PULSE_CEILING_MS 200
_Static_assert(HUB_PULSE_CAP_MS >= 1 && HUB_PULSE_CAP_MS <= HUB_PULSE_CEILING_MS, "pulse cap above the ceiling");

#define HUB_PULSE_USUAL_MS 50 // of a coil that no configuration speaks of

#define HUB_REST_MS 250
#define HUB_REST_FACTOR 4
#define HUB_DUTY_PERMILLE 100
#define HUB_DUTY_WINDOW_US 10000000
#define HUB_GAP_US 10000

#endif
