/* What could go wrong: masks, the ellipsis or conflicting bits apply an entry to the wrong axis, or an error names the
 * wrong rule. */
#include "slice_oracle.h"

static const ssop_dialect longest_dialect = {.rules = &walk_rules, .max_entries = SSOP_MAX_ENTRIES};

typedef struct {
    ssop_error error; /* rule SSOP_NO_RULE if all is well */
    ssop_region region;
    int32_t entry[SSOP_MAX_RANK];
} plain_answer;

static bool
has_no_axis(uint8_t flags)
{
    return (flags & (SSOP_ELLIPSIS | SSOP_AXIS_NEW)) != 0;
}

static void
take_rest(plain_answer *answer, int32_t *axis, int32_t width)
{
    for (int32_t k = 0; k < width; k++) {
        answer->entry[*axis] = -1;
        answer->region.out_axis[answer->region.out_rank++] = (int8_t)(*axis)++;
    }
}

/* Which entry stands at which axis, in the words of SPEC.md: the ellipsis takes what no other entry needs. Without an
 * ellipsis, the end of the vectors is one (ss_s2). */
static plain_answer
plain_layout(const ssop_spec *spec, int32_t rank)
{
    plain_answer answer = {.error = {.rule = SSOP_NO_RULE}, .region = {.in_rank = rank}};
    int32_t needed = 0, axis = 0;
    for (int32_t i = 0; i < spec->count; i++) {
        needed += has_no_axis(spec->flags[i]) ? 0 : 1;
    }
    for (int32_t i = 0; i < spec->count; i++) {
        if (spec->flags[i] & SSOP_ELLIPSIS) {
            take_rest(&answer, &axis, rank - needed);
        }
        else if (spec->flags[i] & SSOP_AXIS_NEW) {
            answer.region.out_axis[answer.region.out_rank++] = SSOP_NEW_AXIS;
        }
        else if (axis == rank) {
            answer.error = (ssop_error){.rule = SSOP_SS_C4, .axis = rank, .entry = i};
            return answer;
        }
        else {
            if (!(spec->flags[i] & SSOP_SHRINK)) {
                answer.region.out_axis[answer.region.out_rank++] = (int8_t)axis;
            }
            answer.entry[axis++] = i;
        }
    }
    take_rest(&answer, &axis, rank - axis);
    return answer;
}

static plain_answer
plain_resolve(const ssop_spec *spec, int32_t rank, const int64_t *dims)
{
    plain_answer answer = plain_layout(spec, rank);
    for (int32_t axis = 0; axis < rank && answer.error.rule == SSOP_NO_RULE; axis++) {
        int32_t i = answer.entry[axis];
        walk_entry entry = {0, dims[axis], 1, 0};
        if (i >= 0) {
            entry = (walk_entry){spec->begin[i], spec->end[i], spec->step[i], spec->flags[i]};
        }
        walked taken = walk_axis(dims[axis], &entry, &ssop_dialect_tensorflow);
        answer.region.range[axis] = range_of_picks(taken.pick, taken.count);
        if (taken.broken != SSOP_NO_RULE) {
            bool index = taken.broken == SSOP_SS_C7;
            answer.error = error_of(taken.broken, axis, i, index ? entry.begin : entry.step, index ? -dims[axis] : 1,
                                    index ? dims[axis] - 1 : INT64_MAX);
        }
    }
    return answer;
}

static bool
same_region(const ssop_region *a, const ssop_region *b)
{
    bool same = a->in_rank == b->in_rank && a->out_rank == b->out_rank;
    for (int32_t axis = 0; same && axis < a->in_rank; axis++) {
        same = same_range(a->range[axis], b->range[axis]);
    }
    return same && memcmp(a->out_axis, b->out_axis, (size_t)a->out_rank) == 0;
}

