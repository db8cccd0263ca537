/* How many processors this process may use. */
#ifndef SSOP_RUNTIME_PROCESSORS_H
#define SSOP_RUNTIME_PROCESSORS_H

/* The processors of its affinity mask, but at most as many as the CPU quotas of its control groups allow; at least
 * 1. */
int ssop_processors(void);

/* The quotas alone, in processors, rounded up: the smallest of the groups that /proc/self/cgroup names and of their
 * parents; 0 if there is no quota. `root` is put before every path; it is "" except in tests. */
int ssop_processors_quota(const char *root);

#endif /* SSOP_RUNTIME_PROCESSORS_H */
