/* SPDX-License-Identifier: Apache-2.0 */
/* Gohil's two procedures, literally. Every node runs the same procedure with its own number `my`
 * and its own variable `msg`. Here all nodes run it in lock-step, statement by statement, and their
 * messages become transfers. The rules:
 *
 *   - A statement "send to X, receive from Y" is one step, without the nodes that do not reach it.
 *   - What is sent goes to X, even if X does not receive. If X receives from this node in the same
 *     statement, it is in msg (slot 0) of X afterwards; if not, it stays unread (slot 1).
 *   - A node that waits for a message that is never sent waits forever: the schedule ends with this
 *     statement.
 *   - "send to X" alone waits for nothing and changes no msg. If msg is sent again, it is no longer
 *     where it was, since an element is in one place only.
 *   - A node that sends to itself has a transfer without links.
 *
 * The audit judges whether a procedure is correct; this file does not. Readings: the mesh procedure
 * writes p where its text says "number of nodes" and its figure needs the side of the square. */
#include <stdlib.h>

#include "schedule/shift/shift.h"

#define NOBODY UINT32_MAX

static enum ec_code mesh_make(struct plan *p, struct ec_error *reterr);
static enum ec_code cube_make(struct plan *p, struct ec_error *reterr);

const struct plan_algorithm plan_gohil_algorithms[] = {
    {.info = {"gohil-mesh", "reading=nodes|side|mixed|prose|corrected", "shift on torus:SxS",
              "the printed procedure; its p is the number of nodes, the side, or the side "
              "in rows and the number of nodes in columns (mixed); prose: as the text below "
              "it says; corrected: mixed, columns the other way",
              "Gohil, III"},
     .make = mesh_make},
    {.info = {"gohil-cube", "reading=printed|received|corrected", "shift on cube:D",
              "the printed procedure, which never receives; with the receive that it "
              "implies; corrected: on the Gray-coded ring (labels=gray), two links a phase",
              "Gohil, IV"},
     .make = cube_make},
    {.info = {.name = NULL}},
};

/* What one node does in a statement; to == NOBODY: it does not reach it. */
struct statement {
    uint32_t to, from;
};

struct machine {
    struct plan *p;
    uint32_t step, count;
    uint32_t *msg;          /* [count] the element in msg of each number */
    uint32_t *next;         /* [count] msg after the statement */
    struct statement *does; /* [count] */
};

static void machine_close(struct machine *m)
{
    free(m->msg);
    free(m->next);
    free(m->does);
}

/* The node with the number `my`. */
static uint32_t node_of(const struct machine *m, uint32_t my)
{
    return m->p->w->gray ? gray_node(my) : my;
}

static enum ec_code machine_open(struct plan *p, struct machine *ret, struct ec_error *reterr)
{
    const struct ec_workload *w = p->w;
    const enum ec_code code = plan_elements(p, 1, w->words, reterr);
    if (code)
        return code;
    for (size_t i = 0; i < w->message_count; i++)
        plan_target(p, w->messages[i].src, w->messages[i].dst, 0);
    struct machine m = {.p = p, .step = 1, .count = p->t->nodes};
    m.msg = malloc(m.count * sizeof *m.msg);
    m.next = malloc(m.count * sizeof *m.next);
    m.does = malloc(m.count * sizeof *m.does);
    if (!m.msg || !m.next || !m.does) {
        machine_close(&m);
        return ec_fail(reterr, EC_MEMORY, "out of memory for the nodes of a procedure");
    }
    for (uint32_t my = 0; my < m.count; my++)
        m.msg[my] = node_of(&m, my);
    *ret = m;
    return EC_OK;
}

/* All nodes execute m->does. False: one of them waits forever. */
static bool execute(struct machine *m)
{
    bool alive = true;

    for (uint32_t my = 0; my < m->count; my++)
        m->next[my] = m->msg[my];
    for (uint32_t my = 0; my < m->count; my++) {
        const struct statement *mine = &m->does[my];
        if (mine->to == NOBODY)
            continue;
        const struct statement *theirs = &m->does[mine->to];
        const bool read = theirs->to != NOBODY && theirs->from == my;
        plan_transfer(m->p, m->step, node_of(m, my), node_of(m, mine->to));
        plan_carry(m->p, m->msg[my], read ? 0 : 1);
        if (read)
            m->next[mine->to] = m->msg[my];
        alive = alive && (mine->from == NOBODY || m->does[mine->from].to == my);
    }
    uint32_t *old = m->msg;
    m->msg = m->next;
    m->next = old;
    m->step++;
    return alive;
}

/* The mesh procedure's p occurs in four places. */
struct reading {
    bool side_in_rows;    /* my mod p, q mod p, q / p: the side of the square, else nodes */
    bool side_in_columns; /* my - p, my + p */
    bool side_in_modulus; /* ... mod p */
    bool rows_left, columns_down;
};