/* What the trace says of the entries (ss_s1, ss_s2) and of the axes, as far as resolving got. */
static void
check_trace(const ssop_spec *spec, int32_t rank, const ssop_trace *trace, const plain_answer *right, const char *name)
{
    ssop_rule broken = right->error.rule;
    CHECK(trace->entries == (broken == SSOP_SS_C4 ? right->error.entry : spec->count), "%s: traced entries", name);
    CHECK(trace->axes == (broken == SSOP_NO_RULE ? rank
                          : broken == SSOP_SS_C4 ? 0
                                                 : right->error.axis),
          "%s: traced axes", name);
    int32_t axis = 0;
    for (int32_t i = 0; i < trace->entries; i++) {
        uint8_t flags = spec->flags[i];
        uint8_t kept = flags & SSOP_ELLIPSIS ? SSOP_ELLIPSIS : flags & SSOP_AXIS_NEW ? SSOP_AXIS_NEW : flags;
        CHECK(trace->flags[i] == kept, "ss_s1 %s: flags %d of entry %d", name, trace->flags[i], (int)i);
        CHECK(trace->first_axis[i] == axis, "ss_s2 %s: first axis %d of entry %d", name, trace->first_axis[i], (int)i);
        CHECK(kept == SSOP_ELLIPSIS || trace->axis_count[i] == (kept == SSOP_AXIS_NEW ? 0 : 1),
              "ss_s2 %s: axis count %d of entry %d", name, trace->axis_count[i], (int)i);
        axis += trace->axis_count[i];
    }
    for (axis = 0; axis < trace->axes; axis++) {
        CHECK(trace->axis[axis].entry == right->entry[axis] &&
                  same_range(trace->axis[axis].range, right->region.range[axis]),
              "%s: trace of axis %d", name, (int)axis);
    }
}

static void
check_against_plain(const ssop_spec *spec, int32_t rank, const int64_t *dims, const char *name)
{
    plain_answer right = plain_resolve(spec, rank, dims);
    ssop_region region;
    ssop_trace trace = {.entries = 0};
    ssop_error error = {.rule = SSOP_NO_RULE};
    ssop_status status =
        ssop_strided_slice_resolve(spec, (ssop_shape){rank, dims}, &ssop_dialect_tensorflow, &region, &trace, &error);
    CHECK(status == ssop_rule_status(right.error.rule), "%s rank %d: %s, not %s", name, (int)rank,
          ssop_rule_label(error.rule), ssop_rule_label(right.error.rule));
    CHECK(ssop_strided_slice_resolve(spec, (ssop_shape){rank, dims}, &ssop_dialect_tensorflow, &region, NULL, NULL) ==
              status,
          "%s rank %d without trace and error", name, (int)rank);
    CHECK(is_error(&error, right.error.rule, right.error.axis, right.error.entry, right.error.value, right.error.low,
                   right.error.high),
          "%s rank %d: %s's record", name, (int)rank, ssop_rule_label(right.error.rule));
    CHECK(status != SSOP_OK || same_region(&region, &right.region), "%s rank %d: other region", name, (int)rank);
    check_trace(spec, rank, &trace, &right, name);
}

/* The bits of five masks, as spec_init must spread them over the entries (ss_s8, ss_s9). */
static void
init_spec(ssop_spec *spec, int32_t count, const ssop_masks *masks)
{
    ssop_status status =
        ssop_spec_init(spec, (ssop_spec_counts){count, count, count}, masks, &ssop_dialect_tensorflow, NULL);
    CHECK(status == SSOP_OK && spec->count == count, "spec of %d entries", (int)count);
    const int32_t mask[5] = {masks->begin, masks->end, masks->ellipsis, masks->new_axis, masks->shrink_axis};
    const uint8_t flag[5] = {SSOP_BEGIN_MASK, SSOP_END_MASK, SSOP_ELLIPSIS, SSOP_AXIS_NEW, SSOP_SHRINK};
    for (int32_t i = 0; i < count; i++) {
        unsigned right = 0;
        for (int k = 0; k < 5; k++) {
            right |= (uint32_t)mask[k] & (UINT32_C(1) << i) ? flag[k] : 0;
        }
        CHECK(spec->flags[i] == right, "ss_s9: flags %d of entry %d", spec->flags[i], (int)i);
    }
}

