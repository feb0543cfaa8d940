#!/bin/sh
# test_emu_programs.sh - tests qpu-emu in fftd and fft-bench: by name only, correct, not in a release.
#
#     test_emu_programs.sh FFTD FFT-BENCH PRESENT
fftd=$1 bench=$2 present=$3
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
bad=0
say() { echo "$*"; bad=1; }

# rows ENGINE FILE: writes half a second of the simulated radio's spectra as CSV, the same for every engine.
rows() {
    "$fftd" --source sim --rate 256k --fft-size 1024 --fast --duration 0.5 --listen none --engine "$1" \
        --csv "$2" >"$folder/log" 2>&1
}

"$fftd" --list-engines >"$folder/list" 2>&1
if [ "$present" != 1 ]; then
    grep -q qpu-emu "$folder/list" && say "a release has qpu-emu: $(cat "$folder/list")"
    rows qpu-emu "$folder/none" && say 'a release accepts --engine qpu-emu'
    grep -q 'no engine is called "qpu-emu"' "$folder/log" || say "another reason: $(cat "$folder/log")"
    "$bench" spectrum --engine qpu-emu --n 256 --quick >/dev/null 2>&1 && say 'its bench has qpu-emu'
    exit $bad
fi

grep -q '^qpu-emu *ok: qpu-emu: ' "$folder/list" || say "not listed: $(cat "$folder/list")"
rows cpu "$folder/cpu" || say "the cpu engine: $(cat "$folder/log")"
rows qpu-emu:7 "$folder/emu" || say "qpu-emu: $(cat "$folder/log")"
# same_levels CSV: compares the levels with the cpu engine's, row by row; both are rounded to 0.01 dB.
same_levels() {
    paste -d, "$folder/cpu" "$1" | awk -F, '
    { for (i = 1; i <= NF / 2; i++) { d = $i - $(i + NF / 2); if (d < 0) d = -d; if (d > worst) worst = d } }
    NF % 2 { print "rows of different lengths"; bad = 1 }
    END { if (worst > 0.011) { print "a level differs by " worst; bad = 1 } exit bad }' ||
        say "other levels: $1"
}
[ "$(wc -l <"$folder/cpu")" -gt 5 ] || say "few rows: $(cat "$folder/cpu")"
same_levels "$folder/emu"
grep -q 'lost 0, ' "$folder/log" || say "lost samples: $(cat "$folder/log")"
grep -q 'closed while in use' "$folder/log" && say "a dirty end: $(cat "$folder/log")"

# The fifth launch, counting the self-test's, does not end: the CPU engine takes over, and no sample is lost.
rows qpu-emu:0,4 "$folder/lost" || say "a launch that does not end: $(cat "$folder/log")"
same_levels "$folder/lost"
grep -q 'a program of the QPUs did not end' "$folder/log" || say "not reported: $(cat "$folder/log")"
grep -q 'lost 0, .*cpu:' "$folder/log" || say "lost samples, or another engine: $(cat "$folder/log")"
grep -q 'closed while in use' "$folder/log" && say "a dirty end: $(cat "$folder/log")"

# SIGTERM after the first row, while launches run.
mkfifo "$folder/rows"
"$fftd" --source sim --rate 200k --fft-size 1024 --listen none --engine qpu-emu --csv "$folder/rows" \
    >"$folder/log" 2>&1 &
daemon=$!
{ read -r _ && kill -TERM $daemon && cat >/dev/null; } <"$folder/rows"
wait $daemon || say "SIGTERM: status $?: $(cat "$folder/log")"
grep -q 'closed while in use' "$folder/log" && say "a dirty end: $(cat "$folder/log")"

row=$("$bench" spectrum --engine qpu-emu --n 1K --quick --json 2>/dev/null) || say 'fft-bench failed'
echo "$row" | grep -qE '"engine":"qpu-emu".*"rel_error":[1-9](\.[0-9]+)?e-0?[67]' || say "the row: $row"
"$bench" transform --n 512,4K --engine qpu-emu --quick --json 2>/dev/null |
    grep -cE '"rel_error":[1-9](\.[0-9]+)?e-0?7' | grep -qx 2 || say 'transforms on the bench'
rows qpu-emu:77 "$folder/none" && say 'a mode that there is not'
grep -q "'77': the device is empty, or a mode: 0 to 9" "$folder/log" || say "its reason: $(cat "$folder/log")"
exit $bad
