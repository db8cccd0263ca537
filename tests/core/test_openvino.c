/* What could go wrong: a mask vector is read beyond its end, or an element is applied to the wrong entry or as the
 * wrong mask. */
#include "slice_oracle.h"

static const uint8_t flag_of[SSOP_MASK_VECTORS] = {SSOP_BEGIN_MASK, SSOP_END_MASK, SSOP_AXIS_NEW, SSOP_SHRINK,
                                                   SSOP_ELLIPSIS};

static ssop_mask_vector masks[SSOP_MASK_VECTORS];

/* Poison past the end of each vector: none of it may be read. */
static void
clear_masks(void)
{
    for (int m = 0; m < SSOP_MASK_VECTORS; m++) {
        masks[m].count = 0;
        for (int i = 0; i < SSOP_MAX_ENTRIES; i++) {
            masks[m].element[i] = 77;
        }
    }
}

static void
set_mask(int m, int64_t count, uint64_t bits)
{
    masks[m].count = count;
    for (int64_t i = 0; i < count && i < SSOP_MAX_ENTRIES; i++) {
        masks[m].element[i] = i < 64 ? (int64_t)(bits >> i & 1) : 0;
    }
}

static ssop_status
init(ssop_spec *spec, int64_t count, bool strict, ssop_error *error)
{
    return ssop_openvino_spec_init(spec, (ssop_spec_counts){count, count, count}, masks, strict, error);
}

/* ov_s4: every length of every mask against every length of spec, each bit pattern of three. */
static void
test_lengths_and_bits(void)
{
    for (int m = 0; m < SSOP_MASK_VECTORS; m++) {
        for (int64_t count = 0; count <= 5; count++) {
            for (int64_t length = 0; length <= 7; length++) {
                for (uint64_t bits = 0; bits < 128; bits++) {
                    ssop_spec spec = {.no_flags = true};
                    clear_masks();
                    set_mask(m, length, bits);
                    int ones = 0;
                    for (int i = 0; i < count && i < length; i++) {
                        ones += (int)(bits >> i & 1);
                    }
                    bool legal = flag_of[m] != SSOP_ELLIPSIS || ones <= 1;
                    ssop_status status = init(&spec, count, false, NULL);
                    CHECK(status == (legal ? SSOP_OK : SSOP_VALUE_ERROR), "ov_s4: mask %d", m);
                    if (!legal) {
                        continue;
                    }
                    CHECK(spec.count == count && (ones == 0 || !spec.no_flags), "ov_s4: mask %d", m);
                    for (int i = 0; i < (int)count; i++) {
                        uint8_t right = i < length && (bits >> i & 1) ? flag_of[m] : 0;
                        CHECK(spec.flags[i] == right, "ov_s4: mask %d of length %lld, entry %d", m, LL(length), i);
                    }
                }
            }
        }
    }
}

/* Longer than a spec can be: what is past the 128th element is not there. */
static void
test_longest(void)
{
    ssop_spec spec;
    ssop_error error;
    clear_masks();
    set_mask(0, INT64_MAX, 1);
    CHECK(init(&spec, SSOP_MAX_ENTRIES, false, NULL) == SSOP_OK && spec.flags[0] == SSOP_BEGIN_MASK,
          "ov_s4: endless mask");
    const int64_t lengths[] = {SSOP_MAX_ENTRIES + 1, INT64_C(1) << 32, INT64_MAX};
    for (int i = 0; i < COUNT(lengths); i++) {
        set_mask(0, lengths[i], 0);
        set_mask(4, lengths[i], 9);
        CHECK(init(&spec, 4, true, &error) == SSOP_VALUE_ERROR && is_error(&error, SSOP_OV_C5, -1, 3, 0, 0, 0),
              "ov_c5: %lld elements", LL(lengths[i]));
        masks[4].element[0] = 2;
        CHECK(init(&spec, 4, false, &error) == SSOP_VALUE_ERROR && is_error(&error, SSOP_OV_C1, -1, 0, 2, 0, 0),
              "ov_c1: %lld elements", LL(lengths[i]));
    }
    clear_masks();
    CHECK(init(&spec, SSOP_MAX_ENTRIES + 1, false, &error) == SSOP_VALUE_ERROR &&
              is_error(&error, SSOP_OV_C9, -1, -1, SSOP_MAX_ENTRIES + 1, 0, SSOP_MAX_ENTRIES),
          "ov_c9");
}

