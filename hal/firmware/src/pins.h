// Which pin is what on the Raspberry Pi Pico. docs/hub-protocol.md and the wiring files say the same.
//
// GP15 is a gate. The SDK's workaround for the USB enumeration of early RP2040 (B0, B1) borrows GP15 and lets
// it float for a millisecond: it is off here and must stay off.
#ifndef PINS_H
#define PINS_H

#define PIN_SCK 2
#define PIN_LOOP 3    // to the serial input of the last chip of the chain
#define PIN_MISO 4
#define PIN_LATCH 5   // SH/LD#: low loads, high shifts
#define PIN_ADDRESS 6 // GP6..GP9
#define PIN_PUMP 14   // 12 V enable, through a charge pump
#define PIN_BANK_LOW 19
#define PIN_LAMPS 20
#define PIN_BANK_HIGH 21
#define PIN_ESTOP 22 // high: released, and 12 V there
#define PIN_ADC 26   // GP26..GP28

#define ADDRESS_MASK ((15u << PIN_ADDRESS) | (1u << PIN_BANK_LOW) | (1u << PIN_BANK_HIGH))
#define GATES_MASK ((15u << 10) | (15u << 15)) // GP10..GP13 are coils 0..3, GP15..GP18 coils 4..7

#define GATES_TO_PINS(gates) (((gates)&15u) << 10 | ((gates) >> 4 & 15u) << 15)

#endif
