/* The size of the last-level cache of this machine. */
#ifndef SSOP_RUNTIME_CACHES_H
#define SSOP_RUNTIME_CACHES_H

#include <stdint.h>

/* The size in bytes that the system reports, which may be wrong; 0 if it reports none. */
int64_t ssop_caches_last_bytes(void);

/* The same, from the files under /sys only: the largest cache of the highest level of the first processor. `root` is
 * put before every path; it is "" except in tests. */
int64_t ssop_caches_listed_bytes(const char *root);

#endif /* SSOP_RUNTIME_CACHES_H */
