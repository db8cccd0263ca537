/* Long copies: without the GIL, shared among threads, and interruptible by Ctrl-C (th_s1, th_s2). */
#ifndef SSOP_PYTHON_RUN_H
#define SSOP_PYTHON_RUN_H

#include "compat.h"

/* Runs all of a nest, of parts, or of a selection. -1 if a signal handler raised. */
int run_nest(const ssop_nest *nest);
int run_parts(const ssop_parts *parts);
int run_selection(const ssop_selection *selection);

/* How many threads run_nest would use at most, and how many steps make up a piece. */
int run_nest_threads(const ssop_nest *nest, int64_t *piece);

/* Runs a copy within one array. -1 if a signal handler raised: then a part is copied, and the rest is as before. */
int run_shift(const ssop_shift *shift);

#endif /* SSOP_PYTHON_RUN_H */
