/* fields.c - the fields of a head, of a request or a reply
 * SPDX-License-Identifier: MIT */
#include "connection.h"

#include <string.h>
#include <strings.h>

/* --- characters ------------------------------------------------------------------------------ */

size_t pt_http_span_(const char *text, size_t length, const uint32_t set[4])
{
    size_t i = 0;

    for (; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];

        if (byte >= 128 || !(set[byte / 32] >> byte % 32 & 1))
            break;
    }
    return i;
}

bool pt_http_is_token_(const char *text, size_t length)
{
    /* ! # $ % & ' * + - . and digits; A to Z, ^ _; ` and a to z, | ~ */
    static const uint32_t tokens[4] = {0, UINT32_C(0x03FF6CFA), UINT32_C(0xC7FFFFFE),
                                       UINT32_C(0x57FFFFFF)};

    return length > 0 && pt_http_span_(text, length, tokens) == length;
}

bool pt_http_is_value_(const char *text)
{
    for (; *text; text++)
        if (((unsigned char)*text < ' ' && *text != '\t') || *text == 127)
            return false;
    return true;
}

bool pt_http_is_among_(const char *name, const char *const *names)
{
    while (*names && strcasecmp(*names, name))
        names++;
    return *names != NULL;
}

/* --- fields ---------------------------------------------------------------------------------- */

char *pt_http_cut_field_(char *line, struct pt_http_pair_ *field)
{
    char *end = strchr(line, '\r'), *colon = (char *)memchr(line, ':', (size_t)(end - line));
    char *last = end;

    if (!colon || !pt_http_is_token_(line, (size_t)(colon - line)))
        return NULL;
    field->name = line;
    field->name_length = (size_t)(colon - line);
    field->value = colon + 1;
    while (*field->value == ' ' || *field->value == '\t')
        field->value++;
    while (last > field->value && (last[-1] == ' ' || last[-1] == '\t'))
        last--;
    field->length = (size_t)(last - field->value);
    return end + 2;
}

void pt_http_cut_fields_(char *line)
{
    struct pt_http_pair_ field;
    char *next;

    for (; *line != '\r'; line = next) {
        next = pt_http_cut_field_(line, &field);
        field.name[field.name_length] = field.value[field.length] = '\0';
    }
    *line = '\0';
}

const char *pt_http_find_(const char *line, const char *end, const char *name)
{
    while (*line) {
        const char *value = line + strlen(line) + 1;

        if (!strcasecmp(line, name))
            return value + strspn(value, " \t");
        line = (const char *)memchr(value, '\n', (size_t)(end - value)) + 1;
    }
    return NULL;
}

pt_status pt_http_read_length_(const struct pt_http_pair_ *field, uint64_t *length)
{
    *length = 0;
    for (size_t i = 0; i < field->length; i++) {
        if (field->value[i] < '0' || field->value[i] > '9')
            return PT_EINVAL;
        if (*length > (UINT64_MAX - 9) / 10)
            return PT_ERANGE;
        *length = *length * 10 + (uint64_t)(field->value[i] - '0');
    }
    return field->length ? PT_OK : PT_EINVAL;
}
