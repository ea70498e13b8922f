#include "session.h"

#include <string.h>

#include "hearing.h"
#include "telling.h"

#define LATE_WARN_US (3 * HUB_SCAN_US / 2) // one period was skipped

void session_reset(session_t *session, core_t *core, const identity_t *identity) {
    memset(session, 0, sizeof *session);
    session->conversation.core = core;
    session->conversation.identity = *identity;
}

void session_port(session_t *session, bool open) {
    conversation_t *conversation = &session->conversation;
    conversation->core->port_open = open;
    if (!open) {
        lamps_dark(&conversation->lamps);
    }
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
    const uint32_t lost = core->edges.lost + conversation->dropped;
    if (lost != conversation->lost_seen && !conversation->stale) {
        conversation->lost_seen = lost;
        conversation_warn(conversation, W_LOST, 0, lost);
    }
    if (core->timing.longest_us > LATE_WARN_US && core->timing.longest_us > conversation->late_seen) {
        conversation->late_seen = core->timing.longest_us;
        conversation_warn(conversation, W_LATE, 0, conversation->late_seen);
    }
    if (core->chain_open && core->chain_faults != conversation->chain_seen) {
        conversation->chain_seen = core->chain_faults;
        conversation_warn(conversation, W_CHAIN, 0, conversation->chain_seen);
    }
}

// A host that took no edges for a while, or for whom some found no place, is away. Where everything is when it is back
// helps it more than what was: edges are dropped until it reads again, and then a snapshot of all levels is told.
static void look_for_stale(conversation_t *conversation, uint32_t limit, uint32_t now_us) {
    core_t *core = conversation->core;
    const edges_t *edges = &core->edges;
    const bool is_old = edges->tail != limit &&
                        (int32_t)(now_us - edges->edges[edges->tail % EDGES_PLACES].at_us) > HUB_STALE_US;
    conversation->stale = conversation->stale || is_old || edges->lost != core->lost_reported;
    if (conversation->stale && !conversation->waiting && conversation->out_head == conversation->out_tail) {
        conversation->waiting = core_wish(core, (wish_t){.kind = WISH_SNAPSHOT});
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
        conversation->stale = conversation->stale && note->kind != NOTE_SNAPSHOT;
        core_note_done(conversation->core);
    }
    return true;
}

void session_poll(session_t *session, uint32_t now_us) {
    conversation_t *conversation = &session->conversation;
    // Read before the notes: no note that comes later can belong before these edges.
    const uint32_t limit = conversation->core->edges.head;
    if (conversation->greeted) {
        look_for_stale(conversation, limit, now_us);
    }
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