/* Every pattern of the five masks over 0..3 entries and ranks 0..4, with legal and with illegal steps and begins. */
static void
test_every_mask_pattern(void)
{
    const int64_t dims[4] = {4, 3, 5, 2}, begin[3] = {1, -3, 2}, end[3] = {-1, 2, 0};
    const int64_t steps[3][3] = {{1, 2, 1}, {2, 1, -1}, {1, 0, -2}};
    for (int32_t count = 0; count <= 3; count++) {
        int32_t patterns = INT32_C(1) << count;
        for (int32_t bits = 0; bits < INT32_C(1) << 5 * count; bits++) {
            ssop_masks masks = {bits % patterns, bits >> count & (patterns - 1), bits >> 2 * count & (patterns - 1),
                                bits >> 3 * count & (patterns - 1), bits >> 4 * count};
            if ((masks.ellipsis & (masks.ellipsis - 1)) != 0) {
                continue;
            }
            ssop_spec spec;
            init_spec(&spec, count, &masks);
            for (int k = 0; k < 3; k++) {
                memcpy(spec.begin, begin, sizeof(begin));
                memcpy(spec.end, end, sizeof(end));
                memcpy(spec.step, steps[k], sizeof(steps[k]));
                for (int32_t rank = 0; rank <= 4; rank++) {
                    if (!is_chosen()) {
                        continue;
                    }
                    char name[64];
                    snprintf(name, sizeof(name), "count %d masks %d steps %d", (int)count, (int)bits, k);
                    check_against_plain(&spec, rank, dims, name);
                }
            }
        }
    }
}

static void
fill_entry(ssop_spec *spec, int64_t begin, int64_t end, int64_t step, uint8_t flags)
{
    int32_t i = spec->count++;
    spec->begin[i] = begin;
    spec->end[i] = end;
    spec->step[i] = step;
    spec->flags[i] = flags;
}

/* Long specs at random, with ranks to match. */
static void
test_random_long_specs(void)
{
    for (int k = 0; k < 20000; k++) {
        ssop_spec spec = {.count = 0};
        int64_t dims[SSOP_MAX_RANK];
        int32_t entries = (int32_t)random_between(0, 24), ellipsis = (int32_t)random_between(0, 30);
        int32_t rank = (int32_t)random_between(0, 24);
        for (int32_t i = 0; i < entries; i++) {
            uint8_t flags = (uint8_t)(random_bits() >> 20 & (SSOP_BEGIN_MASK | SSOP_END_MASK));
            flags |= i == ellipsis ? SSOP_ELLIPSIS : 0;
            flags |= random_between(0, 3) == 0 ? SSOP_AXIS_NEW : 0;
            flags |= random_between(0, 3) == 0 ? SSOP_SHRINK : 0;
            fill_entry(&spec, random_between(-4, 3), random_between(-9, 9), random_between(1, 3), flags);
        }
        for (int32_t axis = 0; axis < rank; axis++) {
            dims[axis] = random_between(4, 7);
        }
        if (is_chosen()) {
            check_against_plain(&spec, rank, dims, "random spec");
        }
    }
}

static void
check_shape(const char *name, const ssop_spec *spec, int32_t rank, const int64_t *dims, int32_t out_rank,
            const int64_t *out)
{
    ssop_region region;
    ssop_status status =
        ssop_strided_slice_resolve(spec, (ssop_shape){rank, dims}, &ssop_dialect_tensorflow, &region, NULL, NULL);
    CHECK(status == SSOP_OK && region.out_rank == out_rank, "%s: rank", name);
    for (int32_t axis = 0; status == SSOP_OK && axis < out_rank; axis++) {
        CHECK(ssop_region_dim(&region, axis) == out[axis], "%s: dim %d is %lld", name, (int)axis,
              LL(ssop_region_dim(&region, axis)));
    }
}

