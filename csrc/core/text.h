/* Text in memory of the caller, without a C library. */
#ifndef SSOP_CORE_TEXT_H
#define SSOP_CORE_TEXT_H

#include "base.h"

static inline bool
is_same_text(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

/* Writes as much text as there is room for, and counts the length of all of it. */
typedef struct {
    char *text;
    size_t size, length;
} text_writer;

static inline void
put_char(text_writer *writer, char c)
{
    if (writer->length + 1 < writer->size) {
        writer->text[writer->length] = c;
    }
    writer->length++;
}

static inline void
put_text(text_writer *writer, const char *text)
{
    for (; *text != '\0'; text++) {
        put_char(writer, *text);
    }
}

static inline void
put_unsigned(text_writer *writer, uint64_t number)
{
    char digits[20];
    int n = 0;
    do {
        digits[n++] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    while (n > 0) {
        put_char(writer, digits[--n]);
    }
}

static inline void
put_number(text_writer *writer, int64_t number)
{
    put_text(writer, number < 0 ? "-" : "");
    put_unsigned(writer, magnitude(number));
}

/* Ends the text with a NUL and returns its whole length. */
static inline size_t
finish_text(text_writer *writer)
{
    if (writer->size > 0) {
        writer->text[writer->length < writer->size ? writer->length : writer->size - 1] = '\0';
    }
    return writer->length;
}

#endif /* SSOP_CORE_TEXT_H */
