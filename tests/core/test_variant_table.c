/* What could go wrong: a shape is copied in another way than before (variants.txt), without anybody having meant it.
 *
 * Run with any argument, the program prints the table as it should be now, for a machine that has all targets. */
#include "copy/cpu.h"
#include "copy/nest.h"
#include "targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MOST = 512, CELLS = 10, FIRST_TARGET = 5 };

/* The columns after name, item bytes, shape, strides of the destination, strides of the source. */
static const char *const targets[] = {"avx512", "avx512bw", "avx2", "ssse3", "portable"};

/* Cuts a line at its bars, without the blanks around them. */
static int
split(char *line, char *cell[CELLS])
{
    int count = 0;
    for (char *part = strtok(line, "|\n"); part != NULL && count < CELLS; part = strtok(NULL, "|\n")) {
        while (*part == ' ') {
            part++;
        }
        for (char *end = part + strlen(part); end > part && end[-1] == ' ';) {
            *--end = '\0';
        }
        cell[count++] = part;
    }
    return count;
}

static int32_t
read_numbers(const char *text, int64_t numbers[SSOP_MAX_RANK])
{
    int32_t count = 0;
    for (const char *at = text; *at != '\0' && *at != '@' && count < SSOP_MAX_RANK; at += *at == ',' ? 1 : 0) {
        char *end;
        numbers[count++] = strtoll(at, &end, 10);
        at = end;
    }
    return count;
}

/* Lays out one side: "C" is C order, numbers are strides in items, and "@8" moves it by so many bytes. Nothing is read
 * or written, so its address is only a number. */
static void
lay(ssop_view *view, uintptr_t address, int32_t rank, const int64_t *dims, int64_t item_bytes, const char *text)
{
    const char *const moved = strchr(text, '@');
    int64_t strides[SSOP_MAX_RANK], step = item_bytes, before = 0;
    const int32_t given = *text == 'C' ? 0 : read_numbers(text, strides);
    CHECK(given == 0 || given == rank, "%s: %d strides", text, (int)given);
    view->rank = rank;
    view->item_bytes = item_bytes;
    for (int32_t axis = rank - 1; axis >= 0; axis--) {
        view->dim[axis] = dims[axis];
        view->stride[axis] = given == 0 ? step : strides[axis] * item_bytes;
        before += view->stride[axis] < 0 ? -view->stride[axis] * (dims[axis] - 1) : 0;
        step *= dims[axis];
    }
    address += (uintptr_t)before + (moved != NULL ? (uintptr_t)strtoul(moved + 1, NULL, 10) : 0);
    view->data = (char *)address;
}

/* A variant that is chosen among those of its pattern is the same if it is forced. */
static void
check_forced(ssop_pattern pattern, const ssop_view *dst, const ssop_view *src, const ssop_copy_description *chosen)
{
    ssop_nest nest;
    ssop_copy_description found;
    CHECK(ssop_variant_force(chosen->variant.name), "%s", chosen->variant.name);
    ssop_nest_copy(&nest, dst, src, NULL);
    if (ssop_variant_pattern((ssop_variant)ssop_variant_forced) != pattern) {
        CHECK(ssop_variant_force(NULL), "none");
        return;
    }
    ssop_nest_describe(&nest, ssop_nest_steps(&nest), &found);
    CHECK(strcmp(found.variant.name, chosen->variant.name) == 0, "%s: %s is forced, %s taken", ssop_cpu_target(),
          chosen->variant.name, found.variant.name);
    CHECK(ssop_variant_force(NULL), "none");
}

