/* Template: interleaving of two to MAX_LINE_PLANES planes and its inverse, where one shuffle takes any bytes of two
 * vectors of a line: a line of each plane becomes as many lines of packed rows, or the other way round. Include from
 * interleave.h, for AVX-512 with VBMI, whose vectors and masks it uses. */

/* Where the bytes of line k of the destination come from: index[k][i] is for lines 2 * i and 2 * i + 1 of the source.
 * Only the bytes in `second` are taken with i = 1. */
typedef struct {
    vector index[MAX_LINE_PLANES][MAX_LINE_PLANES / 2];
    __mmask64 second[MAX_LINE_PLANES];
    int64_t pitch;   /* bytes from plane to plane */
    bool apart;      /* the planes are in the destination, not in the source */
    bool prefetches; /* the planes, which are in the source then */
} line_planes;

INLINE TARGET line_planes
load_line_planes(const ssop_tile *tile, const int32_t planes, const bool apart)
{
    const interleave_table *table = tile->table;
    line_planes all = {.pitch = apart ? tile->dst_row : tile->src_column,
                       .apart = apart,
                       .prefetches = !apart && (tile->policy & SSOP_PREFETCH_L2) != 0};
    for (int32_t k = 0; k < planes; k++) {
        all.second[k] = 0;
        for (int32_t p = 0; p < planes; p++) {
            const vector own = _mm512_loadu_si512(table->index + 64 * (k * planes + p));
            const __mmask64 mask = ~_mm512_movepi8_mask(own); /* 0x80: a byte of another line */
            vector *const index = &all.index[k][p / 2];
            *index = p % 2 == 0 ? own : _mm512_mask_add_epi8(*index, mask, own, _mm512_set1_epi8(64));
            all.second[k] |= p >= 2 ? mask : 0;
        }
    }
    return all;
}

/* Line k of the destination. */
INLINE TARGET vector
shuffled_line(const line_planes *all, int32_t k, const vector *v, const int32_t planes)
{
    const vector pair = _mm512_permutex2var_epi8(v[0], all->index[k][0], v[1]);
    if (planes == 3) {
        return _mm512_mask_permutexvar_epi8(pair, all->second[k], all->index[k][1], v[2]);
    }
    if (planes == 4) {
        return _mm512_mask_mov_epi8(pair, all->second[k], _mm512_permutex2var_epi8(v[2], all->index[k][1], v[3]));
    }
    return pair;
}

/* How many bytes line k has of what is left of each plane, if that is less than a line: 0 or less if it has none. */
INLINE int64_t
bytes_of_line(int64_t left, int32_t k, const int32_t planes, const bool of_plane)
{
    const int64_t bytes = of_plane ? left : left * planes - 64 * (int64_t)k;
    return bytes < 64 ? bytes : 64;
}

/* Copies bytes span.begin .. span.end - 1 of each plane. On the other side are packed rows. `planes` and
 * `streams` are constants in every call. */
INLINE TARGET void
copy_line_planes(char *dst, const char *src, const line_planes *all, plane_span span, const int32_t planes,
                 const bool streams)
{
    const bool apart = all->apart;
    const int64_t dst_line = apart ? all->pitch : 64, src_line = apart ? 64 : all->pitch;
    vector v[MAX_LINE_PLANES];
    int64_t at = span.begin;
    char *to = dst + at * (apart ? 1 : planes);
    const char *from = src + at * (apart ? planes : 1);
    for (; span.end - at >= 64; at += 64) {
        for (int32_t p = 0; p < planes; p++) {
            if (all->prefetches) {
                prefetch_l2(address_after(from, p * src_line + PLANE_PREFETCH_DISTANCE));
            }
            v[p] = load_vector(from + p * src_line);
        }
        for (int32_t k = 0; k < planes; k++) {
            x4_put(to + k * dst_line, shuffled_line(all, k, v, planes), streams);
        }
        to += apart ? 64 : 64 * planes;
        from += apart ? 64 * planes : 64;
    }
    if (at == span.end) {
        return;
    }
    for (int32_t p = 0; p < planes; p++) {
        const int64_t bytes = bytes_of_line(span.end - at, p, planes, !apart);
        v[p] = bytes > 0 ? load_bytes(from + p * src_line, bytes) : _mm512_setzero_si512();
    }
    for (int32_t k = 0; k < planes; k++) {
        const int64_t bytes = bytes_of_line(span.end - at, k, planes, apart);
        if (bytes > 0) {
            store_bytes(to + k * dst_line, shuffled_line(all, k, v, planes), bytes);
        }
    }
}

/* `planes` and `apart` are constants in every call. From byte `head` of each plane on, lines get non-temporal stores;
 * -1 for none. */
INLINE TARGET void
copy_all_line_planes(char *dst, const char *src, const ssop_tile *tile, const int32_t planes, int64_t head,
                     const bool apart)
{
    const line_planes all = load_line_planes(tile, planes, apart);
    const int64_t end = (apart ? tile->columns : tile->rows) * tile->item_bytes;
    if (head < 0) {
        copy_line_planes(dst, src, &all, (plane_span){0, end}, planes, false);
        return;
    }
    copy_line_planes(dst, src, &all, (plane_span){0, head}, planes, false);
    copy_line_planes(dst, src, &all, (plane_span){head, end}, planes, true);
}

NOINLINE TARGET void
copy_lines(char *dst, const char *src, const ssop_tile *tile, int64_t planes, int64_t head, const bool apart)
{
    switch (planes) {
    case 2:
        copy_all_line_planes(dst, src, tile, 2, head, apart);
        break;
    case 3:
        copy_all_line_planes(dst, src, tile, 3, head, apart);
        break;
    default:
        copy_all_line_planes(dst, src, tile, 4, head, apart);
    }
}
