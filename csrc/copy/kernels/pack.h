/* Template. Pack: items of 4, 8 or 16 bytes from afar, put together to 16 bytes before they are stored.
 * Include once per tier and item size, with TIER, TARGET, SIZE and JOIN(pack, SIZE)(from, stride), which makes a lane. */

/* Up to `count` items one by one. */
INLINE TARGET void
SIZED(pack_single)(char *to, const char *from, int64_t stride, int64_t count)
{
    for (int64_t item = 0; item < count; item++) {
        memcpy(to + item * SIZE, from + item * stride, SIZE);
        NOT_MEMCPY();
    }
}

/* Two lanes at a time; returns how many items are done. */
INLINE TARGET int64_t
SIZED(pack_pairs)(char *to, const char *from, int64_t stride, int64_t count, const bool stream)
{
    enum { ITEMS = 16 / SIZE, LINE_BYTES = 64 };
    const bool dense = stride <= LINE_BYTES && stride >= -LINE_BYTES;
    const int64_t ahead = stride < 0 ? -SPAN_AHEAD_BYTES : SPAN_AHEAD_BYTES;
    const int64_t span = 2 * ITEMS * (stride < 0 ? -stride : stride);
    int64_t done = 0;
    for (; done + 2 * ITEMS <= count; done += 2 * ITEMS) {
        lane a = JOIN(pack, SIZE)(from, stride), b = JOIN(pack, SIZE)(from + ITEMS * stride, stride);
        if (stream && dense) {
            KERNEL(prefetch_span)(address_after(from, ahead), span);
        }
        if (stream) {
            x1_stream(to, a);
            x1_stream(to + 16, b);
        }
        else {
            x1_store(to, a);
            x1_store(to + 16, b);
        }
        to += 32;
        from += 2 * ITEMS * stride;
    }
    return done;
}

static TARGET void
SIZED(pack_items)(char *dst, const char *src, const ssop_tile *tile)
{
    enum { FAR_STRIDE = 64 };
    const int64_t stride = tile->src_column;
    const bool stream = (tile->policy & SSOP_STREAM) != 0;
    if (!stream && (stride >= FAR_STRIDE || stride <= -FAR_STRIDE)) { /* the loads take longer than any store */
        ssop_kernels_portable.kernel[SSOP_PATTERN_STRIDED][kernel_size_column(SIZE)](dst, src, tile);
        return;
    }
    for (int64_t row = 0; row < tile->rows; row++) {
        char *to = dst + row * tile->dst_row;
        const char *from = src + row * tile->src_row;
        int64_t left = tile->columns, done = 0;
        if (stream && (uintptr_t)to % SIZE == 0) {
            int64_t head = (int64_t)(-(uintptr_t)to & 15) / SIZE;
            head = head < left ? head : left;
            SIZED(pack_single)(to, from, stride, head);
            done = head + SIZED(pack_pairs)(to + head * SIZE, from + head * stride, stride, left - head, true);
        }
        else {
            done = SIZED(pack_pairs)(to, from, stride, left, false);
        }
        SIZED(pack_single)(to + done * SIZE, from + done * stride, stride, left - done);
    }
    if (stream) {
        stream_end();
    }
}
