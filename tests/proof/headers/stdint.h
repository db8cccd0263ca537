/* For parsing, and for building the core with integers of SSOP_BITS bits in place of int64_t and uint64_t. Then
 * INT32_MAX is a number in the middle of them. */
#ifndef SSOP_PROOF_STDINT_H
#define SSOP_PROOF_STDINT_H

#if SSOP_BITS == 8
typedef signed char int64_t;
typedef unsigned char uint64_t;
#define INT32_MAX 11
#elif SSOP_BITS == 16
typedef short int64_t;
typedef unsigned short uint64_t;
#define INT32_MAX 127
#else
typedef long long int64_t;
typedef unsigned long long uint64_t;
#define INT32_MAX 2147483647
#endif

typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef unsigned long uintptr_t;

#define INT64_MAX ((int64_t)(((uint64_t)1 << (SSOP_BITS - 1)) - 1))
#define INT64_MIN ((int64_t)(-INT64_MAX - 1))
#define UINT32_MAX 4294967295u
#define INT64_C(x) ((int64_t)(x))

#endif