/* The two worked examples of the blog (ss_s1, ss_s2) and the OpDef's (ss_s3). */
static void
test_worked_examples(void)
{
    const int64_t dims[4] = {6, 3, 4, 10}, fives[6] = {5, 5, 5, 5, 5, 5};
    ssop_spec spec = {.count = 0};
    fill_entry(&spec, 0, 3, 1, SSOP_AXIS_NEW);
    fill_entry(&spec, 0, 2, 1, 0);
    fill_entry(&spec, 2, 4, 1, SSOP_SHRINK);
    fill_entry(&spec, 2, 8, 1, SSOP_ELLIPSIS | SSOP_AXIS_NEW);
    check_shape("ss_s1: ellipsis beats new axis", &spec, 4, dims, 4, (const int64_t[]){1, 2, 4, 10});
    spec.flags[2] |= SSOP_ELLIPSIS;
    spec.flags[3] = SSOP_AXIS_NEW;
    check_shape("ss_s2: ellipsis in the middle", &spec, 4, dims, 6, (const int64_t[]){1, 2, 3, 4, 10, 1});

    ssop_spec foo = {.count = 0}; /* foo[1, 2:4, None, ..., :-3:-1, :] */
    fill_entry(&foo, 1, 2, 1, SSOP_SHRINK);
    fill_entry(&foo, 2, 4, 1, 0);
    fill_entry(&foo, 0, 0, 1, SSOP_AXIS_NEW);
    fill_entry(&foo, 0, 0, 1, SSOP_ELLIPSIS);
    fill_entry(&foo, 0, -3, -1, SSOP_BEGIN_MASK);
    fill_entry(&foo, 0, 0, 1, SSOP_BEGIN_MASK | SSOP_END_MASK);
    check_shape("ss_s3: the OpDef's example", &foo, 6, fives, 6, (const int64_t[]){2, 1, 5, 5, 2, 5});

    ssop_spec nothing = {.count = 0};
    check_shape("ss_s2: no entries", &nothing, 4, dims, 4, dims);
    check_shape("ss_s2: no entries, a scalar", &nothing, 0, NULL, 0, NULL);
}

/* One spec of each kind of entry, stage by stage: x[..., 7:-9:-2, None, -1] of shape (2, 3, 5, 4). */
static void
test_trace_of_one_spec(void)
{
    const int64_t dims[4] = {2, 3, 5, 4};
    ssop_spec spec = {.count = 0};
    fill_entry(&spec, 0, 0, 0, SSOP_ELLIPSIS | SSOP_SHRINK);
    fill_entry(&spec, 7, -9, -2, 0);
    fill_entry(&spec, 0, 0, 0, SSOP_AXIS_NEW | SSOP_BEGIN_MASK);
    fill_entry(&spec, -1, 0, 1, SSOP_SHRINK | SSOP_END_MASK);
    ssop_trace trace = {.entries = 0};
    ssop_region region;
    CHECK(ssop_strided_slice_resolve(&spec, (ssop_shape){4, dims}, &ssop_dialect_tensorflow, &region, &trace, NULL) ==
              SSOP_OK,
          "trace: status");
    const uint8_t flags[4] = {SSOP_ELLIPSIS, 0, SSOP_AXIS_NEW, SSOP_SHRINK | SSOP_END_MASK};
    const int16_t first_axis[4] = {0, 2, 3, 3}, axis_count[4] = {2, 1, 0, 1};
    CHECK(trace.entries == 4 && trace.axes == 4 && memcmp(trace.flags, flags, sizeof(flags)) == 0 &&
              memcmp(trace.first_axis, first_axis, sizeof(first_axis)) == 0 &&
              memcmp(trace.axis_count, axis_count, sizeof(axis_count)) == 0,
          "trace: entries");
    const ssop_axis_trace right[4] = {
        {-1, 0, 0, 0, 0, 0, 2, {0, 2, 1}},
        {-1, 0, 0, 0, 0, 0, 3, {0, 3, 1}},
        {1, 7, -4, 4, -1, 4, -1, {4, 3, -2}},
        {3, 3, 4, 3, 4, 3, 4, {3, 1, 1}},
    };
    for (int axis = 0; axis < 4; axis++) {
        const ssop_axis_trace *a = &trace.axis[axis], *b = &right[axis];
        CHECK(a->entry == b->entry && a->wrapped_begin == b->wrapped_begin && a->wrapped_end == b->wrapped_end &&
                  a->clamped_begin == b->clamped_begin && a->clamped_end == b->clamped_end && a->begin == b->begin &&
                  a->end == b->end && same_range(a->range, b->range),
              "trace: axis %d", axis);
    }
}

