/* How many processors this process may use. */
#ifndef SSOP_RUNTIME_PROCESSORS_H
#define SSOP_RUNTIME_PROCESSORS_H

/* Those of its affinity mask, but at most as many as the quotas of its control groups pay for; at least 1. */
int ssop_processors(void);

/* The quotas alone, in whole processors, rounded up: the least of the groups that /proc/self/cgroup names and of those they
 * are in; 0 if there is none. `root` stands before every path: "" but in tests. */
int ssop_processors_quota(const char *root);

#endif /* SSOP_RUNTIME_PROCESSORS_H */
