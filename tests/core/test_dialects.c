/* What could go wrong: a flag of a dialect has the wrong effect, or has an effect in another dialect. */
#include "slice_oracle.h"

enum { FLAG_COUNT = 6, DIALECT_COUNT = 1 << FLAG_COUNT, MAX_DIM = 3, MAX_NUMBERS = 32 };

static ssop_dialect
dialect_of(int bits)
{
    return (ssop_dialect){
        .rules = &walk_rules,
        .max_entries = 1,
        .shrink_reads_begin_mask = bits & 1,
        .shrink_ignores_step = bits >> 1 & 1,
        .shrink_clamps_below = bits >> 2 & 1,
        .reverse_clamps_begin_first = bits >> 3 & 1,
        .max_end_is_open = bits >> 4 & 1,
        .end_is_offset = bits >> 5 & 1,
    };
}

static ssop_status
resolve_one(int64_t dim, const walk_entry *entry, const ssop_dialect *dialect, ssop_region *region, ssop_trace *trace,
            ssop_error *error)
{
    ssop_spec spec = {.count = 1};
    spec.begin[0] = entry->begin;
    spec.end[0] = entry->end;
    spec.step[0] = entry->step;
    spec.flags[0] = entry->flags;
    return ssop_strided_slice_resolve(&spec, (ssop_shape){1, &dim}, dialect, region, trace, error);
}

static bool
same_walk(const walked *a, const walked *b)
{
    bool same = a->broken == b->broken && a->count == b->count;
    for (int32_t i = 0; same && i < a->count; i++) {
        same = a->pick[i] == b->pick[i];
    }
    return same;
}

static void
check_entry(int bits, int64_t dim, const walk_entry *entry)
{
    ssop_dialect dialect = dialect_of(bits);
    walked right = walk_axis(dim, entry, &dialect);
    ssop_region region;
    ssop_trace trace = {.entries = 0};
    ssop_error error = {.rule = SSOP_NO_RULE};
    ssop_status status = resolve_one(dim, entry, &dialect, &region, &trace, &error);
    CHECK(error.rule == right.broken && status == ssop_rule_status(right.broken),
          "%s, not %s: dialect %d dim %lld begin %lld end %lld step %lld flags %d", ssop_rule_label(error.rule),
          ssop_rule_label(right.broken), bits, LL(dim), LL(entry->begin), LL(entry->end), LL(entry->step),
          entry->flags);
    bool resolved = status == SSOP_OK && right.broken == SSOP_NO_RULE;
    CHECK(!resolved || (same_range(region.range[0], range_of_picks(right.pick, right.count)) &&
                        same_range(region.range[0], trace.axis[0].range)),
          "other elements: dialect %d dim %lld begin %lld end %lld step %lld flags %d", bits, LL(dim), LL(entry->begin),
          LL(entry->end), LL(entry->step), entry->flags);
}

/* Also counts how often each flag alone changes what TensorFlow would do: a flag that never does is not tested. */
static void
test_every_dialect_on_small_axes(void)
{
    unsigned differences[DIALECT_COUNT] = {0};
    for (int64_t dim = 0; dim <= MAX_DIM; dim++) {
        int64_t bound[MAX_NUMBERS], step[MAX_NUMBERS];
        int bounds = numbers_around_zero(dim + 2, bound), steps = numbers_around_zero(dim + 1, step);
        for (int i = 0; i < bounds * bounds * steps * 8; i++) {
            if (!is_chosen()) {
                continue;
            }
            int b = i % bounds, e = i / bounds % bounds, s = i / bounds / bounds % steps,
                masks = i / bounds / bounds / steps;
            int flags = (masks & 3) + (masks >> 2) * SSOP_SHRINK;
            walk_entry entry = {bound[b], bound[e], step[s], (uint8_t)flags};
            walked by_tensorflow = walk_axis(dim, &entry, &ssop_dialect_tensorflow);
            for (int bits = 0; bits < DIALECT_COUNT; bits++) {
                check_entry(bits, dim, &entry);
                ssop_dialect dialect = dialect_of(bits);
                walked here = walk_axis(dim, &entry, &dialect);
                differences[bits] += same_walk(&here, &by_tensorflow) ? 0 : 1;
            }
        }
    }
    for (int bits = 0; bits < DIALECT_COUNT; bits++) {
        CHECK((differences[bits] != 0) == (bits != 0), "dialect %d differs %u times", bits, differences[bits]);
    }
}

