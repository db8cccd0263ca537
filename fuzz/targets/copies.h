/* A region of an array of any layout is copied by any variant of any CPU target: right bytes, and no others. The memory
 * has exactly the bytes of its items, so that a sanitizer sees what lies outside. */
#ifndef SSOP_FUZZ_COPIES_H
#define SSOP_FUZZ_COPIES_H

#include "copy/nest.h"
#include "regions.h"

enum { FUZZ_BYTES = 1 << 16 };

typedef struct {
    ssop_view view;
    char *memory;
    size_t bytes;
} fuzz_array;

/* An array whose axes lie in memory in any order, forwards or backwards, with gaps; false if it has too many bytes. */
static inline bool
take_array(fuzz_input *input, int32_t rank, const int64_t *dims, int64_t item_bytes, fuzz_array *array)
{
    int64_t bytes = item_bytes + take_between(input, 0, 3) * take_between(input, 0, item_bytes), first = 0;
    ssop_view *view = &array->view;
    uint64_t placed = 0, signs = take_bytes(input, 1);
    view->item_bytes = item_bytes;
    view->rank = rank;
    for (int32_t k = 0; k < rank; k++) {
        int32_t axis = (int32_t)take_between(input, 0, rank - 1);
        while (placed >> axis & 1) {
            axis = (axis + 1) % rank;
        }
        placed |= UINT64_C(1) << axis;
        bool backwards = (signs >> axis & 1) != 0;
        view->dim[axis] = dims[axis];
        view->stride[axis] = backwards ? -bytes : bytes;
        int64_t reach = dims[axis] > 0 ? (dims[axis] - 1) * bytes : 0;
        first += backwards ? reach : 0;
        bytes = bytes * (dims[axis] > 0 ? dims[axis] : 1) + take_between(input, 0, 3) * take_between(input, 0, 20);
        if (bytes > FUZZ_BYTES) {
            return false;
        }
    }
    array->bytes = (size_t)bytes;
    array->memory = malloc(array->bytes + 1);
    if (array->memory == NULL) {
        return false;
    }
    view->data = array->memory + first;
    return true;
}

static inline void
fill_bytes(fuzz_array *array, unsigned factor)
{
    for (size_t i = 0; i < array->bytes; i++) {
        array->memory[i] = (char)((i * factor + (i >> 8)) & 0xFF);
    }
}

static inline const char *
item_at(const ssop_view *view, const int64_t *at)
{
    const char *item = view->data;
    for (int32_t axis = 0; axis < view->rank; axis++) {
        item += at[axis] * view->stride[axis];
    }
    return item;
}

/* The copy that anybody would write. */
static inline void
copy_plainly(const ssop_region *region, const fuzz_array *dst, const fuzz_array *src, char *memory)
{
    int64_t at[SSOP_MAX_RANK] = {0}, from[SSOP_MAX_RANK];
    if (has_no_element(region)) {
        return;
    }
    do {
        look_up(region, at, from);
        memcpy(memory + (item_at(&dst->view, at) - dst->memory), item_at(&src->view, from),
               (size_t)src->view.item_bytes);
    } while (next_index(region, at));
}

static inline void
choose_engine(fuzz_input *input)
{
    bool runs = false;
    const char *target = ssop_cpu_target_at((int32_t)take_between(input, 0, 7), &runs);
    ssop_cpu_choose(target != NULL && runs ? target : NULL);
    ssop_variant_text variant;
    bool exists = ssop_variant_at((int32_t)take_between(input, 0, 63), &variant);
    CHECK(ssop_variant_force(exists ? variant.name : NULL), "copy: variant %s", variant.name);
}

static inline void
run_copy(fuzz_input *input, const ssop_region *region, fuzz_array *dst, const fuzz_array *src)
{
    ssop_view from;
    ssop_nest_room room;
    char *expected = malloc(dst->bytes + 1);
    if (expected == NULL || ssop_region_view(region, &src->view, &from, NULL) != SSOP_OK) {
        free(expected);
        return;
    }
    memcpy(expected, dst->memory, dst->bytes);
    copy_plainly(region, dst, src, expected);
    choose_engine(input);
    const ssop_hints hints = {.fresh_dst = take_between(input, 0, 1) == 1};
    ssop_nest_copy(ssop_nest_in(&room), &dst->view, &from, &hints);
    int64_t steps = ssop_nest_steps(ssop_nest_in(&room)), cut = take_between(input, 0, steps);
    ssop_nest_execute(ssop_nest_in(&room), cut, steps);
    ssop_nest_execute(ssop_nest_in(&room), 0, cut);
    CHECK(memcmp(dst->memory, expected, dst->bytes) == 0, "copy: other bytes, rank %d, items of %lld bytes",
          (int)region->out_rank, LL(src->view.item_bytes));
    free(expected);
    ssop_variant_force(NULL);
    ssop_cpu_choose(NULL);
}

static inline void
fuzz_copies(fuzz_input *input)
{
    int64_t dims[MAX_AXES], shape[SSOP_MAX_RANK];
    int64_t item_bytes =
        take_between(input, 0, 1) == 0 ? INT64_C(1) << take_between(input, 0, 4) : take_between(input, 1, 33);
    int32_t rank = (int32_t)take_between(input, 0, MAX_AXES);
    for (int32_t axis = 0; axis < rank; axis++) {
        dims[axis] = take_between(input, 0, axis < 2 ? 200 : 6);
    }
    ssop_region region;
    if (!take_region(input, (ssop_shape){rank, dims}, &region)) {
        return;
    }
    shape_of(&region, shape);
    fuzz_array src = {.memory = NULL}, dst = {.memory = NULL};
    if (take_array(input, rank, dims, item_bytes, &src) &&
        take_array(input, region.out_rank, shape, item_bytes, &dst)) {
        fill_bytes(&src, 7);
        fill_bytes(&dst, 13);
        run_copy(input, &region, &dst, &src);
    }
    free(src.memory);
    free(dst.memory);
}

#endif /* SSOP_FUZZ_COPIES_H */
