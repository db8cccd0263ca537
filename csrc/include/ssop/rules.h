/* Status, rules and the error record: which errors there are, and their messages. */
#ifndef SSOP_RULES_H
#define SSOP_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    SSOP_OK = 0,
    SSOP_VALUE_ERROR,    /* lengths, ranks, sizes, bounds of ranges */
    SSOP_INDEX_ERROR,    /* an integer index outside its axis */
    SSOP_TYPE_ERROR,     /* something of the wrong type */
    SSOP_OVERFLOW_ERROR, /* an integer outside its width */
} ssop_status;

/* Every constraint of SPEC.md that C checks: SSOP_SS_C1 and so on, in the order of rules.def. */
typedef enum {
    SSOP_NO_RULE = 0,
#define RULE(id, ...) SSOP_##id,
#include "rules.def"
#undef RULE
    SSOP_RULE_COUNT,
} ssop_rule;

/* What went wrong. Written only on failure. Axis and entry are -1 where the error has none; ssop_rule_shows says
 * whether value and low..high have a meaning. */
typedef struct {
    ssop_rule rule;
    int32_t axis, entry;
    int64_t value;     /* as the caller gave it */
    int64_t low, high; /* what is allowed, inclusive */
    bool huge;         /* value is the uint64 of the same bits, which is 2^63 or more */
    int32_t form;      /* which of the rule's messages applies: 0, or 1 for the second; ignored if there is one only */
} ssop_error;

enum {
    SSOP_SHOWS_NOTHING = 0,
    SSOP_SHOWS_VALUE = 1,
    SSOP_SHOWS_ALLOWED = 2,
    SSOP_SHOWS_BOTH = SSOP_SHOWS_VALUE | SSOP_SHOWS_ALLOWED,
};

const char *ssop_rule_label(ssop_rule rule);
ssop_status ssop_rule_status(ssop_rule rule);
int ssop_rule_shows(ssop_rule rule);

/* Writes the message of `error`, which ends with the label of its rule as in "[ss_c7]", NUL-terminated and truncated to
 * `size` bytes; returns the length of the whole message. The messages of rules about objects have placeholders, which
 * are replaced by the strings of `texts`. If `texts` is NULL the placeholders stay. The functions of this library
 * report one such error: sh_c2, whose texts 0 and 1 are the shapes (ssop_shape_text). */
size_t ssop_error_message(const ssop_error *error, const char *const *texts, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* SSOP_RULES_H */