static void
check_example(const char *what, int bits, walk_entry entry, ssop_range right)
{
    ssop_dialect dialect = dialect_of(bits);
    ssop_region region;
    ssop_status status = resolve_one(5, &entry, &dialect, &region, NULL, NULL);
    CHECK(status == SSOP_OK && same_range(region.range[0], right), "%s: status %d", what, (int)status);
}

/* The comment beside each flag in ssop/slices.h, on an axis of 5; first what TensorFlow does. */
static void
test_examples(void)
{
    const uint8_t shrink = SSOP_SHRINK, shrink_masked = SSOP_SHRINK | SSOP_BEGIN_MASK;
    check_example("ss_s7 masked begin", 0, (walk_entry){3, 0, 1, shrink_masked}, (ssop_range){3, 1, 1});
    check_example("shrink_reads_begin_mask", 1, (walk_entry){3, 0, 1, shrink_masked}, (ssop_range){0, 1, 1});
    check_example("shrink_ignores_step -1", 2, (walk_entry){3, 0, -1, shrink}, (ssop_range){3, 1, 1});
    check_example("shrink_ignores_step 0", 2, (walk_entry){3, 0, 0, shrink}, (ssop_range){3, 1, 1});
    check_example("shrink_clamps_below", 4, (walk_entry){-9, 0, 1, shrink}, (ssop_range){0, 1, 1});
    check_example("ss_s4 far below, backwards", 0, (walk_entry){-9, -9, -1, 0}, (ssop_range){0, 0, 1});
    check_example("reverse_clamps_begin_first", 8, (walk_entry){-9, -9, -1, 0}, (ssop_range){0, 1, 1});
    check_example("ss_s4 far above, backwards", 0, (walk_entry){3, INT32_MAX, -1, 0}, (ssop_range){0, 0, 1});
    check_example("max_end_is_open", 16, (walk_entry){3, INT32_MAX, -1, 0}, (ssop_range){3, 4, -1});
    check_example("max_end_is_open", 16, (walk_entry){3, INT64_MAX, -1, 0}, (ssop_range){3, 4, -1});
    check_example("max_end_is_open: one less", 16, (walk_entry){3, INT64_MAX - 1, -1, 0}, (ssop_range){0, 0, 1});
    check_example("end_is_offset", 32, (walk_entry){-4, 3, 2, 0}, (ssop_range){1, 2, 2});
    check_example("end_is_offset backwards", 32, (walk_entry){9, -2, -1, 0}, (ssop_range){4, 2, -1});

    ssop_dialect dialect = dialect_of(4);
    ssop_region region;
    ssop_error error;
    walk_entry above = {5, 0, 1, SSOP_SHRINK}, below_nothing = {-1, 0, 1, SSOP_SHRINK};
    CHECK(resolve_one(5, &above, &dialect, &region, NULL, &error) == SSOP_INDEX_ERROR &&
              is_error(&error, SSOP_SS_C7, 0, 0, 5, -5, 4),
          "ss_c7: shrink_clamps_below clamps above");
    CHECK(resolve_one(0, &below_nothing, &dialect, &region, NULL, &error) == SSOP_INDEX_ERROR &&
              is_error(&error, SSOP_SS_C7, 0, 0, -1, 0, -1),
          "ss_c7: shrink_clamps_below finds an element in nothing");
}

/* ss_c2: a dialect's own limit, up to what a spec can hold. */
static void
test_max_entries(void)
{
    const ssop_masks masks = {0, 0, 0, 0, 0};
    const int32_t limits[] = {0, 1, 31, 32, 33, 64, SSOP_MAX_ENTRIES};
    for (int i = 0; i < COUNT(limits); i++) {
        ssop_dialect dialect = {.rules = &walk_rules, .max_entries = limits[i]};
        for (int64_t count = 0; count <= SSOP_MAX_ENTRIES + 2; count++) {
            ssop_spec spec;
            ssop_error error = {.rule = SSOP_NO_RULE};
            ssop_status status =
                ssop_spec_init(&spec, (ssop_spec_counts){count, count, count}, &masks, &dialect, &error);
            CHECK((status == SSOP_OK) == (count <= limits[i]), "ss_c2: %lld entries of %d", LL(count), (int)limits[i]);
            CHECK(status == SSOP_OK ? spec.count == count : is_error(&error, SSOP_SS_C2, -1, -1, count, 0, limits[i]),
                  "ss_c2: %lld entries of %d, record", LL(count), (int)limits[i]);
        }
    }
    CHECK(ssop_dialect_tensorflow.max_entries == 31, "ss_c2: TensorFlow's limit");
}

