/* How large the last cache of this machine is. */
#ifndef SSOP_RUNTIME_CACHES_H
#define SSOP_RUNTIME_CACHES_H

#include <stdint.h>

/* In bytes, as the system tells it, which need not be the truth; 0 if it does not. */
int64_t ssop_caches_last_bytes(void);

/* The same by the files under /sys alone: of the first processor's caches of the highest level the largest. `root` stands
 * before every path: "" but in tests. */
int64_t ssop_caches_listed_bytes(const char *root);

#endif /* SSOP_RUNTIME_CACHES_H */
