/* collector_folder.c - finds the archives that a hub has from earlier runs. */
#include "daemon/hub/copies/collector_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/archive/store/archive_store.h"
#include "daemon/base/log.h"
#include "daemon/base/reason.h"
#include "daemon/files/out_file.h"

bool collector_folder_name(const char *name, struct copy_name *out)
{
    char subject[2 * HUB_WORD + 16];
    struct hub_message m;
    if (strlen(name) >= (size_t)2 * HUB_WORD)
        return false;
    snprintf(subject, sizeof subject, "x.%s.status", name);
    if (hub_message_read(&m, "x", subject, NULL, 0) >= 0)
        return false;
    memcpy(out->site, m.site, sizeof out->site);
    memcpy(out->radio, m.radio, sizeof out->radio);
    return true;
}

static bool has_index(int folder, const char *name)
{
    char path[NAME_MAX + sizeof ARCHIVE_INDEX + 1];
    snprintf(path, sizeof path, "%s/%s", name, ARCHIVE_INDEX);
    return faccessat(folder, path, F_OK, 0) == 0;
}

void collector_folder_scan(const char *folder, struct copy_table *table)
{
    const struct dirent *entry;
    struct copy_name name;
    unsigned without_place = 0;
    DIR *open = opendir(folder);
    while (open && (entry = readdir(open)))
        if (collector_folder_name(entry->d_name, &name) && has_index(dirfd(open), entry->d_name))
            without_place += copy_table_add(table, &name) == 0;
    if (open)
        closedir(open);
    if (without_place > 0)
        log_warn("hub: archives: %s: %u radios more than %d are left out", folder, without_place,
                 COPIES_MAX);
}

int collector_folder_check(const char *folder, struct reason *why)
{
    int err = out_file_make_folder(folder, 0777);
    if (err == 0 && access(folder, W_OK | X_OK) < 0)
        err = -errno;
    return err < 0 ? reason_set(why, err, "%s: %s", folder, strerror(-err)) : 0;
}
