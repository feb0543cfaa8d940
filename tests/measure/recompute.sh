#!/bin/sh
# Runs recompute.py with a Python that has numpy; skipped without one.
#
#     recompute.sh MEASURE_FILE
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import numpy' 2>/dev/null; then
        exec "$python" "$(dirname "$0")/recompute.py" "$1"
    fi
done
echo 'no Python with numpy is here (Debian: python3-numpy)'
exit 77