/* The variant, and a letter for what is done about memory, as the head of the table says. */
static void
describe(char *const cell[CELLS], const char *target, char *text, size_t size)
{
    enum { ZEN_4 = 0xa10f11, LAST_CACHE = 32 << 20, ADDRESS = 1 << 28 };
    const ssop_cpu_facts facts = {
        .vendor = "AuthenticAMD", .model = ZEN_4, .is_amd = true, .second_cache_bytes = 1 << 20};
    int64_t dims[SSOP_MAX_RANK];
    const int32_t rank = read_numbers(cell[2], dims);
    const int64_t item_bytes = strtoll(cell[1], NULL, 10);
    ssop_view dst, src;
    ssop_nest nest;
    ssop_copy_description found;
    lay(&dst, ADDRESS, rank, dims, item_bytes, cell[3]);
    lay(&src, 2u * ADDRESS, rank, dims, item_bytes, cell[4]);
    CHECK(ssop_cpu_choose(target), "%s", target);
    const ssop_policies policies = ssop_policies_for(&facts, ssop_kernels(), LAST_CACHE);
    CHECK(ssop_policies_use(&policies), "policies within their bounds were rejected");
    ssop_nest_copy(&nest, &dst, &src, NULL);
    ssop_nest_describe(&nest, ssop_nest_steps(&nest), &found);
    check_forced((ssop_pattern)nest.pattern, &dst, &src, &found);
    snprintf(text, size, "%s%s%s%s%s%s%s%s%s", found.variant.name,
             nest.policy != 0 || nest.row_axis > nest.column_axis ? " " : "", found.streams ? "s" : "",
             found.collects ? "c" : "", found.prefetches_source ? "p" : "", found.prefetches_into_l2 ? "2" : "",
             found.source_order ? "o" : "", nest.row_axis > nest.column_axis ? "x" : "", found.rep_movsb ? "r" : "");
}

static bool
runs(const char *target)
{
    bool can = false;
    const char *name;
    for (int32_t at = 0; (name = ssop_cpu_target_at(at, &can)) != NULL; at++) {
        if (strcmp(name, target) == 0) {
            return can;
        }
    }
    return false;
}

static void
check_line(char *line, const char *whole)
{
    char *cell[CELLS];
    const int cells = split(line, cell);
    CHECK(cells == FIRST_TARGET + COUNT(targets), "%d cells: %s", cells, whole);
    const char *wanted = NULL;
    for (int at = 0; cells == FIRST_TARGET + COUNT(targets) && at < COUNT(targets); at++) {
        char found[LINE_MOST];
        wanted = strcmp(cell[FIRST_TARGET + at], "=") == 0 ? wanted : cell[FIRST_TARGET + at];
        if (runs(targets[at])) {
            describe(cell, targets[at], found, sizeof found);
            CHECK(wanted != NULL && strcmp(wanted, found) == 0, "%s, %s: %s, not %s", cell[0], targets[at], found,
                  wanted);
        }
    }
}

static void
print_line(char *line)
{
    char *cell[CELLS], before[LINE_MOST] = "";
    (void)split(line, cell);
    printf("%-44s | %2s | %-16s | %-14s | %-18s", cell[0], cell[1], cell[2], cell[3], cell[4]);
    for (int at = 0; at < COUNT(targets); at++) {
        char found[LINE_MOST];
        describe(cell, targets[at], found, sizeof found);
        printf(" | %s", strcmp(found, before) == 0 ? "=" : found);
        memcpy(before, found, sizeof before);
    }
    printf("\n");
}

/* The table stands beside this file. */
static FILE *
open_table(void)
{
    static const char name[] = "variants.txt", file[] = __FILE__;
    char path[4096];
    const char *const slash = strrchr(file, '/');
    snprintf(path, sizeof path, "%.*s%s", slash == NULL ? 0 : (int)(slash + 1 - file), file, name);
    return fopen(path, "r");
}

int
main(int argc, char **argv)
{
    char line[LINE_MOST], copy[LINE_MOST];
    int shapes = 0;
    (void)argv;
    FILE *table = open_table();
    CHECK(table != NULL, "variants.txt is not beside %s", __FILE__);
    while (table != NULL && fgets(line, sizeof line, table) != NULL) {
        memcpy(copy, line, sizeof copy);
        if (line[0] == '#' || line[0] == '\n') {
            printf("%s", argc > 1 ? line : "");
            continue;
        }
        shapes++;
        if (argc > 1) {
            print_line(copy);
        }
        else {
            check_line(copy, line);
        }
    }
    if (table != NULL) {
        fclose(table);
    }
    CHECK(shapes >= 300, "%d shapes", shapes);
    return argc > 1 ? EXIT_SUCCESS : check_report("test_variant_table");
}
