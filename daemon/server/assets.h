/*
 * assets.h - the files of the page: built into the program, or read from a folder while developing.
 * Loop thread.
 */
#ifndef FFTD_DAEMON_SERVER_ASSETS_H
#define FFTD_DAEMON_SERVER_ASSETS_H

#include <stdbool.h>
#include <stddef.h>

/* Written by cmake/embed.cmake: every file below web/, a zeroed one last. */
struct embedded_file {
    const char *path; /* "/index.html" */
    const unsigned char *begin, *end;
};
extern const struct embedded_file embedded_files[];

struct asset {
    const unsigned char *data;
    size_t size;
    const char *type;      /* MIME type, from the name */
    char etag[40];         /* "\"...\"", from the content */
    unsigned char *memory; /* of a file that was read; NULL: built in */
};

enum { ASSET_MAX = 16 << 20 }; /* bytes of a file from a folder */

/*
 * path: absolute, already percent-decoded; "/" and folders mean their index.html. root: NULL for
 * the built-in files. -ENOENT: there is no such file (or it lies outside of root), -EFBIG, -errno.
 */
int asset_load(struct asset *a, const char *path, const char *root);
void asset_free(struct asset *a);
/* 0, or -errno with one line in error: the root is no folder. */
int asset_check_root(const char *root, char *error, size_t error_size);

#endif
