/* Label, status and messages of every rule, from the list in rules.def. Only this file writes messages. */
#include "../include/ssop/rules.h"
#include "base.h"
#include "text.h"

static const struct {
    const char *label;
    ssop_status status;
    int shows;
    const char *message[2]; /* the second is NULL for most rules */
} rules[SSOP_RULE_COUNT] = {
    [SSOP_NO_RULE] = {"", SSOP_OK, SSOP_SHOWS_NOTHING, {"", NULL}},
#define RULE(id, label, status, shows, ...) [SSOP_##id] = {label, SSOP_##status, SSOP_##shows, {__VA_ARGS__}},
#include "../include/ssop/rules.def"
#undef RULE
};

const char *
ssop_rule_label(ssop_rule rule)
{
    return rules[rule].label;
}

ssop_status
ssop_rule_status(ssop_rule rule)
{
    return rules[rule].status;
}

int
ssop_rule_shows(ssop_rule rule)
{
    return rules[rule].shows;
}

static int64_t
number_of(const ssop_error *error, char name)
{
    switch (name) {
    case 'a':
        return error->axis;
    case 'e':
        return error->entry;
    case 'v':
        return error->value;
    case 'l':
        return error->low;
    case 'h':
        return error->high;
    case 'n':
        return error->high + 1;
    default:
        SSOP_ASSERT(name == 'w');
        return error->value + (error->high + 1);
    }
}

static const char *const mask_names[] = {"begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask",
                                         "ellipsis_mask"};

/* An empty axis would give 0..-1, which is hard to read. */
static void
put_allowed_indices(text_writer *writer, const ssop_error *error)
{
    if (error->low > error->high) {
        put_text(writer, "outside the axis, which has no elements");
        return;
    }
    put_text(writer, "not in ");
    put_number(writer, error->low);
    put_text(writer, "..");
    put_number(writer, error->high);
}

static void
put_placeholder(text_writer *writer, const ssop_error *error, char name, const char *const *texts)
{
    if (name <= '9') { /* a digit: letters come after them */
        const char verbatim[] = {'{', name, '}', '\0'};
        put_text(writer, texts != NULL ? texts[name - '0'] : verbatim);
    }
    else if (name == 'm') {
        put_text(writer, mask_names[error->low]);
    }
    else if (name == 'i') {
        put_allowed_indices(writer, error);
    }
    else if (name == 'v' && error->huge) {
        put_unsigned(writer, (uint64_t)error->value);
    }
    else {
        put_number(writer, number_of(error, name));
    }
}

size_t
ssop_error_message(const ssop_error *error, const char *const *texts, char *text, size_t size)
{
    text_writer writer = {text, size, 0};
    const char *const *message = rules[error->rule].message;
    for (const char *c = error->form == 1 && message[1] != NULL ? message[1] : message[0]; *c != '\0'; c++) {
        if (*c == '{') {
            put_placeholder(&writer, error, c[1], texts);
            c += 2;
        }
        else {
            put_char(&writer, *c);
        }
    }
    if (error->rule != SSOP_NO_RULE) {
        put_text(&writer, " [");
        put_text(&writer, rules[error->rule].label);
        put_char(&writer, ']');
    }
    return finish_text(&writer);
}
