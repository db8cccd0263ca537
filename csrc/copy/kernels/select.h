/* Template: selections, without a branch for each item: one that goes either way costs 15 to 20 cycles each time the
 * processor guesses wrong. The bytes of each item come from a pair of items by masks. Include once per CPU target;
 * if X is defined as its widest type of vector, with TARGET, X_select, X_store and X_put. */
#define select_kernel(size) JOIN(select_kernel, size)

/* An item of up to eight bytes. `bytes` is a constant in every call. */
INLINE void
select_one(char *dst, char pred, const char *on_true, const char *on_false, const size_t bytes)
{
    uint64_t a = 0, b = 0;
    memcpy(&a, on_true, bytes);
    memcpy(&b, on_false, bytes);
    b ^= (a ^ b) & (0 - (uint64_t)(pred != 0));
    memcpy(dst, &b, bytes);
}

#ifdef X
/* The last vector is moved back so that it ends with the items. `bytes` and `streams` are constants in every call. */
INLINE TARGET void
select_items(const ssop_selection *all, int64_t first, int64_t last, const int64_t bytes, const bool streams)
{
    const ssop_selection own = *all; /* which no store can change, as far as compilers know */
    const int64_t items = (int64_t)sizeof(X) / bytes;
    int64_t at = first;
    for (; at + items <= last; at += items) {
        X v = JOIN(X, select)(own.pred + at, own.on_true + at * bytes, own.on_false + at * bytes, bytes);
        JOIN(X, put)(own.dst + at * bytes, v, streams);
    }
    if (at < last && last - first >= items) {
        at = last - items;
        X v = JOIN(X, select)(own.pred + at, own.on_true + at * bytes, own.on_false + at * bytes, bytes);
        JOIN(X, store)(own.dst + at * bytes, v);
        at = last;
    }
    const size_t word = bytes < 8 ? (size_t)bytes : 8;
    for (int64_t from = at * bytes; from < last * bytes; from += (int64_t)word) {
        select_one(own.dst + from, own.pred[from / bytes], own.on_true + from, own.on_false + from, word);
    }
}

#define SELECT_KERNEL(size)                                                                                            \
    static TARGET void select_kernel(size)(const ssop_selection *all, int64_t first, int64_t last)                     \
    {                                                                                                                  \
        if (all->streams) {                                                                                            \
            select_items(all, first, last, size, true);                                                                \
        }                                                                                                              \
        else {                                                                                                         \
            select_items(all, first, last, size, false);                                                               \
        }                                                                                                              \
    }
#else
#define SELECT_KERNEL(size)                                                                                            \
    static void select_kernel(size)(const ssop_selection *all, int64_t first, int64_t last)                            \
    {                                                                                                                  \
        const int64_t word = size < 8 ? size : 8;                                                                      \
        for (int64_t from = first * size; from < last * size; from += word) {                                          \
            select_one(all->dst + from, all->pred[from / size], all->on_true + from, all->on_false + from,             \
                       (size_t)word);                                                                                  \
        }                                                                                                              \
    }
#endif

SELECT_KERNEL(1)
SELECT_KERNEL(2)
SELECT_KERNEL(4)
SELECT_KERNEL(8)
SELECT_KERNEL(16)

#define SELECT_KERNELS                                                                                                 \
    {                                                                                                                  \
        select_kernel(1), select_kernel(2), select_kernel(4), select_kernel(8), select_kernel(16)                      \
    }
