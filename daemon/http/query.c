/* query.c - collects and checks the parameters of a request's query. */
#include "daemon/http/query.h"

#include <errno.h>
#include <string.h>

#include "daemon/api/resource.h"
#include "daemon/api/values.h"
#include "daemon/base/reason.h"

enum { KEYS_MAX = 32 };

/* Copies the first `length` bytes of text. Returns false if they do not fit. */
static bool copy_printable(const char *text, size_t length, char *into, size_t size)
{
    const size_t kept = length < size ? length : size - 1;
    for (size_t i = 0; i < kept; i++)
        into[i] = (char)(text[i] >= ' ' && text[i] <= '~' ? text[i] : '?');
    into[kept] = '\0';
    return kept == length;
}

void query_add(struct query *q, const char *pair)
{
    if (!*pair || q->count == QUERY_PARAMETERS)
        return;
    struct parameter *p = &q->parameter[q->count++];
    const size_t name = strcspn(pair, "=");
    const char *value = pair[name] ? pair + name + 1 : "";
    const bool name_fits = copy_printable(pair, name, p->name, sizeof p->name);
    const bool value_fits = copy_printable(value, strlen(value), p->value, sizeof p->value);
    p->cut = !name_fits || !value_fits;
}

/* True if `name` is in a list separated by ", ". */
static bool is_known(const char *name, const char *known)
{
    const size_t length = strlen(name);
    while (*known) {
        const size_t entry = strcspn(known, ",");
        if (entry == length && memcmp(name, known, length) == 0)
            return true;
        known += entry + strspn(known + entry, ", ");
    }
    return false;
}

static bool occurs_before(const struct query *q, unsigned i)
{
    for (unsigned k = 0; k < i; k++) {
        if (strcmp(q->parameter[k].name, q->parameter[i].name) == 0)
            return true;
    }
    return false;
}

int query_check(const struct query *q, const struct api_key *keys, struct reason *why)
{
    const char *names[KEYS_MAX];
    size_t count = 0;
    for (const struct api_key *k = keys; k && k->name && count < KEYS_MAX; k++)
        names[count++] = k->name;
    for (unsigned i = 0; i < q->count; i++) {
        const struct parameter *p = &q->parameter[i];
        const int err = api_check_key(p->name, names, count, why);
        if (err < 0)
            return err;
        if (occurs_before(q, i))
            return reason_key(why, -EINVAL, p->name, "%s: given twice", p->name);
        if (p->cut)
            return reason_key(why, -EINVAL, p->name, "%s: the value is too long", p->name);
    }
    return 0;
}

const char *query_find_unknown(const struct query *q, const char *known)
{
    for (unsigned i = 0; i < q->count; i++)
        if (!is_known(q->parameter[i].name, known))
            return q->parameter[i].name;
    return NULL;
}

const char *query_value(const struct query *q, const char *name)
{
    for (unsigned i = 0; i < q->count; i++) {
        if (strcmp(q->parameter[i].name, name) == 0)
            return q->parameter[i].value;
    }
    return NULL;
}
