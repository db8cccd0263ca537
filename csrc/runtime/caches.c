/* Reads the size of the last-level cache from the files of Linux; elsewhere, asks the C library. */
#include "platform.h"

#include "caches.h"

#if !SSOP_HAS_PROC

int64_t
ssop_caches_listed_bytes(const char *root)
{
    (void)root;
    return 0;
}

#else

#include <stdio.h>
#include <string.h>

/* PATH_BYTES is the longest path that Linux accepts. The words of these files are shorter than WORD_BYTES, and "%31s"
 * reads at most WORD_BYTES - 1 characters. Sizes above MAX_KIBIBYTES, a tebibyte, count as wrong; so no product
 * overflows. */
enum { PATH_BYTES = 4096, WORD_BYTES = 32, MAX_KIBIBYTES = 1 << 30 };

/* Reads the first word of a file that describes a cache; empty if there is no such file. */
static void
read_word(const char *root, int cache, const char *file, char word[WORD_BYTES])
{
    char path[PATH_BYTES];
    *word = '\0';
    snprintf(path, sizeof path, "%s/sys/devices/system/cpu/cpu0/cache/index%d/%s", root, cache, file);
    FILE *stream = fopen(path, "r");
    if (stream != NULL) {
        if (fscanf(stream, "%31s", word) != 1) {
            *word = '\0';
        }
        fclose(stream);
    }
}

/* Reads the integer in such a file, which `unit` must follow; 0 for anything else. */
static int64_t
read_number(const char *root, int cache, const char *file, const char *unit)
{
    char word[WORD_BYTES];
    read_word(root, cache, file, word);
    int64_t number = 0;
    const char *at = word;
    for (; '0' <= *at && *at <= '9' && number <= MAX_KIBIBYTES; at++) {
        number = number * 10 + (*at - '0');
    }
    return strcmp(at, unit) == 0 && number <= MAX_KIBIBYTES ? number : 0;
}

int64_t
ssop_caches_listed_bytes(const char *root)
{
    int64_t last_level = 0, largest = 0, level;
    for (int cache = 0; (level = read_number(root, cache, "level", "")) > 0; cache++) {
        int64_t kibibytes = read_number(root, cache, "size", "K");
        char type[WORD_BYTES];
        read_word(root, cache, "type", type);
        bool holds_data = kibibytes > 0 && strcmp(type, "Instruction") != 0;
        if (holds_data && (level > last_level || (level == last_level && kibibytes > largest))) {
            last_level = level;
            largest = kibibytes;
        }
    }
    return largest * 1024;
}

#endif /* SSOP_HAS_PROC */

int64_t
ssop_caches_last_bytes(void)
{
    int64_t listed = ssop_caches_listed_bytes(""), bytes = listed > 0 ? listed : system_cache_bytes();
    return bytes > 0 ? bytes : 0;
}
