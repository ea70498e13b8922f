// Edges on their way from the scan to the main loop: one writer (interrupt), one reader, no lock.
#ifndef EDGES_H
#define EDGES_H

#include "hub.h"

#define EDGES_PLACES 1024 // a power of two; 192 inputs and 128 linears at once fit three times
#define EDGE_ACTIVE 0x8000

typedef struct {
    uint32_t at_us;
    uint16_t what; // number, with EDGE_ACTIVE
} edge_t;

typedef struct {
    edge_t edges[EDGES_PLACES];
    volatile uint32_t head, tail; // written ever, read ever
    volatile uint32_t lost;
} edges_t;

static inline void edges_put(edges_t *ring, uint16_t number, bool active, uint32_t at_us) {
    const uint32_t head = ring->head;
    if (head - ring->tail >= EDGES_PLACES) {
        ring->lost++;
        return;
    }
    ring->edges[head % EDGES_PLACES] = (edge_t){.at_us = at_us, .what = (uint16_t)(number | (active ? EDGE_ACTIVE : 0))};
    ring->head = head + 1;
}

#endif
