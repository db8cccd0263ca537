/* Chooses what a copy does about memory: prefetch, non-temporal stores, rep movsb, and the order of its loops. */
#include "nest.h"

#include "kernels/tables.h"

/* rep movsb, if the rows are long enough for it and are not copied in blocks, the copy is not too large, and the pages
 * that it writes have been touched or are few. A copy of such rows touches about twice its bytes. */
static unsigned
choose_rep_movsb(const ssop_nest *nest, const ssop_policies *policies, bool fresh_dst, int64_t whole)
{
    int64_t row_bytes = policies->rep_movsb_row_bytes;
    bool rows = nest->pattern == SSOP_PATTERN_ROWS && row_bytes > 0 && nest->kernel_item_bytes >= row_bytes &&
                !nest_repeats_long_rows(nest);
    bool fits = whole < policies->rep_movsb_bytes / 2 && (!fresh_dst || whole <= policies->rep_movsb_fresh_bytes);
    return rows && fits ? (unsigned)SSOP_REP_MOVSB : 0u;
}

/* The shortest stride of the source from item to item of the kernel; 0 if there is one item. */
static int64_t
nearest_stride(const ssop_nest *nest)
{
    const int32_t inner = nest_inner_axis(nest);
    int64_t nearest = inner < 0 ? 0 : (int64_t)magnitude(nest->src_stride[inner]);
    for (int32_t axis = 0; axis < inner; axis++) {
        const int64_t stride = (int64_t)magnitude(nest->src_stride[axis]);
        nearest = stride < nearest ? stride : nearest;
    }
    return nearest;
}

/* About how many bytes of memory are read and written. Of the source, whole lines count, because those are read; where
 * the kernel uses all of their bytes, or the items of another axis lie in the same lines, that is nothing more. */
static int64_t
count_touched_bytes(const ssop_nest *nest, int64_t bytes)
{
    int64_t item = nest->kernel_item_bytes, touched = item;
    if (nest->dilates || nest->pattern == SSOP_PATTERN_REPEAT || nest_repeats_long_rows(nest)) {
        return bytes;
    }
    const bool planes = nest->pattern == SSOP_PATTERN_INTERLEAVE || nest->pattern == SSOP_PATTERN_DEINTERLEAVE;
    const bool uses_lines_up =
        planes || nest->pattern == SSOP_PATTERN_TRANSPOSE || nest->pattern == SSOP_PATTERN_SHORT_AXES;
    const int64_t stride = nearest_stride(nest);
    if (!uses_lines_up && stride > item) {
        touched = stride < LINE_BYTES ? stride : item + LINE_BYTES;
    }
    return bytes + bytes / item * touched;
}

/* True if the source is short rows, each in a page of its own. */
static bool
has_far_short_rows(const ssop_nest *nest, const ssop_policies *policies)
{
    return nest->pattern == SSOP_PATTERN_ROWS && nest->column_axis >= 0 &&
           nest->kernel_item_bytes < policies->far_row_bytes &&
           magnitude(nest->src_stride[nest->column_axis]) >= PAGE_BYTES;
}

/* True if the source is read in pieces far apart: columns of a transposition, the runs of a tile of several axes, short
 * planes that are interleaved, and rows with a line between them. */
static bool
reads_far_apart(const ssop_nest *nest)
{
    if (nest->pattern == SSOP_PATTERN_INTERLEAVE) {
        return nest->kernel_item_bytes * nest->count[nest->row_axis] <= PLANE_PREFETCH_DISTANCE;
    }
    if (nest->pattern != SSOP_PATTERN_ROWS || nest->column_axis < 0) {
        return nest->pattern == SSOP_PATTERN_TRANSPOSE || nest->pattern == SSOP_PATTERN_SHORT_AXES;
    }
    const int64_t row_bytes = nest->kernel_item_bytes;
    return row_bytes >= LINE_BYTES && (int64_t)magnitude(nest->src_stride[nest->column_axis]) >= row_bytes + LINE_BYTES;
}

/* True if `bytes` reaches a size from which on something is done; it is never done if that is 0. */
static bool
reaches(int64_t bytes, int64_t size)
{
    return size > 0 && bytes >= size;
}

/* The bytes that a call writes, of which the copy may be a part. */
static int64_t
count_written_bytes(const ssop_nest *nest, const ssop_hints *hints)
{
    const int64_t own = nest->bytes, given = hints != NULL ? hints->whole_bytes : 0;
    return own > given ? own : given;
}

/* A copy touches at least what it writes, and as much again of its source. */
bool
ssop_nest_comes_from_memory(const ssop_nest *nest, const ssop_hints *hints)
{
    const ssop_policies *policies = ssop_policies_used();
    const int64_t touched = 2 * count_written_bytes(nest, hints);
    return reaches(touched, policies->stream_bytes) || reaches(touched, policies->prefetch_bytes);
}

/* True if rows of SSOP_PATTERN_ROWS along this axis become whole lines of the destination in the order of the source,
 * too: each is some of them, or each begins at the end of the one before (joined_rows.h). Joined rows that are no whole
 * lines are written in the order of the destination in two cases: they are whole lanes from such an address, or they
 * come from at most MAX_STREAMS places, which can all be read at the same time (record source-order-lines). */
