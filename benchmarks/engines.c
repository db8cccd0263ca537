/* What benchmarks/engines.py calls in each engine, compiled with the headers of its own tree. */
#include <string.h>
#include <time.h>

#include "copy/nest.h"
#include "include/ssop/policies.h"

#define VISIBLE __attribute__((visibility("default")))

static double
now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Chooses the CPU target; NULL for the best. */
VISIBLE int
engine_begin(const char *target)
{
    return ssop_cpu_choose(target);
}

/* The seconds that `rounds` copies take on one thread, each with a nest of its own. */
VISIBLE double
engine_seconds(int rank, const int64_t *dims, int64_t item, char *dst, const int64_t *to, char *src,
               const int64_t *from, int rounds)
{
    ssop_view out = {dst, item, rank, {0}, {0}}, in = {src, item, rank, {0}, {0}};
    memcpy(out.dim, dims, (size_t)rank * sizeof *dims);
    memcpy(in.dim, dims, (size_t)rank * sizeof *dims);
    memcpy(out.stride, to, (size_t)rank * sizeof *to);
    memcpy(in.stride, from, (size_t)rank * sizeof *from);
    const double start = now();
    for (int round = 0; round < rounds; round++) {
        ssop_nest nest;
        ssop_nest_copy(&nest, &out, &in, NULL);
        ssop_nest_execute(&nest, 0, ssop_nest_steps(&nest));
    }
    return (now() - start) / rounds;
}
