/*
 * ssop: strided slices with the exact semantics of the machine-learning frameworks.
 *
 * The whole public interface; each part can also be included alone. Everything declared here is C11 that uses no
 * operating system, no heap and no abort, and has two globals, the chosen CPU target and the policies of the copy
 * engine. Functions take arrays and structs that the caller owns, and return a status. On failure they fill the
 * caller's error record, if one is given, and write nothing else but a trace. All functions but ssop_cpu_choose and
 * ssop_policies_use are safe to call from any number of threads at once.
 *
 * Words: an axis is a position in a shape, a dim is its length, and an entry is a position in a spec. A step is counted
 * in elements, a stride in bytes. But a `stride` that a framework's function has by this name is a step. Labels such as
 * ss_c5 are those of SPEC.md. */
#ifndef SSOP_SSOP_H
#define SSOP_SSOP_H

#include "rules.h"    /* status, rules, error record */
#include "slices.h"   /* ranges, regions, and the slices that resolve to them */
#include "views.h"    /* strided memory */
#include "xla.h"      /* XLA's other operations that only move data */
#include "partial.h"  /* shapes that are known in part */
#include "copying.h"  /* the copy engine */
#include "policies.h" /* the sizes by which it decides how a copy treats memory */

#endif /* SSOP_SSOP_H */
