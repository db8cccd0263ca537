/* The variants by name, which of them fit a tile, and one that is taken wherever it fits: for explanations, tests and
 * measurements. */
#include "nest.h"

#include "../core/text.h"

static const ssop_variant_text texts[SSOP_VARIANT_COUNT] = {
#define VARIANT(name, pattern, text, about, when) {text, #pattern, about, when},
#include "variants.def"
#undef VARIANT
};

static const ssop_pattern patterns[SSOP_VARIANT_COUNT] = {
#define VARIANT(name, pattern, text, about, when) SSOP_PATTERN_##pattern,
#include "variants.def"
#undef VARIANT
};

int32_t ssop_variant_forced = -1;

bool
ssop_variant_at(int32_t at, ssop_variant_text *text)
{
    if (at < 0 || at >= SSOP_VARIANT_COUNT) {
        return false;
    }
    *text = texts[at];
    return true;
}

bool
ssop_variant_force(const char *name)
{
    if (name == NULL) {
        ssop_variant_forced = -1;
        return true;
    }
    for (int32_t at = 0; at < SSOP_VARIANT_COUNT; at++) {
        if (is_same_text(texts[at].name, name)) {
            ssop_variant_forced = at;
            return true;
        }
    }
    return false;
}

ssop_pattern
ssop_variant_pattern(ssop_variant variant)
{
    return patterns[variant];
}

/* The loops over items need kernels of their size, and what they are for. */
static bool
items_fit(ssop_variant variant, const ssop_tile *tile)
{
    switch (variant) {
    case SSOP_VARIANT_ITEMS:
        return true;
    case SSOP_VARIANT_ITEMS_SCATTERED:
        return tile->src_column == tile->item_bytes;
    case SSOP_VARIANT_ITEMS_REPEATED:
        return tile->src_column == 0;
    case SSOP_VARIANT_SHORT_ROWS:
        return is_short_row(tile->columns);
    case SSOP_VARIANT_SHORT_COLUMNS:
        return is_short_row(tile->rows);
    case SSOP_VARIANT_PACK:
        return tile->dst_column == tile->item_bytes;
    case SSOP_VARIANT_PACK_STREAMED:
        return tile->dst_column == tile->item_bytes && (tile->policy & SSOP_STREAM) != 0;
    default:
        return false;
    }
}

/* True if a variant copies a tile; then it is the choice. */
bool
ssop_variant_fits(ssop_choice *choice, ssop_variant variant, const ssop_nest *nest, const char *dst,
                  const ssop_tile *tile)
{
    const kernel_table *used = nest->used;
    const bool transposes = nest->pattern == SSOP_PATTERN_TRANSPOSE;
    if (transposes && !has_variant(used, variant, tile->item_bytes) && used->shorter != NULL) {
        used = used->shorter;
    }
    used = kernels_with(used, variant, tile->item_bytes);
    if (!nest_has_variants(nest) || !has_kernel_size(tile->item_bytes) ||
        !has_variant(used, variant, tile->item_bytes)) {
        return false;
    }
    if (patterns[variant] == SSOP_PATTERN_TRANSPOSE
            ? !transposes || !ssop_transposition_fits(&choice->transposition, variant, used, dst, tile)
            : transposes || !items_fit(variant, tile)) {
        return false;
    }
    *choice = (ssop_choice){variant, used, used->kernel[variant][kernel_size_column(tile->item_bytes)],
                            choice->transposition};
    return true;
}

void
ssop_force(ssop_choice *choice, const ssop_nest *nest, const char *dst, const ssop_tile *tile)
{
    ssop_choice other;
    if (ssop_variant_fits(&other, (ssop_variant)ssop_variant_forced, nest, dst, tile)) {
        *choice = other;
    }
}
