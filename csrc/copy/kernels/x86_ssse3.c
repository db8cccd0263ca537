/* The kernels for SSSE3: vectors of 16 bytes and a byte shuffle. */
#include "tables.h"

#ifdef SSOP_X86
#define TARGET __attribute__((target("ssse3,prfchw")))
#include "x86.h"
#define stream_lane x1_stream
#include "line_of_lanes.h"
#include "lanes.h"
#include "single_lane.h"

#include "gaps.h"
#include "prefetch.h"
#include "rows.h"
#include "repeat_pattern.h"
#include "repeat.h"
#include "shuffle.h"
#include "dilate_vectors.h"
#define WIDE_X x1
#include "dilate_blocks.h"
#include "interleave.h"
#include "vector_sizes.h"
#define X x1
#include "select.h"

const kernel_table ssop_kernels_ssse3 = {
    .name = "ssse3",
    .feature = SSOP_CPU_SSSE3,
    .vector_bytes = VECTOR_BYTES,
    .streams = true,
    .lanes = 1,
    .kernel = {VECTOR_VARIANTS},
    .select = SELECT_KERNELS,
};

#endif
