/* Status, rules and the error record: what can go wrong, and the message that says so. */
#ifndef SSOP_RULES_H
#define SSOP_RULES_H

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

/* Every constraint of SPEC.md that C meets; the others are about Python objects alone. */
typedef enum {
    SSOP_NO_RULE = 0,
    SSOP_IN_C1,
    SSOP_IN_C2,
    SSOP_IN_C3,
    SSOP_IN_C4,
    SSOP_IN_C5,
    SSOP_IN_C6,
    SSOP_IN_C7,
    SSOP_IN_C8,
    SSOP_IN_C9,
    SSOP_IN_C10,
    SSOP_OUT_C1,
    SSOP_OUT_C2,
    SSOP_OUT_C3,
    SSOP_OUT_C4,
    SSOP_OUT_C5,
    SSOP_MEM_C1,
    SSOP_SS_C1,
    SSOP_SS_C2,
    SSOP_SS_C3,
    SSOP_SS_C4,
    SSOP_SS_C5,
    SSOP_SS_C6,
    SSOP_SS_C7,
    SSOP_SS_C8,
    SSOP_SL_C1,
    SSOP_SL_C2,
    SSOP_SL_C3,
    SSOP_SL_C4,
    SSOP_SL_C5,
    SSOP_SL_C6,
    SSOP_SL_C7,
    SSOP_DS_C1,
    SSOP_DS_C2,
    SSOP_DS_C3,
    SSOP_DS_C4,
    SSOP_DS_C5,
    SSOP_DS_C6,
    SSOP_DS_C7,
    SSOP_DUS_C1,
    SSOP_DUS_C2,
    SSOP_DUS_C3,
    SSOP_DUS_C4,
    SSOP_DUS_C5,
    SSOP_GR_C1,
    SSOP_AS_C1,
    SSOP_AS_C2,
    SSOP_TSL_C1,
    SSOP_TSL_C2,
    SSOP_TSL_C3,
    SSOP_TFL_C1,
    SSOP_TFL_C2,
    SSOP_TFL_C3,
    SSOP_TFL_C4,
    SSOP_TFL_C5,
    SSOP_TFL_C6,
    SSOP_TFL_C7,
    SSOP_TFL_C8,
    SSOP_TFL_C9,
    SSOP_TFS_C1,
    SSOP_TFS_C2,
    SSOP_TFS_C3,
    SSOP_TFS_C4,
    SSOP_OV_C1,
    SSOP_OV_C2,
    SSOP_OV_C3,
    SSOP_OV_C4,
    SSOP_OV_C5,
    SSOP_OV_C6,
    SSOP_OV_C7,
    SSOP_OV_C8,
    SSOP_OV_C9,
    SSOP_OVS_C1,
    SSOP_OVS_C2,
    SSOP_OVS_C3,
    SSOP_OVS_C4,
    SSOP_OVS_C5,
    SSOP_OVS_C6,
    SSOP_OVS_C7,
    SSOP_ONX_C1,
    SSOP_ONX_C2,
    SSOP_ONX_C3,
    SSOP_ONX_C4,
    SSOP_ONX_C5,
    SSOP_ONX_C6,
    SSOP_ONX_C7,
    SSOP_ONR_C1,
    SSOP_ONR_C2,
    SSOP_ONR_C3,
    SSOP_ONR_C4,
    SSOP_ORT_C1,
    SSOP_ORT_C2,
    SSOP_ORT_C3,
    SSOP_ORT_C4,
    SSOP_ORT_C5,
    SSOP_ORT_C6,
    SSOP_ORT_C7,
    SSOP_DIM_C1,
    SSOP_DIM_C2,
    SSOP_PAD_C1,
    SSOP_PAD_C2,
    SSOP_PAD_C3,
    SSOP_PAD_C4,
    SSOP_PAD_C5,
    SSOP_PAD_C6,
    SSOP_PAD_C7,
    SSOP_REV_C1,
    SSOP_REV_C2,
    SSOP_CAT_C1,
    SSOP_CAT_C2,
    SSOP_CAT_C3,
    SSOP_CAT_C4,
    SSOP_CAT_C5,
    SSOP_CAT_C6,
    SSOP_CAT_C7,
    SSOP_BC_C1,
    SSOP_BC_C2,
    SSOP_BID_C1,
    SSOP_BID_C2,
    SSOP_BID_C3,
    SSOP_BID_C4,
    SSOP_BID_C5,
    SSOP_RS_C1,
    SSOP_RS_C2,
    SSOP_TR_C1,
    SSOP_TR_C2,
    SSOP_TR_C3,
    SSOP_COL_C1,
    SSOP_COL_C2,
    SSOP_COL_C3,
    SSOP_RG_C1,
    SSOP_RG_C2,
    SSOP_RG_C3,
    SSOP_PL_C1,
    SSOP_PL_C2,
    SSOP_TH_C1,
    SSOP_TH_C2,
    SSOP_RULE_COUNT,
} ssop_rule;

/* What went wrong. Axis and entry are -1 where they have no meaning; which of value and low..high have one is a matter of
 * the rule (ssop_rule_shows). Written only on failure. */
typedef struct {
    ssop_rule rule;
    int32_t axis, entry;
    int64_t value;     /* as the caller gave it */
    int64_t low, high; /* what would be allowed, inclusive */
} ssop_error;

enum { SSOP_SHOWS_VALUE = 1, SSOP_SHOWS_ALLOWED = 2 };

const char *ssop_rule_label(ssop_rule rule);
ssop_status ssop_rule_status(ssop_rule rule);
int ssop_rule_shows(ssop_rule rule);

/* Writes the message of `error`, always NUL-terminated, cut at `size` bytes; returns the length of the whole message. */
size_t ssop_error_message(const ssop_error *error, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* SSOP_RULES_H */
