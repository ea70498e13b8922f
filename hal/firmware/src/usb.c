// What the hub says of itself on USB.
#include <string.h>

#include "hub.h"
#include "pico/unique_id.h"
#include "tusb.h"

#define VENDOR 0x2E8A  // Raspberry Pi
#define PRODUCT 0x000A // a Pico with a serial port of the SDK's kind
#define CONFIG_LENGTH (TUD_CONFIG_DESC_LEN + TUD_CDC_DESC_LEN)
#define LONGEST_STRING 31
#define MOST_MA 400 // with the sensors that hang on it: those of hub-lean take 340

enum { STRING_LANGUAGE, STRING_MAKER, STRING_PRODUCT, STRING_SERIAL, STRINGS };
enum { INTERFACE_CDC, INTERFACE_CDC_DATA, INTERFACES };

static const tusb_desc_device_t device = {
    .bLength = sizeof(tusb_desc_device_t),
    .bDescriptorType = TUSB_DESC_DEVICE,
    .bcdUSB = 0x0200,
    .bDeviceClass = TUSB_CLASS_MISC,
    .bDeviceSubClass = MISC_SUBCLASS_COMMON,
    .bDeviceProtocol = MISC_PROTOCOL_IAD,
    .bMaxPacketSize0 = CFG_TUD_ENDPOINT0_SIZE,
    .idVendor = VENDOR,
    .idProduct = PRODUCT,
    .bcdDevice = HUB_FIRMWARE_MAJOR << 8 | HUB_FIRMWARE_MINOR << 4 | HUB_FIRMWARE_PATCH,
    .iManufacturer = STRING_MAKER,
    .iProduct = STRING_PRODUCT,
    .iSerialNumber = STRING_SERIAL,
    .bNumConfigurations = 1,
};

static const uint8_t configuration[] = {
    TUD_CONFIG_DESCRIPTOR(1, INTERFACES, 0, CONFIG_LENGTH, 0, MOST_MA),
    TUD_CDC_DESCRIPTOR(INTERFACE_CDC, 0, 0x81, 8, 0x02, 0x82, 64),
};

const uint8_t *tud_descriptor_device_cb(void) {
    return (const uint8_t *)&device;
}

const uint8_t *tud_descriptor_configuration_cb(uint8_t index) {
    (void)index;
    return configuration;
}

static const char *text_of(uint8_t index) {
    static char serial[2 * PICO_UNIQUE_BOARD_ID_SIZE_BYTES + 1];
    switch (index) {
    case STRING_MAKER:
        return "Hextraction";
    case STRING_PRODUCT:
        return "Sensor Hub";
    case STRING_SERIAL:
        pico_get_unique_board_id_string(serial, sizeof serial);
        return serial;
    default:
        return NULL;
    }
}

const uint16_t *tud_descriptor_string_cb(uint8_t index, uint16_t language) {
    static uint16_t answer[1 + LONGEST_STRING];
    (void)language;
    size_t length = 1;
    if (index == STRING_LANGUAGE) {
        answer[1] = 0x0409;
    } else {
        const char *text = text_of(index);
        if (text == NULL) {
            return NULL;
        }
        length = strlen(text) < LONGEST_STRING ? strlen(text) : LONGEST_STRING;
        for (size_t n = 0; n < length; n++) {
            answer[1 + n] = (uint8_t)text[n];
        }
    }
    answer[0] = (uint16_t)(TUSB_DESC_STRING << 8 | (2 * length + 2));
    return answer;
}
