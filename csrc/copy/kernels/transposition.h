/* The sizes that choose_transposition.c and the kernels of transpositions share. */
#ifndef SSOP_COPY_TRANSPOSITION_H
#define SSOP_COPY_TRANSPOSITION_H

/* The staging buffer has STAGE_BYTES for some bytes of each of some columns; copy_to_stage knows these
 * (record stage-lengths). */
enum { STAGE_BYTES = 16 * 1024, LONG_STAGE = 256, MIDDLE_STAGE = 128, WIDE_STAGE = 64 };

/* COLLECTED_BYTES of each of COLLECTED_ROWS rows are collected before whole lines of them are written with non-temporal
 * stores (record collected-transposes); items of less than MIN_COLLECTED_ITEM bytes only if there are no more rows
 * (record collected-small-items). */
#define MIN_COLLECTED_ITEM 4
enum { COLLECTED_BYTES = 256, COLLECTED_ROWS = 128 };

/* Joined rows are collected in a buffer of JOINED_BYTES, in blocks of rows that have JOINED_PIECE bytes of each column
 * of the source, or FEW_PIECE bytes of each of up to MAX_FEW_COLUMNS, but at least a line of each
 * (record joined-blocks). */
enum { JOINED_BYTES = 64 * 1024, JOINED_PIECE = 1024, FEW_PIECE = 512, MAX_FEW_COLUMNS = 32 };

/* Of items of MIN_LINE_ITEM bytes and more, vectors of less than a line get non-temporal stores too, because all lines
 * of the rows of a tile, eight at most, can wait in write-combining buffers until they are whole (record line-buffers).
 * Of MIN_UNSTAGED_ITEM bytes and more, items that get such stores are not staged where columns collide
 * (record unstaged-items). */
#define MIN_LINE_ITEM 2
#define MIN_UNSTAGED_ITEM 4

#endif /* SSOP_COPY_TRANSPOSITION_H */
