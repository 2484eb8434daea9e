/* address.c - addresses as texts, and of sockets; words for failures
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "words.h"
#include "../host/io/descriptor.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

/* --- words ----------------------------------------------------------------------------------- */

const char *pt_word_text_(enum pt_word_ word)
{
    switch (word) {
#define PT_WORD_(name, text) \
    case PT_WORD_##name##_: return text;
        PT_WORDS_(PT_WORD_)
#undef PT_WORD_
    case PT_WORD_NONE_:
    default: return NULL;
    }
}

const char *pt_io_error_text(const struct pt_io *io, pt_status status)
{
    bool detailed = status == PT_EIO || status == PT_EINVAL;
    const char *words =
        detailed && io->error < 0 ? pt_word_text_((enum pt_word_) - io->error) : NULL;

    if (words)
        return words;
    return status == PT_EIO && io->error > 0 ? strerror(io->error) : pt_status_text(status);
}

/* --- from a text ----------------------------------------------------------------------------- */

/* Cut the zone off the host, which only one in brackets has. */
static enum pt_word_ cut_zone(struct pt_host_port_ *parts)
{
    char *percent = parts->bracketed ? strchr(parts->host, '%') : NULL;

    parts->zone[0] = '\0';
    if (!percent)
        return PT_WORD_NONE_;
    snprintf(parts->zone, sizeof parts->zone, "%s", percent + 1);
    *percent = '\0';
    return parts->zone[0] ? PT_WORD_NONE_ : PT_WORD_ZONE_;
}

enum pt_word_ pt_host_port_cut_(struct pt_host_port_ *parts, const char *text)
{
    const char *colon = strrchr(text, ':'), *start = text, *end = colon;
    size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;

    if (!colon || strchr(colon, ']'))
        return PT_WORD_NO_PORT_;
    if (digits < 1 || digits > 5 || colon[1 + digits] || atoi(colon + 1) > UINT16_MAX)
        return PT_WORD_PORT_;
    parts->port = (unsigned)atoi(colon + 1);
    parts->bracketed = *start == '[' && end[-1] == ']';
    if (parts->bracketed) {
        start++;
        end--;
    } else if (memchr(start, ':', (size_t)(end - start))) {
        return PT_WORD_BRACKETS_;
    }
    if ((size_t)(end - start) >= sizeof parts->host)
        return PT_WORD_DIGITS_;
    memcpy(parts->host, start, (size_t)(end - start));
    parts->host[end - start] = '\0';
    return cut_zone(parts);
}

/* The number of the network interface ZONE, by its name or in digits; 0 if there is none. */
static unsigned zone_number(const char *zone)
{
    size_t digits = strspn(zone, "0123456789");

    return digits && digits < 10 && !zone[digits] ? (unsigned)atoi(zone) : if_nametoindex(zone);
}

static enum pt_word_ ipv6_address(const struct pt_host_port_ *parts, struct pt_address *address)
{
    struct sockaddr_in6 *name = (struct sockaddr_in6 *)(void *)&address->name;

    if (inet_pton(AF_INET6, parts->host, &name->sin6_addr) != 1)
        return PT_WORD_DIGITS_;
    name->sin6_scope_id = parts->zone[0] ? zone_number(parts->zone) : 0;
    if (parts->zone[0] && !name->sin6_scope_id)
        return PT_WORD_ZONE_;
    name->sin6_family = AF_INET6;
    name->sin6_port = htons((uint16_t)parts->port);
    address->length = sizeof *name;
    return PT_WORD_NONE_;
}

static enum pt_word_ ipv4_address(const struct pt_host_port_ *parts, struct pt_address *address)
{
    struct sockaddr_in *name = (struct sockaddr_in *)(void *)&address->name;

    if (inet_pton(AF_INET, parts->host, &name->sin_addr) != 1)
        return PT_WORD_DIGITS_;
    name->sin_family = AF_INET;
    name->sin_port = htons((uint16_t)parts->port);
    address->length = sizeof *name;
    return PT_WORD_NONE_;
}

enum pt_word_ pt_host_port_address_(const struct pt_host_port_ *parts, struct pt_address *address)
{
    enum pt_word_ word;

    memset(address, 0, sizeof *address);
    word = parts->bracketed ? ipv6_address(parts, address) : ipv4_address(parts, address);
    address->family = address->name.ss_family;
    return word;
}

enum pt_word_ pt_path_address_(const char *text, struct pt_address *address)
{
    static const char head[] = "unix:";
    struct sockaddr_un *name = (struct sockaddr_un *)(void *)&address->name;
    const char *path = text + sizeof head - 1;
    size_t length;