static void
check_init_rejected(const char *name, const int64_t counts[3], int32_t ellipsis, ssop_rule rule, int64_t value,
                    int64_t high)
{
    ssop_spec spec;
    ssop_masks masks = {.ellipsis = ellipsis};
    ssop_error error;
    mark(&spec, sizeof(spec));
    ssop_status status = ssop_spec_init(&spec, (ssop_spec_counts){counts[0], counts[1], counts[2]}, &masks,
                                        &ssop_dialect_tensorflow, &error);
    CHECK(status == SSOP_VALUE_ERROR && is_error(&error, rule, -1, -1, value, 0, high), "%s: %s", name,
          ssop_rule_label(error.rule));
    CHECK(is_marked(&spec, sizeof(spec)), "%s: spec written on failure", name);
    CHECK(ssop_spec_init(&spec, (ssop_spec_counts){counts[0], counts[1], counts[2]}, &masks, &ssop_dialect_tensorflow,
                         NULL) == status,
          "%s without error record", name);
}

/* ss_c1, then ss_c2, then ss_c3. */
static void
test_rejections_of_init(void)
{
    const int64_t short_end[3] = {32, 31, 32}, long_step[3] = {32, 32, 33}, many[3] = {32, 32, 32};
    const int64_t huge[3] = {INT64_MAX, INT64_MAX, INT64_MAX}, none[3] = {0, 0, 0}, most[3] = {31, 31, 31};
    check_init_rejected("ss_c1 end", short_end, 3, SSOP_SS_C1, 0, 0);
    check_init_rejected("ss_c1 strides", long_step, 3, SSOP_SS_C1, 0, 0);
    check_init_rejected("ss_c2 32", many, 3, SSOP_SS_C2, 32, 31);
    check_init_rejected("ss_c2 INT64_MAX", huge, 0, SSOP_SS_C2, INT64_MAX, 31);
    check_init_rejected("ss_c3 101", none, 5, SSOP_SS_C3, 5, 0);
    check_init_rejected("ss_c3 past the spec", most, INT32_MIN | 1, SSOP_SS_C3, INT32_MIN | 1, 0);
    check_init_rejected("ss_c3 -1", most, -1, SSOP_SS_C3, -1, 0);

    ssop_spec spec;
    for (int bit = 0; bit < 32; bit++) {
        ssop_masks masks = {-1, INT32_MIN, (int32_t)(UINT32_C(1) << bit), 1 << 30, 0x55555555};
        init_spec(&spec, 31, &masks); /* one bit anywhere is legal */
    }
}

static void
check_rejected(const char *name, const ssop_spec *spec, int32_t rank, const int64_t *dims, ssop_error right)
{
    ssop_region region;
    ssop_error error;
    mark(&region, sizeof(region));
    ssop_status status =
        ssop_strided_slice_resolve(spec, (ssop_shape){rank, dims}, &longest_dialect, &region, NULL, &error);
    CHECK(status == ssop_rule_status(right.rule), "%s: %s", name, ssop_rule_label(error.rule));
    CHECK(is_error(&error, right.rule, right.axis, right.entry, right.value, right.low, right.high), "%s: record",
          name);
    CHECK(is_marked(&region, sizeof(region)), "%s: region written on failure", name);
}

