/* The texts of the parameter names. */
#include "names.h"

const char *const ssop_arg_names[ARG_NAME_COUNT] = {
#define AS_TEXT(identifier, text) [ARG_##identifier] = (text),
    SSOP_PARAMETER_NAMES(AS_TEXT)
#undef AS_TEXT
};
