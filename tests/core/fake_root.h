/* A directory that stands for the root of the file system, for functions that read files of the system. */
#ifndef SSOP_TESTS_FAKE_ROOT_H
#define SSOP_TESTS_FAKE_ROOT_H

#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

enum { PATH_BYTES = 512 };

static char root[] = "/tmp/ssop-root-XXXXXX";

static inline void
make_root(void)
{
    CHECK(mkdtemp(root) != NULL, "no folder");
}

static inline void
clear(void)
{
    char command[PATH_BYTES];
    snprintf(command, sizeof command, "rm -rf '%s' && mkdir '%s'", root, root);
    CHECK(system(command) == 0, "%s", command);
}

static inline void
remove_root(void)
{
    clear();
    rmdir(root);
}

/* Writes a file under the root, with the folders it is in. */
static inline void
put(const char *path, const char *text)
{
    char whole[PATH_BYTES];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    for (char *slash = whole + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(whole, 0700);
        *slash = '/';
    }
    FILE *file = fopen(whole, "w");
    CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0, "%s", whole);
}

#endif /* SSOP_TESTS_FAKE_ROOT_H */