static bool
makes_lines(const ssop_nest *nest, int32_t axis)
{
    enum { MAX_STREAMS = 16 };
    const int64_t row_bytes = nest->kernel_item_bytes;
    const bool joined = nest->dst_stride[axis] == row_bytes && row_bytes >= LINE_BYTES;
    bool lines = row_bytes % LINE_BYTES == 0;
    for (int32_t outer = 0; outer <= axis; outer++) {
        lines = lines && nest->dst_stride[outer] % LINE_BYTES == 0;
    }
    if (lines) {
        return joined || (uintptr_t)nest->dst % LINE_BYTES == 0;
    }
    return joined && row_bytes % LANE_BYTES != 0 && nest->count[axis] > MAX_STREAMS;
}

/* Rows of less than MAX_ROW_BYTES that become whole lines are read from front to back: the loop with the shortest
 * stride in the source becomes the inner one of the kernel, and the inner one of the destination the other. Longer rows
 * are better written in the order of the destination (record rows-in-source-order). */
void
ssop_nest_read_rows_in_order(ssop_nest *nest, const ssop_hints *hints)
{
    enum { MAX_ROW_BYTES = MIN_STREAM_BYTES };
    const int64_t written = count_written_bytes(nest, hints);
    const int32_t column = nest->column_axis;
    const bool fresh_dst = hints != NULL && hints->fresh_dst;
    int32_t nearest = column;
    for (int32_t axis = 0; axis <= column; axis++) {
        bool nearer = magnitude(nest->src_stride[axis]) < magnitude(nest->src_stride[nearest]);
        nearest = nearer ? axis : nearest;
    }
    if (nearest != column && nest->kernel_item_bytes < MAX_ROW_BYTES && ssop_kernels()->streams && !fresh_dst &&
        reaches(2 * written, ssop_policies_used()->stream_bytes) && makes_lines(nest, column)) {
        nest->row_axis = column;
        nest->column_axis = nearest;
    }
}

/* writes_lines for transpositions. If rows are joined, a tile is one block of the destination. A tile of more than
 * MAX_COLLECTED_BYTES is collected in a buffer and written as whole lines, wherever it begins; of a smaller block, the
 * lines at its ends would be a good part (record transposed-lines). ssop_nest_collects has several of those collected
 * together.
 *
 * Without AVX-512, bytes are transposed in tiles of 16 rows of parts of lines, so blocks whose rows are whole lines are
 * collected, too (record transposed-byte-lines). */
static bool
writes_transposed_lines(const ssop_nest *nest)
{
    const int32_t row = nest->row_axis;
    const int64_t item = nest->kernel_item_bytes, row_bytes = item * nest->count[nest->column_axis];
    const uintptr_t places = (uintptr_t)nest->dst | (uintptr_t)nest->dst_stride[row];
    if (nest->dst_stride[row] != row_bytes) {
        return rows_have_lines(places, row_bytes);
    }
    if (nest->count[row] * row_bytes <= MAX_COLLECTED_BYTES) {
        return places % LINE_BYTES == 0;
    }
    return rows_have_lines(places, row_bytes) || (nest->src_stride[row] > 0 && item < LANE_BYTES);
}

/* writes_lines for rows that are shuffled or packed. In shorter rows than MIN_LONG_ROW_BYTES, the lines that two rows
 * share cost more than non-temporal stores gain (record shuffled-lines). */
static bool
writes_shuffled_lines(const ssop_nest *nest)
{
    enum { MIN_LONG_ROW_BYTES = 8192 };
    const int32_t row = nest->row_axis;
    const int64_t row_bytes = nest->kernel_item_bytes * nest->count[nest->column_axis];
    const uintptr_t pitch = row < 0 ? 0 : (uintptr_t)nest->dst_stride[row];
    return ((uintptr_t)nest->dst | pitch | (uintptr_t)row_bytes) % LINE_BYTES == 0 || row_bytes >= MIN_LONG_ROW_BYTES;
}

/* True if a kernel that has non-temporal stores writes whole lines, for which they are made. What lies before the first
 * and behind the last line of a row gets regular stores. Dilations never have them, but what they fill between rows is
 * written by another kernel. */
static bool
writes_lines(const ssop_nest *nest)
{
    const int32_t column = nest->column_axis, row = nest->row_axis;
    const int64_t item = nest->kernel_item_bytes, dst_column = column < 0 ? 0 : nest->dst_stride[column];
    const int64_t columns = column < 0 ? 1 : nest->count[column];
    const uintptr_t rows = (uintptr_t)nest->dst | (uintptr_t)(row < 0 ? 0 : nest->dst_stride[row]);
    const uintptr_t items = rows | (uintptr_t)dst_column | (uintptr_t)item;
    switch ((ssop_pattern)nest->pattern) {
    case SSOP_PATTERN_ROWS:
        return item >= MIN_STREAM_BYTES || nest_has_joined_rows(nest) ||
               items % (dst_column == item ? LANE_BYTES : LINE_BYTES) == 0;
    case SSOP_PATTERN_SHUFFLE:
        return nest->vector_bytes % item == 0 && writes_shuffled_lines(nest);
    case SSOP_PATTERN_TRANSPOSE:
        return writes_transposed_lines(nest);
    case SSOP_PATTERN_PACK:
        return writes_shuffled_lines(nest);
    case SSOP_PATTERN_REPEAT:
        return item * columns >= MIN_STREAM_BYTES;
    case SSOP_PATTERN_INTERLEAVE:
        return true;
    case SSOP_PATTERN_DEINTERLEAVE:
        return nest->dst_stride[row] % LINE_BYTES == 0 && rows_have_lines(rows, item * columns);
    default:
        return nest->dilates;
    }
}

