/* Dynamic windows of any start: every element of the window is where the policy says. */
#ifndef SSOP_FUZZ_WINDOWS_H
#define SSOP_FUZZ_WINDOWS_H

#include "regions.h"

/* The first element of the window along an axis that it fits: by remainders for SSOP_WRAP, else by the ends. */
static inline int64_t
first_element(int64_t dim, int64_t size, ssop_start start, bool add_dim, ssop_out_of_bounds policy)
{
    bool below = !start.huge && start.value < 0;
    int64_t value = start.huge ? INT64_MAX : below && add_dim ? start.value + dim : start.value;
    if (policy == SSOP_WRAP && dim > 0) {
        uint64_t magnitude = start.huge ? (uint64_t)start.value : value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
        int64_t rest = (int64_t)(magnitude % (uint64_t)dim);
        return value < 0 && rest > 0 ? dim - rest : rest;
    }
    return value < 0 ? 0 : value > dim - size ? dim - size : value;
}

static inline void
check_window_axis(const ssop_range part[2], int64_t dim, int64_t size, int64_t first)
{
    int64_t before_end = size < dim - first ? size : dim - first;
    CHECK(part[0].count + part[1].count == size, "window: %lld and %lld elements of %lld", LL(part[0].count),
          LL(part[1].count), LL(size));
    CHECK(size == 0 || (part[0].count == before_end && part[0].start == (before_end > 0 ? first : 0) &&
                        part[1].start == 0 && part[0].step == 1 && part[1].step == 1),
          "window: " RANGE " and " RANGE " of %lld elements, first %lld", RANGE_VALUES(part[0]), RANGE_VALUES(part[1]),
          LL(dim), LL(first));
}

static inline void
fuzz_windows(fuzz_input *input)
{
    static const ssop_out_of_bounds policies[] = {SSOP_CLAMP, SSOP_WRAP, SSOP_RAISE};
    int64_t dims[MAX_AXES], size[MAX_AXES];
    ssop_start start[MAX_AXES];
    bool add_dim[MAX_AXES], empty = false;
    int32_t rank = take_shape(input, 40, dims);
    ssop_out_of_bounds policy = policies[take_between(input, 0, COUNT(policies) - 1)];
    for (int32_t axis = 0; axis < rank; axis++) {
        bool any = take_between(input, 0, 15) == 15;
        size[axis] = any ? take_number(input) : take_between(input, 0, dims[axis] < 255 ? dims[axis] : 255);
        start[axis] = (ssop_start){take_number(input), take_between(input, 0, 7) == 7};
        start[axis].huge = start[axis].huge && start[axis].value < 0;
        add_dim[axis] = take_between(input, 0, 1) == 1;
        empty = empty || size[axis] == 0;
    }
    ssop_window_spec spec = {rank, rank, start, size, add_dim, rank, policy};
    ssop_window window;
    ssop_error error = {.rule = SSOP_NO_RULE};
    ssop_status status = ssop_dynamic_slice_resolve(&spec, (ssop_shape){rank, dims}, &window, &error);
    if (status != SSOP_OK) {
        check_rejection("window", status, &error);
        return;
    }
    for (int32_t axis = 0; axis < rank && !empty; axis++) { /* an empty window may lie anywhere */
        int64_t first = first_element(dims[axis], size[axis], start[axis], add_dim[axis], policy);
        check_window_axis(window.part[axis], dims[axis], size[axis], first);
    }
    uint8_t choice[SSOP_MAX_RANK] = {0};
    int64_t covered = 0, whole = 1;
    for (int32_t axis = 0; axis < rank; axis++) {
        whole *= size[axis] < 1000 ? size[axis] : 0;
    }
    do {
        ssop_region of_operand, of_window;
        int64_t elements = 1;
        ssop_window_piece(&window, choice, &of_operand, &of_window);
        CHECK(ssop_region_check(&of_operand, dims, NULL) == SSOP_OK &&
                  ssop_region_check(&of_window, size, NULL) == SSOP_OK,
              "window: a piece is not canonical");
        for (int32_t axis = 0; axis < rank; axis++) {
            elements *= of_window.range[axis].count < 1000 ? of_window.range[axis].count : 0;
        }
        covered += elements;
    } while (ssop_window_next(&window, choice));
    CHECK(covered == whole || whole == 0, "window: the pieces have %lld elements of %lld", LL(covered), LL(whole));
}

#endif /* SSOP_FUZZ_WINDOWS_H */