static void
test_rejections(void)
{
    const int64_t dims[2] = {3, 4};
    ssop_spec spec = {.count = 0};
    fill_entry(&spec, 0, 3, 1, 0);
    fill_entry(&spec, 0, 3, 0, 0);
    check_rejected("ss_c5", &spec, 2, dims, error_of(SSOP_SS_C5, 1, 1, 0, 0, 0));
    spec.flags[1] = SSOP_SHRINK;
    check_rejected("ss_c5 before ss_c6", &spec, 2, dims, error_of(SSOP_SS_C5, 1, 1, 0, 0, 0));
    spec.step[1] = INT64_MIN;
    spec.begin[1] = 9;
    check_rejected("ss_c6 before ss_c7", &spec, 2, dims, error_of(SSOP_SS_C6, 1, 1, INT64_MIN, 1, INT64_MAX));
    spec.step[1] = INT64_MAX;
    check_rejected("ss_c7 above", &spec, 2, dims, error_of(SSOP_SS_C7, 1, 1, 9, -4, 3));
    spec.begin[1] = INT64_MIN;
    check_rejected("ss_c7 below", &spec, 2, dims, error_of(SSOP_SS_C7, 1, 1, INT64_MIN, -4, 3));
    spec.step[0] = 0;
    check_rejected("ss_c5 of the first axis", &spec, 2, dims, error_of(SSOP_SS_C5, 0, 0, 0, 0, 0));
    check_rejected("ss_c4 before ss_c5", &spec, 1, dims, error_of(SSOP_SS_C4, 1, 1, 0, 0, 0));
    check_rejected("ss_c4 of a scalar", &spec, 0, dims, error_of(SSOP_SS_C4, 0, 0, 0, 0, 0));
    fill_entry(&spec, 0, 0, 0, SSOP_ELLIPSIS);
    fill_entry(&spec, 0, 0, 0, SSOP_ELLIPSIS | SSOP_AXIS_NEW);
    check_rejected("ss_c3 in flags", &spec, 2, dims, error_of(SSOP_SS_C3, -1, 3, 3, 0, 0));
}

/* ss_c8 and specs of 128 entries: nothing may be written past the 64th output axis. */
static void
test_longest_specs(void)
{
    int64_t dims[SSOP_MAX_RANK];
    for (int32_t axis = 0; axis < SSOP_MAX_RANK; axis++) {
        dims[axis] = 2;
    }
    for (int32_t rank = 0; rank <= SSOP_MAX_RANK; rank++) {
        for (int32_t added = 0; added <= SSOP_MAX_ENTRIES; added++) {
            ssop_spec spec = {.count = 0};
            ssop_region region;
            ssop_error error;
            for (int32_t i = 0; i < added; i++) {
                fill_entry(&spec, 0, 0, 0, SSOP_AXIS_NEW);
            }
            ssop_status status =
                ssop_strided_slice_resolve(&spec, (ssop_shape){rank, dims}, &longest_dialect, &region, NULL, &error);
            CHECK(rank + added > SSOP_MAX_RANK
                      ? status == SSOP_VALUE_ERROR && is_error(&error, SSOP_SS_C8, -1, -1, rank + added, 0, 64)
                      : status == SSOP_OK && region.out_rank == rank + added && region.in_rank == rank,
                  "ss_c8: rank %d and %d new axes", (int)rank, (int)added);
        }
    }
    ssop_spec spec = {.count = 0};
    for (int32_t i = 0; i < SSOP_MAX_RANK; i++) {
        fill_entry(&spec, 1, 0, 1, SSOP_SHRINK);
        fill_entry(&spec, 0, 0, 0, SSOP_AXIS_NEW);
    }
    check_against_plain(&spec, SSOP_MAX_RANK, dims, "64 shrunk entries among 64 new axes");
    check_against_plain(&spec, SSOP_MAX_RANK - 1, dims, "ss_c4 at entry 126");
    spec.begin[126] = 2;
    check_against_plain(&spec, SSOP_MAX_RANK, dims, "ss_c7 at entry 126");
    spec.step[2] = 0;
    check_against_plain(&spec, SSOP_MAX_RANK, dims, "ss_c5 at entry 2");
}

