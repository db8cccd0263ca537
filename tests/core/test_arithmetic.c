/* What could go wrong: a product or a sum of numbers that users chose overflows int64, and the overflow is not
 * detected. */
#include "check.h"
#include "core/common.h"

/* |a| * |b| in two halves, as taught at school. */
static void
long_multiplication(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low)
{
    uint64_t a_low = a & UINT32_MAX, a_high = a >> 32, b_low = b & UINT32_MAX, b_high = b >> 32;
    uint64_t lower = a_low * b_low;
    uint64_t middle = a_high * b_low + (lower >> 32);
    uint64_t other_middle = a_low * b_high + (middle & UINT32_MAX);
    *high = a_high * b_high + (middle >> 32) + (other_middle >> 32);
    *low = (other_middle << 32) | (lower & UINT32_MAX);
}

static bool
product_fits(int64_t a, int64_t b)
{
    uint64_t high, low;
    long_multiplication(a < 0 ? -(uint64_t)a : (uint64_t)a, b < 0 ? -(uint64_t)b : (uint64_t)b, &high, &low);
    bool negative = (a < 0) != (b < 0);
    return high == 0 && low <= (uint64_t)INT64_MAX + (negative ? 1 : 0);
}

static void
check_mul(int64_t a, int64_t b)
{
    int64_t product = 77;
    bool fits = checked_mul(a, b, &product);
    CHECK(fits == product_fits(a, b), "%lld * %lld: %s", LL(a), LL(b), fits ? "accepted" : "rejected");
    int64_t right = fits ? (int64_t)((uint64_t)a * (uint64_t)b) : 77;
    CHECK(product == right, "%lld * %lld: %lld", LL(a), LL(b), LL(product));
#ifdef __SIZEOF_INT128__
    __extension__ typedef __int128 int128;
    int128 exact = (int128)a * b;
    CHECK(fits == (exact >= INT64_MIN && exact <= INT64_MAX), "%lld * %lld against int128", LL(a), LL(b));
    CHECK(!fits || product == (int64_t)exact, "%lld * %lld against int128: %lld", LL(a), LL(b), LL(product));
#endif
}

static void
check_add(int64_t a, int64_t b)
{
    int64_t sum = 77;
    bool fits = checked_add(a, b, &sum);
    int64_t wrapped = (int64_t)((uint64_t)a + (uint64_t)b);
    bool fits_indeed = (a < 0) != (b < 0) || (wrapped < 0) == (a < 0);
    CHECK(fits == fits_indeed, "%lld + %lld: %s", LL(a), LL(b), fits ? "accepted" : "rejected");
    CHECK(sum == (fits ? wrapped : 77), "%lld + %lld: %lld", LL(a), LL(b), LL(sum));
}

static void
check_both(int64_t a, int64_t b)
{
    check_mul(a, b);
    check_add(a, b);
}

enum { MAX_NUMBERS = 64 * 6 + 8 };

/* The neighbours of zero and of every power of two, of both signs. */
static int
interesting_numbers(int64_t *numbers)
{
    int count = 0;
    for (int bit = 0; bit < 63; bit++) {
        for (int64_t nearby = -1; nearby <= 1; nearby++) {
            int64_t number = (int64_t)(UINT64_C(1) << bit) + nearby;
            numbers[count++] = number;
            numbers[count++] = -number;
        }
    }
    const int64_t extremes[] = {INT64_MIN, INT64_MIN + 1, INT64_MAX - 1, INT64_MAX, 3037000499, 3037000500};
    for (int i = 0; i < COUNT(extremes); i++) {
        numbers[count++] = extremes[i];
    }
    return count;
}

static void
test_every_pair_of_interesting_numbers(void)
{
    int64_t numbers[MAX_NUMBERS];
    int count = interesting_numbers(numbers);
    for (int a = 0; a < count; a++) {
        for (int b = 0; b < count; b++) {
            check_both(numbers[a], numbers[b]);
        }
    }
}

/* The last factor that fits, and the first that does not. */
static void
test_edge_of_every_factor(void)
{
    for (int64_t a = 1; a < 20000; a++) {
        int64_t most = INT64_MAX / a;
        for (int64_t nearby = -1; nearby <= 1; nearby++) {
            if (nearby > INT64_MAX - most) {
                continue;
            }
            check_both(a, most + nearby);
            check_both(-a, most + nearby);
            check_both(a, -(most + nearby));
            check_both(-(most + nearby), -a);
        }
    }
}

static void
test_random_numbers_of_every_length(void)
{
    for (int i = 0; i < 300000; i++) {
        int64_t a = (int64_t)random_bits() >> random_between(0, 63);
        int64_t b = (int64_t)random_bits() >> random_between(0, 63);
        check_both(a, b);
    }
}

static void
test_magnitude(void)
{
    CHECK(magnitude(INT64_MIN) == (uint64_t)INT64_MAX + 1, "the magnitude of INT64_MIN");
    CHECK(magnitude(INT64_MAX) == INT64_MAX, "the magnitude of INT64_MAX");
    CHECK(magnitude(-1) == 1 && magnitude(0) == 0 && magnitude(1) == 1, "small magnitudes");
}

int
main(void)
{
    test_every_pair_of_interesting_numbers();
    test_edge_of_every_factor();
    test_random_numbers_of_every_length();
    test_magnitude();
    return check_report("test_arithmetic");
}