enum { NODES, SIDE, MIXED, PROSE, CORRECTED };
static const char *const mesh_readings[] = {"nodes", "side", "mixed", "prose", "corrected", NULL};
static const struct reading readings[] = {
    [NODES] = {false, false, false, false, false},  [SIDE] = {true, true, true, false, false},
    [MIXED] = {true, true, false, false, false},    [PROSE] = {true, true, false, true, false},
    [CORRECTED] = {true, true, false, false, true},
};

/* One statement of the mesh procedure: left and right, or up and down, for my mod p < below. */
static bool mesh_statement(struct machine *m, const struct reading *r, bool rows, uint32_t below)
{
    const uint32_t side = m->p->t->radix[0], nodes = m->count;
    const uint32_t row = r->side_in_rows ? side : nodes;
    const uint32_t leap = r->side_in_columns ? side : nodes;
    const uint32_t modulus = r->side_in_modulus ? side : nodes;

    for (uint32_t my = 0; my < nodes; my++) {
        const uint32_t left = my - my % row + (my + row - 1) % row;
        const uint32_t right = my - my % row + (my + 1) % row;
        const uint32_t up = (my + nodes - leap) % modulus; /* nodes: a multiple of the modulus */
        const uint32_t down = (my + leap) % modulus;
        struct statement s = rows ? (struct statement){right, left} : (struct statement){up, down};
        if (rows ? r->rows_left : r->columns_down)
            s = (struct statement){s.from, s.to};
        m->does[my] = my % row < below ? s : (struct statement){NOBODY, NOBODY};
    }
    return execute(m);
}

static void mesh_run(struct machine *m, const struct reading *r)
{
    const uint32_t q = m->p->w->shift, nodes = m->count;
    const uint32_t p = r->side_in_rows ? m->p->t->radix[0] : nodes;
    uint32_t count = 0;
    bool alive = true;

    for (; alive && count < q % p && !plan_full(m->p); count++)
        alive = mesh_statement(m, r, true, nodes);
    if (alive && count > 0)
        alive = mesh_statement(m, r, false, count);
    for (uint32_t i = 0; alive && i < q / p && !plan_full(m->p); i++)
        alive = mesh_statement(m, r, false, nodes);
}

static enum ec_code mesh_make(struct plan *p, struct ec_error *reterr)
{
    struct machine m;
    unsigned r = CORRECTED;
    enum ec_code code =
        shift_check(p, "a square torus (torus:4x4)", shift_square_torus(p->t), reterr);
    if (code == EC_OK)
        code = plan_choice(p, PLAN_KEY_READING, mesh_readings, CORRECTED, &r, reterr);
    if (code)
        return code;
    code = machine_open(p, &m, reterr);
    if (code)
        return code;
    mesh_run(&m, &readings[r]);
    machine_close(&m);
    return EC_OK;
}

/* for i = d-1 .. 0: if bit i of q: partner = (my + 2^i) mod 2^d; send msg to partner. */
static enum ec_code cube_run(struct plan *p, bool received, struct ec_error *reterr)
{
    struct machine m;
    const enum ec_code code = machine_open(p, &m, reterr);
    if (code)
        return code;
    for (unsigned i = p->t->dims; i-- > 0;) {
        const uint32_t leap = UINT32_C(1) << i, mask = m.count - 1;
        if (!(p->w->shift >> i & 1))
            continue;
        for (uint32_t my = 0; my < m.count; my++)
            m.does[my] =
                (struct statement){(my + leap) & mask, received ? (my - leap) & mask : NOBODY};
        execute(&m); /* every receive has its send */
    }
    machine_close(&m);
    return EC_OK;
}

/* A phase of two link steps: send to G(id + 2^i), receive from G(id - 2^i). */
static enum ec_code cube_corrected(struct plan *p, struct ec_error *reterr)
{
    struct journey j = {0};
    enum ec_code code = gray_check(p, reterr);
    if (code == EC_OK)
        code = journey_open(p, &j, reterr);
    for (unsigned i = p->t->dims; code == EC_OK && i-- > 0;) {
        if (p->w->shift >> i & 1)
            gray_phase(&j, i, true, 'A');
    }
    journey_close(&j);
    return code;
}

static enum ec_code cube_make(struct plan *p, struct ec_error *reterr)
{
    static const char *const cube_readings[] = {"printed", "received", "corrected", NULL};
    unsigned reading = 0;
    enum ec_code code = shift_check(p, "a cube (cube:6)", p->t->kind == EC_CUBE, reterr);
    if (code == EC_OK)
        code = plan_choice(p, PLAN_KEY_READING, cube_readings, 2, &reading, reterr);
    if (code)
        return code;
    return reading == 2 ? cube_corrected(p, reterr) : cube_run(p, reading == 1, reterr);
}
