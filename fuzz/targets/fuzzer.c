/* One target for libFuzzer: TARGET is its function, TARGET_HEADER the file that has it. */
#include TARGET_HEADER

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    TARGET(&input);
    if (checks.failed > 0) {
        abort();
    }
    return 0;
}
