/* What dilate_vectors.h takes its table from, for CPU targets that read the table for every vector. Include with TARGET
 * and tables.h, before dilate_vector. */
typedef struct {
    const dilate_table *table;
} dilater;

INLINE TARGET void
load_dilater(dilater *all, const dilate_table *table, int32_t chunks)
{
    (void)chunks;
    all->table = table;
}
