/*
 * build_commit.h - the commit that this program was built from; FFTD_VERSION is its version. Pure,
 * any thread.
 */
#ifndef FFTD_DAEMON_SYSTEM_BUILD_COMMIT_H
#define FFTD_DAEMON_SYSTEM_BUILD_COMMIT_H

/* 40 hexadecimal digits, "-dirty" after them if the sources had changes, or what FFTD_REVISION of
 * the build says; "": not known. */
const char *build_commit(void);

#endif
