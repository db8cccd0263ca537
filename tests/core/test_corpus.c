/* What could go wrong: an input that the fuzzers have found once (fuzz/targets) fails again. */
#include "fuzz/targets/chunks.h"
#include "fuzz/targets/copies.h"
#include "fuzz/targets/overlaps.h"
#include "fuzz/targets/shapes.h"
#include "fuzz/targets/windows.h"

enum { LONGEST_INPUT = 4096 };

/* Runs every input of a file: two bytes of length, the lower one first, before each. */
static void
replay(const char *path, void (*target)(fuzz_input *))
{
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL, "%s: not there", path);
    int inputs = 0;
    for (int low; file != NULL && (low = fgetc(file)) != EOF; inputs++) {
        uint8_t bytes[LONGEST_INPUT];
        size_t size = (size_t)low + ((size_t)fgetc(file) << 8);
        CHECK(size <= sizeof(bytes) && fread(bytes, 1, size, file) == size, "%s: input %d is cut off", path, inputs);
        fuzz_input input = {bytes, size};
        target(&input);
    }
    CHECK(inputs > 20, "%s: %d inputs", path, inputs);
    if (file != NULL) {
        fclose(file);
    }
}

int
main(void)
{
    replay(FUZZ_CORPUS "/regions", fuzz_regions);
    replay(FUZZ_CORPUS "/copies", fuzz_copies);
    replay(FUZZ_CORPUS "/windows", fuzz_windows);
    replay(FUZZ_CORPUS "/overlaps", fuzz_overlaps);
    replay(FUZZ_CORPUS "/shapes", fuzz_shapes);
    replay(FUZZ_CORPUS "/chunks", fuzz_chunks);
    return check_report("test_corpus");
}