static void
check_plain(const ssop_spec *spec, int32_t rank, const int64_t *dims, const ssop_dialect *dialect)
{
    ssop_spec other = *spec;
    other.no_flags = false;
    ssop_region quick, slow;
    ssop_error quick_error = {.rule = SSOP_NO_RULE}, slow_error = {.rule = SSOP_NO_RULE};
    ssop_status status =
        ssop_strided_slice_resolve(spec, (ssop_shape){rank, dims}, dialect, &quick, NULL, &quick_error);
    CHECK(ssop_strided_slice_resolve(&other, (ssop_shape){rank, dims}, dialect, &slow, NULL, &slow_error) == status &&
              quick_error.rule == slow_error.rule,
          "%s, not %s: plain spec of %d entries", ssop_rule_label(quick_error.rule), ssop_rule_label(slow_error.rule),
          (int)spec->count);
    if (status != SSOP_OK) {
        return;
    }
    CHECK(quick.in_rank == slow.in_rank && quick.out_rank == slow.out_rank, "plain spec: ranks");
    for (int32_t axis = 0; axis < rank; axis++) {
        CHECK(same_range(quick.range[axis], slow.range[axis]) && quick.out_axis[axis] == slow.out_axis[axis],
              "plain spec of %d entries: axis %d", (int)spec->count, (int)axis);
    }
}

/* What is known about a spec beforehand changes nothing but the time it takes. */
static void
test_plain_specs(void)
{
    const int64_t dims[3] = {3, 0, 2}, bound[] = {0, 1, 2, 3, 4, -1, INT64_MIN, INT64_MAX}, step[] = {1, 2, -1, 0};
    const ssop_masks none = {0, 0, 0, 0, 0};
    for (int number = 0; number < 8 * 8 * 4 * 8 * 8; number++) {
        ssop_spec spec;
        for (int32_t count = 0; count <= 4; count++) {
            ssop_spec_init(&spec, (ssop_spec_counts){count, count, count}, &none, &ssop_dialect_tensorflow, NULL);
            CHECK(spec.no_flags, "a spec without masks is plain");
            for (int i = 0; i < count; i++) {
                spec.begin[i] = i == 0 ? bound[number % 8] : i == 1 ? 0 : bound[number / 256 % 8];
                spec.end[i] = i == 0 ? bound[number / 8 % 8] : i == 1 ? 0 : bound[number / 2048];
                spec.step[i] = i == 0 ? step[number / 64 % 4] : 1;
            }
            for (int32_t rank = 0; rank <= 3; rank++) {
                if (!is_chosen()) {
                    continue;
                }
                check_plain(&spec, rank, dims, &ssop_dialect_tensorflow);
                check_plain(&spec, rank, dims, &ssop_dialect_tflite);
                check_plain(&spec, rank, dims, &ssop_dialect_tflite_offset);
            }
        }
    }
}

/* As many axes and entries as there can be. What stands after the last entry and after the last dim is not read. */
static void
test_plain_specs_of_most_axes(void)
{
    int64_t dims[SSOP_MAX_RANK];
    const ssop_masks none = {0, 0, 0, 0, 0};
    ssop_spec spec;
    for (int32_t count = 0; count <= SSOP_MAX_RANK; count++) {
        ssop_spec_init(&spec, (ssop_spec_counts){count, count, count}, &none, &longest_dialect, NULL);
        for (int32_t i = 0; i < SSOP_MAX_ENTRIES; i++) {
            spec.begin[i] = i % 3;
            spec.end[i] = 4;
            spec.step[i] = 1;
        }
        for (int32_t axis = 0; axis < SSOP_MAX_RANK; axis++) {
            dims[axis] = 4 + axis % 8;
        }
        check_plain(&spec, SSOP_MAX_RANK, dims, &longest_dialect);
        check_against_plain(&spec, SSOP_MAX_RANK, dims, "plain spec of 64 axes");
    }
}

int
main(void)
{
    test_every_mask_pattern();
    test_random_long_specs();
    test_worked_examples();
    test_trace_of_one_spec();
    test_rejections_of_init();
    test_rejections();
    test_longest_specs();
    test_plain_specs();
    test_plain_specs_of_most_axes();
    return check_report("test_strided_slice");
}