    if (strncmp(text, head, sizeof head - 1))
        return PT_WORD_DIGITS_;
    length = strlen(path);
    if (!length || length >= sizeof name->sun_path)
        return PT_WORD_PATH_;
    memset(address, 0, sizeof *address);
    name->sun_family = AF_UNIX;
    memcpy(name->sun_path, path, length);
    address->family = AF_UNIX;
    address->length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
#ifdef __linux__
    if (*path == '@') {
        name->sun_path[0] = '\0';
        address->length--; /* the name is all its bytes: no 0 ends it */
    }
#endif
    return PT_WORD_NONE_;
}

enum pt_word_ pt_address_of_text_(struct pt_address *address, const char *text)
{
    struct pt_host_port_ parts;
    enum pt_word_ word = pt_path_address_(text, address);

    if (word != PT_WORD_DIGITS_)
        return word;
    word = pt_host_port_cut_(&parts, text);
    if (word)
        return word;
    if (!parts.host[0] && !parts.bracketed) {
        strcpy(parts.host, "::");
        parts.bracketed = true;
    } else if (!strcmp(parts.host, "localhost")) {
        strcpy(parts.host, "127.0.0.1");
    }
    return pt_host_port_address_(&parts, address);
}

const char *pt_address_parse(struct pt_address *address, const char *text)
{
    return pt_word_text_(pt_address_of_text_(address, text));
}

/* --- to a text ------------------------------------------------------------------------------- */

static void write_path(const struct pt_address *address, char *text, size_t size)
{
    const struct sockaddr_un *name = (const struct sockaddr_un *)(const void *)&address->name;
    size_t head = offsetof(struct sockaddr_un, sun_path);
    size_t length = address->length > head ? address->length - head : 0;
    bool abstract = length && !name->sun_path[0];

    snprintf(text, size, "unix:%s%.*s", abstract ? "@" : "", (int)(length - abstract),
             name->sun_path + abstract);
}

static void write_ipv6(const struct pt_address *address, char *text, size_t size)
{
    const struct sockaddr_in6 *name = (const struct sockaddr_in6 *)(const void *)&address->name;
    char host[INET6_ADDRSTRLEN], zone[IF_NAMESIZE + 1] = "%";

    inet_ntop(AF_INET6, &name->sin6_addr, host, sizeof host);
    if (!name->sin6_scope_id)
        zone[0] = '\0';
    else if (!if_indextoname(name->sin6_scope_id, zone + 1))
        snprintf(zone + 1, sizeof zone - 1, "%u", (unsigned)name->sin6_scope_id);
    snprintf(text, size, "[%s%s]:%u", host, zone, (unsigned)ntohs(name->sin6_port));
}

static void write_ipv4(const struct pt_address *address, char *text, size_t size)
{
    const struct sockaddr_in *name = (const struct sockaddr_in *)(const void *)&address->name;
    char host[INET_ADDRSTRLEN];

    inet_ntop(AF_INET, &name->sin_addr, host, sizeof host);
    snprintf(text, size, "%s:%u", host, (unsigned)ntohs(name->sin_port));
}

const char *pt_address_text(const struct pt_address *address, char *text, size_t size)
{
    switch (address->family) {
    case AF_INET: write_ipv4(address, text, size); break;
    case AF_INET6: write_ipv6(address, text, size); break;
    case AF_UNIX: write_path(address, text, size); break;
    default: snprintf(text, size, "family %d", address->family);
    }
    return text;
}

/* --- of a socket ----------------------------------------------------------------------------- */

static pt_status ask(struct pt_io *io, struct pt_address *address, const char *name,
                     int (*which)(int fd, struct sockaddr *to, socklen_t *length))
{
    memset(address, 0, sizeof *address);
    if (!io->system)
        return pt_io_closed_(io, name);
    address->length = sizeof address->name;
    if (which(io->fd, (struct sockaddr *)&address->name, &address->length))
        return pt_io_fail_(io, errno);
    address->family = address->name.ss_family;
    return PT_OK;
}

static int peer_of(int fd, struct sockaddr *to, socklen_t *length)
{
    return getpeername(fd, to, length);
}

static int local_of(int fd, struct sockaddr *to, socklen_t *length)
{
    return getsockname(fd, to, length);
}

pt_status pt_io_peer(struct pt_io *io, struct pt_address *address)
{
    return ask(io, address, "pt_io_peer", peer_of);
}

pt_status pt_io_local(struct pt_io *io, struct pt_address *address)
{
    return ask(io, address, "pt_io_local", local_of);
}
