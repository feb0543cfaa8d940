#!/bin/sh
# Runs a Python program of this folder with a Python that has numpy; skipped without one.
#
#     recompute.sh SCRIPT PROGRAM
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import numpy' 2>/dev/null; then
        exec "$python" "$(dirname "$0")/$1" "$2"
    fi
done
echo 'no Python with numpy is here (Debian: python3-numpy)'
exit 77
