// What the core has to say, put into frames. The caller decides when, and makes sure of the place for a frame
// (FRAME_WIRE) where nothing else is said.
#ifndef TELLING_H
#define TELLING_H

#include "conversation.h"

enum { C_FINE, C_PART, C_ORDER, C_CRC, C_ARMED, C_LAYOUT, C_RANGE }; // what became of a part of a configuration
enum { C_BEGIN, C_DATA, C_COMMIT };                                  // the parts

// The answer to a hello: with it a new session begins.
void tell_greeting(conversation_t *conversation);

void tell_configured(conversation_t *conversation, uint8_t part, uint8_t status, uint32_t value);

// Say what a note of the core means.
void tell_note(conversation_t *conversation, const note_t *note);

// Tell the edges before `limit`; false when there is no place for all of them.
bool tell_edges(conversation_t *conversation, uint32_t limit);

// Tell the warnings whose time has come, as far as there is place.
void tell_warnings(conversation_t *conversation, uint32_t now_us);

#endif
