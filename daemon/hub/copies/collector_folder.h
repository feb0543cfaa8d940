/* collector_folder.h - which radios a folder has archives of: SITE.RADIO. Blocks on the disk. */
#ifndef FFTD_DAEMON_HUB_COPIES_COLLECTOR_FOLDER_H
#define FFTD_DAEMON_HUB_COPIES_COLLECTOR_FOLDER_H

#include "daemon/hub/copies/copy_table.h"

struct reason;

/* Of the name of a folder. False: it is no such name. Pure. */
bool collector_folder_name(const char *name, struct copy_name *out);
/* Adds the copies that have an index, including those of radios that have disappeared. */
void collector_folder_scan(const char *folder, struct copy_table *table);
/* Makes a missing folder (not its parents). -errno with one line in *why that names it. */
int collector_folder_check(const char *folder, struct reason *why);

#endif