static void
test_rejections(void)
{
    ssop_spec spec;
    ssop_error error;
    clear_masks();
    mark(&spec, sizeof(spec));
    CHECK(ssop_openvino_spec_init(&spec, (ssop_spec_counts){2, 3, 2}, masks, false, &error) == SSOP_VALUE_ERROR &&
              error.rule == SSOP_OV_C3 && error.value == 2 && error.low == 3,
          "ov_c3");
    CHECK(ssop_openvino_spec_init(&spec, (ssop_spec_counts){2, 2, 1}, masks, false, &error) == SSOP_VALUE_ERROR &&
              error.rule == SSOP_OV_C4 && error.value == 1 && error.low == 2,
          "ov_c4");
    for (int m = 0; m < SSOP_MASK_VECTORS; m++) {
        const int64_t wrong[] = {-1, 2, INT64_MIN, INT64_MAX};
        for (int i = 0; i < COUNT(wrong); i++) {
            clear_masks();
            set_mask(m, 4, 0);
            masks[m].element[3] = wrong[i]; /* past the spec: looked at all the same */
            CHECK(init(&spec, 2, false, &error) == SSOP_VALUE_ERROR && error.rule == SSOP_OV_C1 && error.entry == 3 &&
                      error.value == wrong[i] && error.low == m,
                  "ov_c1: mask %d", m);
        }
    }
    CHECK(is_marked(&spec, sizeof(spec)), "spec written on failure");
}

/* ov_c2 and ov_c5 over the whole vectors, when asked for. */
static void
test_strict(void)
{
    ssop_spec spec;
    ssop_error error;
    for (int m = 1; m < SSOP_MASK_VECTORS; m++) {
        for (int64_t begin = 0; begin <= 3; begin++) {
            for (int64_t length = 0; length <= 3; length++) {
                clear_masks();
                set_mask(0, begin, 0);
                set_mask(m, length, 0);
                CHECK(init(&spec, 2, false, NULL) == SSOP_OK, "ov_s4: lengths %lld and %lld", LL(begin), LL(length));
                bool right = length == 0 || length == begin;
                CHECK(right ? init(&spec, 2, true, &error) == SSOP_OK
                            : init(&spec, 2, true, &error) == SSOP_VALUE_ERROR && error.rule == SSOP_OV_C2 &&
                                  error.value == length && error.low == m && error.high == begin,
                      "ov_c2: lengths %lld and %lld", LL(begin), LL(length));
            }
        }
    }
    clear_masks();
    set_mask(0, 4, 0);
    set_mask(4, 4, 10); /* entries 1 and 3 */
    CHECK(init(&spec, 2, false, NULL) == SSOP_OK && spec.flags[1] == SSOP_ELLIPSIS, "ov_s4: an ellipsis past the spec");
    CHECK(init(&spec, 2, true, &error) == SSOP_VALUE_ERROR && is_error(&error, SSOP_OV_C5, -1, 3, 0, 0, 0), "ov_c5");

    const int64_t dims[2] = {3, 4};
    ssop_region region;
    CHECK(init(&spec, 4, false, &error) == SSOP_VALUE_ERROR && is_error(&error, SSOP_OV_C5, -1, 3, 0, 0, 0),
          "ov_c5: two among the entries");
    spec.count = 4; /* flags made by hand: the resolver finds them too */
    for (int i = 0; i < 4; i++) {
        spec.begin[i] = spec.end[i] = spec.step[i] = 1;
        spec.flags[i] = i % 2 ? SSOP_ELLIPSIS : 0;
    }
    CHECK(ssop_strided_slice_resolve(&spec, (ssop_shape){2, dims}, &ssop_dialect_openvino, &region, NULL, &error) ==
                  SSOP_VALUE_ERROR &&
              is_error(&error, SSOP_OV_C5, -1, 3, 0, 0, 0),
          "ov_c5: two among the flags");
}

/* What the dialect itself says: begin is clamped before a reverse slice, and a shrunk entry's stride is not read. */
static void
test_dialect(void)
{
    const int64_t dim = 3;
    ssop_spec spec = {.count = 1, .begin = {-9}, .end = {-9}, .step = {-1}};
    ssop_region region;
    ssop_error error;
    CHECK(ssop_strided_slice_resolve(&spec, (ssop_shape){1, &dim}, &ssop_dialect_openvino, &region, NULL, &error) ==
                  SSOP_OK &&
              region.range[0].start == 0 && region.range[0].count == 1,
          "ov_s2: a begin below -dim is element 0");
    spec.begin[0] = 2;
    spec.flags[0] = SSOP_SHRINK;
    CHECK(ssop_strided_slice_resolve(&spec, (ssop_shape){1, &dim}, &ssop_dialect_openvino, &region, NULL, &error) ==
                  SSOP_OK &&
              region.range[0].start == 2 && region.out_rank == 0,
          "ov_s3: a shrunk entry");
}

int
main(void)
{
    test_lengths_and_bits();
    test_longest();
    test_rejections();
    test_strict();
    test_dialect();
    return check_report("test_openvino");
}
