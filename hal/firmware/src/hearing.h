// What the host's frames say, and that it is done: a wish to the core, or an answer at once.
#ifndef HEARING_H
#define HEARING_H

#include "conversation.h"

// Whether a frame can be heard now: nothing is waited for, and there is place for what it leads to.
bool hear_ready(const conversation_t *conversation);

// Do what a good frame says.
void hear_frame(conversation_t *conversation, const frame_t *frame, uint64_t now_us);

// Wait no longer, if this note of the core is what was waited for.
void hear_resume(conversation_t *conversation, const note_t *note);

#endif
