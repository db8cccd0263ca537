/* Template: items of 4, 8 or 16 bytes that lie far apart are collected into vectors of 16 bytes (lanes), which are
 * stored. Include once per CPU target and item size, with TARGET, SIZE, prefetch.h, rows.h and pack_<SIZE>(from,
 * stride), which loads the items of one lane; and with store_pair(to, a, b), if the target has one store for two
 * lanes. */
#ifndef store_pair
#define store_pair(to, a, b) (x1_store(to, a), x1_store((to) + 16, b))
#endif
#define pack_lane JOIN(pack, SIZE)
#define pack_single SIZED(pack_single)
#define pack_pair SIZED(pack_pair)
#define pack_pairs SIZED(pack_pairs)
#define pack_items SIZED(pack_items)
#define pack_streamed SIZED(pack_streamed)

/* Copies `count` items one by one. */
INLINE TARGET void
pack_single(char *to, const char *from, int64_t stride, int64_t count)
{
    for (int64_t item = 0; item < count; item++) {
        memcpy(to + item * SIZE, from + item * stride, SIZE);
        NOT_MEMCPY();
    }
}

INLINE TARGET void
pack_pair(char *to, const char *from, int64_t stride, const bool stream)
{
    enum { ITEMS = 16 / SIZE };
    lane a = pack_lane(from, stride), b = pack_lane(from + ITEMS * stride, stride);
    if (stream) {
        x1_stream(to, a);
        x1_stream(to + 16, b);
    }
    else {
        store_pair(to, a, b);
    }
}

/* Copies two lanes at a time, as many as there are; returns how many items that was. Prefetches `distance` bytes away,
 * unless that is 0. */
INLINE TARGET int64_t
pack_pairs(char *to, const char *from, int64_t stride, int64_t count, int64_t distance, const bool stream)
{
    enum { PAIR = 32 / SIZE, LINE = LINE_BYTES / SIZE }; /* PAIR and LINE: items of the destination */
    /* Strides of at most a line: every line of the source is read, so a contiguous span is prefetched. SSOP_PREFETCH is
     * not tested: this kernel prefetches only with non-temporal stores. */
    const bool every_line = (stride <= LINE_BYTES) & (stride >= -LINE_BYTES);
    const int64_t ahead = distance + (stride < 0 ? (LINE - 1) * stride : 0);
    const int64_t span = LINE * (stride < 0 ? -stride : stride); /* magnitude() makes longer code here */
    int64_t left = count;
    for (; left >= LINE; left -= LINE) {
        if (stream & every_line & (distance != 0)) {
            prefetch_span(address_after(from, ahead), span);
        }
        pack_pair(to, from, stride, stream);
        from += PAIR * stride;
        pack_pair(to + 32, from, stride, stream);
        from += PAIR * stride;
        to += 64;
    }
    if (left >= PAIR) {
        pack_pair(to, from, stride, stream);
        left -= PAIR;
    }
    return count - left;
}

/* Non-temporal stores are for items at multiples of their size, and begin at one that is a multiple of a lane. */
static TARGET void
pack_streamed(char *dst, const char *src, const ssop_tile *tile)
{
    const int64_t stride = tile->src_column;
    const int64_t extent = (tile->columns - 1) * (stride < 0 ? -stride : stride) + SIZE;
    const int64_t distance = span_distance(tile, extent);
    for (int64_t row = 0; row < tile->rows; row++) {
        char *to = dst + row * tile->dst_row;
        const char *from = src + row * tile->src_row;
        int64_t left = tile->columns, done = 0;
        if ((uintptr_t)to % SIZE == 0) {
            int64_t head = (int64_t)(-(uintptr_t)to & 15) / SIZE;
            head = head < left ? head : left;
            pack_single(to, from, stride, head);
            done = head + pack_pairs(to + head * SIZE, from + head * stride, stride, left - head, distance, true);
        }
        else {
            done = pack_pairs(to, from, stride, left, 0, false);
        }
        pack_single(to + done * SIZE, from + done * stride, stride, left - done);
    }
}

/* Rows of MIN_ALIGNED items of 16 bytes or more begin with one that aligns the stores of two
 * (record pack-aligned-stores). Shorter rows, and smaller items, lose more by the test than they gain. */
static TARGET void
pack_items(char *dst, const char *src, const ssop_tile *tile)
{
    enum { MIN_ALIGNED = 64 };
    const int64_t stride = tile->src_column;
    const bool aligns = tile->columns >= MIN_ALIGNED;
    for (int64_t row = 0; row < tile->rows; row++) {
        char *to = dst + row * tile->dst_row;
        const char *from = src + row * tile->src_row;
        int64_t left = tile->columns, done = 0;
        if (SIZE == 16 && aligns && (uintptr_t)to % 32 == SIZE) {
            pack_single(to, from, stride, 1);
            done = 1 + pack_pairs(to + SIZE, from + stride, stride, left - 1, 0, false);
        }
        else {
            done = pack_pairs(to, from, stride, left, 0, false);
        }
        pack_single(to + done * SIZE, from + done * stride, stride, left - done);
    }
}

#undef pack_lane
#undef pack_single
#undef pack_pair
#undef pack_pairs
#undef pack_items
#undef pack_streamed
