/* hub_service.c - finds a radio of a hub, and asks for its link. */
#include "daemon/hub/serve/hub_service.h"

#include <string.h>

void hub_service_link(const struct hub_service *h, struct link_reader_state *out)
{
    *out = (struct link_reader_state){0};
    if (h->reader)
        link_reader_state(h->reader, out);
}

const struct radio *hub_service_radio(const struct hub_service *h, const char *name)
{
    const size_t site = strcspn(name, ".");
    char of[HUB_WORD];
    if (site >= sizeof of || name[site] != '.')
        return NULL;
    memcpy(of, name, site);
    of[site] = '\0';
    return radios_find_name(&h->radios, of, name + site + 1);
}
