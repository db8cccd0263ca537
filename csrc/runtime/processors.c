/* Reads the affinity mask, and the CPU quotas of control groups of version 1 and 2. */
#include "platform.h"

#include "processors.h"

#if !SSOP_HAS_PROC

int
ssop_processors_quota(const char *root)
{
    (void)root;
    return 0;
}

#else

#include <stdio.h>
#include <string.h>

/* PATH_BYTES is the longest path that Linux accepts. Counts above MAX_PROCESSORS are cut, so that they fit into an
 * int. */
enum { PATH_BYTES = 4096, MAX_PROCESSORS = 1 << 20 };

/* Reads up to two numbers from a file of a group; returns how many there were. The word "max" is not a number. */
static int
read_numbers(const char *group, const char *file, long long numbers[2])
{
    char path[PATH_BYTES + 64];
    snprintf(path, sizeof path, "%s/%s", group, file);
    FILE *stream = fopen(path, "r");
    if (stream == NULL) {
        return 0;
    }
    int count = fscanf(stream, "%lld %lld", &numbers[0], &numbers[1]);
    fclose(stream);
    return count;
}

/* The quota of one group, in processors; 0 if it has none. */
static int
quota_of(const char *group, bool second_version)
{
    long long numbers[2], quota, period;
    if (second_version) {
        if (read_numbers(group, "cpu.max", numbers) != 2) {
            return 0;
        }
        quota = numbers[0];
        period = numbers[1];
    }
    else {
        if (read_numbers(group, "cpu.cfs_quota_us", numbers) < 1) {
            return 0;
        }
        quota = numbers[0]; /* -1: no quota */
        if (read_numbers(group, "cpu.cfs_period_us", numbers) < 1) {
            return 0;
        }
        period = numbers[0];
    }
    if (quota <= 0 || period <= 0) {
        return 0;
    }
    long long processors = (quota - 1) / period + 1;
    return processors < MAX_PROCESSORS ? (int)processors : MAX_PROCESSORS;
}

/* The smallest quota of a group and of its parents, up to the root of the tree, whose name has `top` bytes. Groups that
 * cannot be seen from inside a container count as having none. */
static int
smallest_quota(char *group, size_t top, bool second_version)
{
    int smallest = 0;
    for (;;) {
        int quota = quota_of(group, second_version);
        smallest = quota > 0 && (smallest == 0 || quota < smallest) ? quota : smallest;
        char *slash = strrchr(group + top, '/');
        if (slash == NULL) {
            return smallest;
        }
        *slash = '\0';
    }
}

static bool
names_cpu(const char *controllers)
{
    for (const char *name = controllers; name != NULL; name = strchr(name, ',')) {
        name += *name == ',' ? 1 : 0;
        if (strncmp(name, "cpu", 3) == 0 && (name[3] == ',' || name[3] == '\0')) {
            return true;
        }
    }
    return false;
}

/* The quota for a line "number:controllers:path" of /proc/self/cgroup. In version 2 the controllers are empty. */
static int
quota_of_line(char *line, const char *root)
{
    char *controllers = strchr(line, ':');
    char *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    if (path == NULL) {
        return 0;
    }
    *path++ = '\0';
    controllers++;
    path[strcspn(path, "\n")] = '\0';
    bool second_version = *controllers == '\0';
    if (!second_version && !names_cpu(controllers)) {
        return 0;
    }
    char group[PATH_BYTES];
    int top = snprintf(group, sizeof group, "%s/sys/fs/cgroup%s", root, second_version ? "" : "/cpu");
    if (top < 0 || (size_t)top + strlen(path) >= sizeof group) {
        return 0;
    }
    memcpy(group + top, path, strlen(path) + 1);
    return smallest_quota(group, (size_t)top, second_version);
}

int
ssop_processors_quota(const char *root)
{
    char line[PATH_BYTES];
    snprintf(line, sizeof line, "%s/proc/self/cgroup", root);
    FILE *groups = fopen(line, "r");
    if (groups == NULL) {
        return 0;
    }
    int smallest = 0;
    while (fgets(line, sizeof line, groups) != NULL) {
        int quota = quota_of_line(line, root);
        smallest = quota > 0 && (smallest == 0 || quota < smallest) ? quota : smallest;
    }
    fclose(groups);
    return smallest;
}

#endif /* SSOP_HAS_PROC */

int
ssop_processors(void)
{
    int count = system_processors(), quota = ssop_processors_quota("");
    return quota > 0 && quota < count ? quota : count;
}
