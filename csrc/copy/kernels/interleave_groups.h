/* Template: interleaving, or its inverse, with vectors of one type. A group is 16 bytes of each plane in each lane of
 * X, and as many vectors of packed rows: each byte of a vector of one side is chosen from one vector of the other by a
 * byte shuffle. Include from interleave_planes.h, once per type of vector, with TARGET, tables.h, prefetch_l2,
 * plane_span, PLANES, APART and X, the type, which has these functions:
 * - X_load_near and X_put load and store X_lanes lanes that are next to each other.
 * - X_load and X_store_apart do so at places so many bytes apart.
 * - X_shuffle moves the bytes within each lane; X_or combines two vectors.
 * Stores are non-temporal if their last argument is true. */
#define copy_groups PLANES(JOIN(groups, X))
#define x_load JOIN(X, load)
#define x_load_near JOIN(X, load_near)
#define x_shuffle JOIN(X, shuffle)
#define x_or JOIN(X, or)
#define x_store_apart JOIN(X, store_apart)
#define x_put JOIN(X, put)

#if !(APART && defined(SHORT_ROW_KERNELS)) /* rows are prefetched if planes are collected, by kernels that do that */
#define PREFETCHES
#endif

/* Copies as many groups as fit into a span of the planes; returns where they end. */
INLINE TARGET int64_t
copy_groups(char *dst, const char *src, const ssop_tile *tile, plane_span span, const int32_t planes,
            const bool streams)
{
    enum { GROUP_BYTES = 16 * JOIN(X, lanes) };
    const int64_t pitch = APART ? tile->dst_row : tile->src_column;
    const interleave_table *table = tile->table;
#ifdef PREFETCHES
    const bool prefetches = (tile->policy & SSOP_PREFETCH_L2) != 0;
#endif
    lane index[MAX_PLANES * MAX_PLANES]; /* in registers, if they are few */
    for (int32_t k = 0; k < planes * planes; k++) {
        index[k] = load_lane((const char *)table->index + 16 * k);
    }
    int64_t at = span.begin;
    for (; span.end - at >= GROUP_BYTES; at += GROUP_BYTES) {
        X v[MAX_PLANES];
#if defined(PREFETCHES) && APART
        for (int64_t byte = 0; prefetches && byte < GROUP_BYTES * planes; byte += 64) {
            prefetch_l2(address_after(src, at * planes + tile->policies->row_prefetch_distance + byte));
        }
#elif defined(PREFETCHES)
        for (int32_t p = 0; prefetches && p < planes; p++) {
            prefetch_l2(address_after(src, p * pitch + at + PLANE_PREFETCH_DISTANCE));
        }
#endif
        for (int32_t p = 0; p < planes; p++) {
            v[p] = APART ? x_load(src + at * planes + 16 * p, 16 * planes) : x_load_near(src + p * pitch + at);
        }
        for (int32_t k = 0; k < planes; k++) {
            X out = x_shuffle(v[0], index[k * planes]);
            for (int32_t p = 1; p < planes; p++) {
                out = x_or(out, x_shuffle(v[p], index[k * planes + p]));
            }
            if (APART) {
                x_put(dst + k * pitch + at, out, streams);
            }
            else {
                x_store_apart(dst + at * planes + 16 * k, out, 16 * planes, streams);
            }
        }
    }
    return at;
}

#undef PREFETCHES
#undef copy_groups
#undef x_load
#undef x_load_near
#undef x_shuffle
#undef x_or
#undef x_store_apart
#undef x_put
