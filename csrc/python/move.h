/* Items from one array to another, as bytes by the copy engine or through NumPy. */
#ifndef SSOP_PYTHON_MOVE_H
#define SSOP_PYTHON_MOVE_H

#include "private_view.h"

/* One side of a move: some of an array's items. */
typedef struct {
    const private_view *array;
    const ssop_view *items;
} move_side;

/* dst <- src, of the same shape and dtype, as if the source had been copied first (out_s2): where the two overlap, it
 * is. `hints`, here and below: what is known about the memory, or NULL. -1 on error. */
int move_items(move_side dst, move_side src, const ssop_hints *hints);

/* How move_items goes about it. */
typedef enum {
    MOVE_NOTHING,  /* items have no bytes, or each is its own source */
    MOVE_SMALL,    /* few bytes, without a nest */
    MOVE_NEST,     /* by the copy engine, if there are any bytes */
    MOVE_SHIFT,    /* within one array, each item before it is overwritten */
    MOVE_STAGED,   /* to a buffer first, because the two overlap */
    MOVE_BY_NUMPY, /* references or strings */
} move_way;

move_way move_way_of(move_side dst, move_side src);

/* The same for sides that share no memory. */
int move_apart(move_side dst, move_side src, const ssop_hints *hints);

/* dst <- `src` at `place`, and `fill` elsewhere, as in ssop_nest_dilate; for dtypes that move as bytes. They share no
 * memory. -1 on error. */
int move_dilated(const private_view *dst, const ssop_region *place, const ssop_view *src, const void *fill,
                 const ssop_hints *hints);

/* The same with zeros, for all dtypes: items that cannot be moved as bytes get NumPy's zero. */
int
move_over_zeros(const private_view *dst, const ssop_region *place, const private_view *src, const ssop_hints *hints);

/* A new C-ordered array with these items (out_s1). New reference. */
PyArrayObject *move_to_new(const private_view *array, const ssop_view *items);

#endif /* SSOP_PYTHON_MOVE_H */