/* True if tiles are copied in the order of the source, if their stores are non-temporal: transpositions, and rows that
 * ssop_nest_read_rows_in_order found. Transpositions in shorter rows than a line have regular stores, and the rows that
 * share a line follow each other only in the order of the destination (record transposed-order). */
static bool
follows_source(const ssop_nest *nest)
{
    bool rows = nest->pattern == SSOP_PATTERN_ROWS && nest->row_axis > nest->column_axis;
    return (rows || nest->pattern == SSOP_PATTERN_TRANSPOSE) && nest->kernels->streams;
}

/* What is done for a copy by the number of bytes that it touches, together with the copies that belong to it: they
 * share the caches (record whole-bytes). There are four exceptions:
 * - Fills (SSOP_PATTERN_REPEAT) prefetch what they write only where other copies prefetch their source.
 * - Pages that were never written get regular stores: the system has just cleared them, so they are in the caches
 *   (record fresh-pages).
 * - Short rows far apart get none of it.
 * - Tiles of several axes prefetch their source only where far_tiles says so (policies.c).
 *
 * What gets non-temporal stores is not prefetched for writing, which would first read the lines
 * (record streamed-prefetch). */
static unsigned
choose_policy(const ssop_nest *nest, const ssop_hints *hints)
{
    enum { MAX_TOUCHED_PER_BYTE = 66 }; /* an item of one byte: 1 + 64 bytes are read, at most, and 1 is written */
    const ssop_policies *policies = ssop_policies_used();
    const int64_t bytes = count_written_bytes(nest, hints), most = bytes * MAX_TOUCHED_PER_BYTE;
    bool fresh_dst = hints != NULL && hints->fresh_dst;
    unsigned rep_movsb = choose_rep_movsb(nest, policies, fresh_dst, bytes);
    bool small = !reaches(most, policies->prefetch_bytes) && !reaches(most, policies->prefetchw_bytes) &&
                 !reaches(most, policies->stream_bytes);
    const bool strips = nest->pattern == SSOP_PATTERN_TRANSPOSE && reaches(nest->bytes, policies->strip_bytes);
    if (nest->pattern == SSOP_PATTERN_ZERO || small || rep_movsb != 0) {
        return strips ? SSOP_STRIPS : rep_movsb;
    }
    int64_t touched = count_touched_bytes(nest, bytes);
    if (has_far_short_rows(nest, policies)) {
        return 0;
    }
    const bool may_read_ahead = nest->pattern != SSOP_PATTERN_SHORT_AXES || policies->far_tiles != 0;
    bool reads = may_read_ahead && reaches(touched, policies->prefetch_bytes);
    const bool past_caches = reaches(touched, policies->stream_bytes) && !fresh_dst;
    const bool collects = past_caches && ssop_nest_collects(nest);
    bool streams = past_caches && !collects && writes_lines(nest);
    bool writes = reaches(touched, policies->prefetchw_bytes) && (reads || nest->pattern != SSOP_PATTERN_REPEAT) &&
                  ((!streams && !collects) || nest->dilates);
    bool source_order = streams && follows_source(nest);
    bool l2 = policies->l2_prefetch != 0 && (collects || ((reads || streams) && reads_far_apart(nest)));
    if (strips && !reads && !writes && !streams) {
        return SSOP_STRIPS;
    }
    return (l2 ? (unsigned)SSOP_PREFETCH_L2 : 0u) | (reads ? (unsigned)SSOP_PREFETCH : 0u) |
           (writes ? (unsigned)SSOP_PREFETCH_WRITE : 0u) | (streams ? (unsigned)SSOP_STREAM : 0u) |
           (collects ? (unsigned)SSOP_COLLECT : 0u) | (source_order ? (unsigned)SSOP_SOURCE_ORDER : 0u);
}

void
ssop_nest_choose_policy(ssop_nest *nest, const ssop_hints *hints)
{
    const kernel_table *kernels = nest->kernels;
    nest->policy = choose_policy(nest, hints);
    const bool planes = nest->pattern == SSOP_PATTERN_INTERLEAVE || nest->pattern == SSOP_PATTERN_DEINTERLEAVE;
    const bool few = planes && nest_has_few_bytes(nest);
    if (((nest->policy & SSOP_COLLECT) != 0 || few) && kernels->shorter != NULL) {
        kernels = kernels->shorter;
    }
    nest->used = kernels;
    ssop_nest_choose(nest);
}
