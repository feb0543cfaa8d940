/* drop_ins.c - the files *.conf in the folder FILE.d, which are read after FILE, in the order of
 * their names. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/config/loader.h"

static int is_drop_in(const struct dirent *entry)
{
    static const char suffix[] = ".conf";
    const size_t length = strlen(entry->d_name), end = sizeof suffix - 1;
    return entry->d_name[0] != '.' && length > end &&
           strcmp(entry->d_name + length - end, suffix) == 0;
}

/* By bytes: alphasort() asks the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int read_drop_in(struct config_loader *l, const char *folder, const char *name)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= PATH_MAX)
        return config_fail(l, "%s: name too long", folder);
    l->file = path;
    const int err = config_read_file(l);
    l->file = l->c->file;
    return err;
}

int config_read_drop_ins(struct config_loader *l)
{
    char folder[PATH_MAX];
    struct dirent **entries;
    if (snprintf(folder, sizeof folder, "%s.d", l->c->file) >= PATH_MAX)
        return 0; /* FILE itself could be read, but such a folder could not be made */
    const int count = scandir(folder, &entries, is_drop_in, by_name);
    if (count < 0 && (errno == ENOENT || errno == ENOTDIR))
        return 0;
    if (count < 0)
        return config_fail(l, "%s: cannot read: %s", folder, strerror(errno));
    int err = 0;
    l->origin = FROM_DROP_IN;
    for (int i = 0; i < count; i++) {
        if (err == 0)
            err = read_drop_in(l, folder, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return err;
}