/* Entries past the 32 bits of a mask have none of its bits. */
static void
test_masks_of_many_entries(void)
{
    const ssop_masks masks = {-1, -1, INT32_MIN, -1, -1};
    const ssop_dialect dialect = {.rules = &walk_rules, .max_entries = SSOP_MAX_ENTRIES};
    const uint8_t without_ellipsis = SSOP_BEGIN_MASK | SSOP_END_MASK | SSOP_AXIS_NEW | SSOP_SHRINK;
    ssop_spec spec;
    ssop_status status = ssop_spec_init(&spec, (ssop_spec_counts){128, 128, 128}, &masks, &dialect, NULL);
    CHECK(status == SSOP_OK && spec.count == 128, "ss_c2: 128 entries");
    for (int32_t i = 0; i < 128; i++) {
        uint8_t right = i < 31 ? without_ellipsis : i == 31 ? (uint8_t)(without_ellipsis | SSOP_ELLIPSIS) : 0;
        CHECK(spec.flags[i] == right, "ss_s9: flags %d of entry %d of 128", spec.flags[i], (int)i);
    }
}

/* ss_c3: ellipsis bits past the spec count for TensorFlow alone. */
static void
test_spare_ellipsis_bits(void)
{
    const ssop_dialect counting = {.rules = &walk_rules, .max_entries = 64, .spare_bits_count = true};
    const ssop_dialect cutting = {.rules = &walk_rules, .max_entries = 64};
    for (int32_t count = 0; count <= 40; count++) {
        for (int low = 0; low < 32; low++) {
            for (int high = low + 1; high < 32; high++) {
                const ssop_masks masks = {.ellipsis = (int32_t)(UINT32_C(1) << low | UINT32_C(1) << high)};
                ssop_spec spec;
                ssop_error error;
                CHECK(ssop_spec_init(&spec, (ssop_spec_counts){count, count, count}, &masks, &counting, &error) ==
                              SSOP_VALUE_ERROR &&
                          is_error(&error, SSOP_SS_C3, -1, -1, masks.ellipsis, 0, 0),
                      "ss_c3: bits %d and %d of %d entries", low, high, (int)count);
                ssop_status status =
                    ssop_spec_init(&spec, (ssop_spec_counts){count, count, count}, &masks, &cutting, &error);
                CHECK((status == SSOP_OK) == (high >= count), "tfl_c3: bits %d and %d of %d entries", low, high,
                      (int)count);
            }
        }
    }
}

/* Every framework raises its own rules. */
static void
test_labels_of_each_framework(void)
{
    const ssop_dialect *dialects[] = {&ssop_dialect_tensorflow, &ssop_dialect_tflite, &ssop_dialect_tflite_offset,
                                      &ssop_dialect_openvino};
    const char *prefix[] = {"ss_", "tfl_", "tfl_", "ov_"};
    for (int i = 0; i < COUNT(dialects); i++) {
        ssop_error error;
        ssop_region region;
        walk_entry zero_step = {0, 1, 0, 0}, outside = {5, 0, 1, SSOP_SHRINK};
        resolve_one(5, &zero_step, dialects[i], &region, NULL, &error);
        CHECK(strncmp(ssop_rule_label(error.rule), prefix[i], strlen(prefix[i])) == 0, "stride 0: %s",
              ssop_rule_label(error.rule));
        CHECK(resolve_one(5, &outside, dialects[i], &region, NULL, &error) == SSOP_INDEX_ERROR &&
                  strncmp(ssop_rule_label(error.rule), prefix[i], strlen(prefix[i])) == 0,
              "index outside: %s", ssop_rule_label(error.rule));
    }
}

int
main(void)
{
    test_every_dialect_on_small_axes();
    test_examples();
    test_max_entries();
    test_masks_of_many_entries();
    test_spare_ellipsis_bits();
    test_labels_of_each_framework();
    return check_report("test_dialects");
}
