/* What could go wrong: an axis of the value is matched with the wrong axis of the slice, or the slice is broadcast
 * instead of the value. */
#include "check.h"

enum { MAX_RANK = 3, MAX_DIM = 3 };

/* The dims of number `code`, counted up in base MAX_DIM; returns the number after the last. */
static int
shape_of(int rank, int code, int64_t *dims)
{
    int count = 1;
    for (int axis = 0; axis < rank; axis++) {
        dims[axis] = code % MAX_DIM + 1;
        code /= MAX_DIM;
        count *= MAX_DIM;
    }
    return count;
}

/* as_c1, counted from the last axis: equal or 1, and nothing but 1 where the slice has no axis. */
static bool
fits(const ssop_view *value, int32_t rank, const int64_t *dims)
{
    bool right = true;
    for (int32_t back = 1; back <= value->rank; back++) {
        int64_t mine = value->dim[value->rank - back];
        right = right && (mine == 1 || (back <= rank && mine == dims[rank - back]));
    }
    return right;
}

static void
check_pair(const ssop_view *value, int32_t rank, const int64_t *dims)
{
    ssop_view out;
    ssop_error error = {.rule = SSOP_NO_RULE};
    bool right = fits(value, rank, dims);
    ssop_status status = ssop_view_broadcast(value, (ssop_shape){rank, dims}, &out, &error);
    CHECK((status == SSOP_OK) == right, "as_c1: rank %d to rank %d", value->rank, rank);
    CHECK(right ||
              (error.rule == SSOP_AS_C1 && ssop_view_broadcast(value, (ssop_shape){rank, dims}, &out, NULL) == status),
          "as_c1: record");
    for (int32_t axis = 0; right && axis < rank; axis++) { /* as_s1 */
        int32_t from = axis + value->rank - rank;
        bool repeats = from < 0 || value->dim[from] == 1;
        CHECK(out.dim[axis] == dims[axis] && out.stride[axis] == (repeats ? 0 : value->stride[from]), "as_s1: axis %d",
              axis);
    }
    CHECK(!right || (out.data == value->data && out.item_bytes == value->item_bytes && out.rank == rank), "as_s1");
}

int
main(void)
{
    static char memory[1];
    for (int value_rank = 0; value_rank <= MAX_RANK; value_rank++) {
        for (int rank = 0; rank <= MAX_RANK; rank++) {
            ssop_view value = {memory, 4, value_rank, {0}, {400, -40, 4}};
            int64_t dims[MAX_RANK];
            for (int v = 0, values = 1; v < values; v++) {
                values = shape_of(value_rank, v, value.dim);
                for (int d = 0, shapes = 1; d < shapes; d++) {
                    shapes = shape_of(rank, d, dims);
                    check_pair(&value, rank, dims);
                }
            }
        }
    }
    return check_report("test_broadcast");
}
