#include "session.h"

#include <string.h>

#include "hearing.h"
#include "telling.h"

#define LATE_WARN_US (2 * HUB_SCAN_US)

void session_reset(session_t *session, core_t *core, const identity_t *identity) {
    memset(session, 0, sizeof *session);
    session->conversation.core = core;
    session->conversation.identity = *identity;
}

void session_port(session_t *session, bool open) {
    conversation_t *conversation = &session->conversation;
    conversation->core->port_open = open;
    conversation->greeted = false;
    session->reader = (frame_reader_t){.length = 0};
    conversation->out_tail = conversation->out_head;
}

size_t session_feed(session_t *session, const uint8_t *data, size_t length, uint64_t now_us) {
    conversation_t *conversation = &session->conversation;
    size_t taken = 0;
    while (taken < length && hear_ready(conversation)) {
        frame_t frame;
        const frame_result_t result = frame_read(&session->reader, data[taken++], &frame);
        if (result == FRAME_GOOD) {
            hear_frame(conversation, &frame, now_us);
        } else if (result == FRAME_BAD) {
            conversation_warn(conversation, W_BROKEN, 0, ++conversation->bad);
        }
    }
    return taken;
}

// Say nothing, but do not let the rings run full either.
static void discard(conversation_t *conversation) {
    core_t *core = conversation->core;
    const note_t *note;
    while (!conversation->greeted && (note = core_note(core)) != NULL) {
        core->edges.tail = note->edges_before;
        hear_resume(conversation, note);
        if (note->kind == NOTE_HELLO && core->port_open) {
            tell_greeting(conversation);
        }
        core_note_done(core);
    }
}

static void look_for_trouble(conversation_t *conversation) {
    const core_t *core = conversation->core;
    if (core->edges.lost != conversation->lost_seen) {
        conversation->lost_seen = core->edges.lost;
        conversation_warn(conversation, W_LOST, 0, conversation->lost_seen);
    }
    if (core->timing.longest_us > LATE_WARN_US && core->timing.longest_us > conversation->late_seen) {
        conversation->late_seen = core->timing.longest_us;
        conversation_warn(conversation, W_LATE, 0, conversation->late_seen);
    }
}

// Tell the notes, each after the edges that were before it; false when there is no place for all of them.
static bool tell_notes(conversation_t *conversation) {
    const note_t *note;
    while ((note = core_note(conversation->core)) != NULL) {
        if (!tell_edges(conversation, note->edges_before) || conversation_out_free(conversation) < FRAME_WIRE) {
            return false;
        }
        hear_resume(conversation, note);
        tell_note(conversation, note);
        core_note_done(conversation->core);
    }
    return true;
}

void session_poll(session_t *session, uint32_t now_us) {
    conversation_t *conversation = &session->conversation;
    // Read before the notes: no note that comes later can belong before these edges.
    const uint32_t limit = conversation->core->edges.head;
    look_for_trouble(conversation);
    if (!conversation->greeted) {
        discard(conversation);
    }
    if (!conversation->greeted) {
        conversation->core->edges.tail = limit;
        return;
    }
    if (tell_notes(conversation) && tell_edges(conversation, limit)) {
        tell_warnings(conversation, now_us);
    }
}

size_t session_take(session_t *session, uint8_t *data, size_t most) {
    conversation_t *conversation = &session->conversation;
    size_t count = 0;
    while (count < most && conversation->out_tail != conversation->out_head) {
        data[count++] = conversation->out[conversation->out_tail++ % CONVERSATION_OUT];
    }
    return count;
}
