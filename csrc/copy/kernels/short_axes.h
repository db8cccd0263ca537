/* Template: tiles of several short axes (short_axes_table.h). Include once per CPU target, with ISA, TARGET and
 * copy32. */
#define stage_runs KERNEL(stage_runs)
#define copy_units KERNEL(copy_units)
#define short_axes_kernel KERNEL(short_axes)

/* Runs have at least 32 bytes. */
INLINE TARGET void
stage_runs(char *stage, const char *src, const short_axes_table *table)
{
    const int64_t bytes = table->run_bytes;
    for (int32_t part = 0; part < table->part_count; part++) {
        const char *from = src + table->part_src[part];
        for (int64_t at = 0; at + 32 < bytes; at += 32) {
            copy32(stage + at, from + at);
            NOT_MEMCPY();
        }
        copy32(stage + bytes - 32, from + bytes - 32);
        stage += bytes;
    }
}

INLINE TARGET void
copy_units(char *dst, const char *stage, const short_axes_table *table, const size_t size)
{
    for (int32_t row = 0; row < table->row_count; row++) {
        char *to = dst + table->row_dst[row];
        const char *from = stage + table->row_stage[row];
        const int32_t *at = table->column_stage, *const end = at + table->column_count;
        for (; end - at >= 4; at += 4) {
            memcpy(to, from + at[0], size);
            memcpy(to + size, from + at[1], size);
            memcpy(to + 2 * size, from + at[2], size);
            memcpy(to + 3 * size, from + at[3], size);
            to += 4 * size;
        }
        for (; at < end; at++) {
            memcpy(to, from + *at, size);
            to += size;
        }
    }
}

static TARGET void
short_axes_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    const short_axes_table *table = tile->table;
    char stage[MAX_SHORT_TILE_BYTES];
    stage_runs(stage, src + table->low, table);
    switch (table->unit_bytes) {
    case 1:
        copy_units(dst, stage, table, 1);
        break;
    case 2:
        copy_units(dst, stage, table, 2);
        break;
    case 4:
        copy_units(dst, stage, table, 4);
        break;
    case 8:
        copy_units(dst, stage, table, 8);
        break;
    default:
        copy_units(dst, stage, table, 16);
    }
}

#undef stage_runs
#undef copy_units
#undef short_axes_kernel
