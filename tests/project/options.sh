#!/usr/bin/env bash
# Tests the command line and the configuration file of the program: refusals, printed configurations,
# and a reload.
#
#     options.sh BUILD-TREE
. "$(dirname "$0")/../support/tap.sh"
fftd=${1:?}/daemon/fftd
conf=$(realpath "$(dirname "$0")/../../config/fftd.conf")
pid=
trap '[ -z "$pid" ] || kill $pid 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1

# refuses CULPRIT OPTION...: exit 1, one line with CULPRIT on standard error, and no output files.
refuses() {
    local culprit=$1 rc
    shift
    timeout 60 "$fftd" --csv began.csv --stats began.json "$@" >out 2>err
    rc=$?
    [ $rc -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$culprit" err &&
        [ ! -s out ] && [ ! -e began.csv ] && [ ! -e began.json ] && return
    echo "exit $rc"
    cat err
    return 1
}
check "a rate of 0 is refused" refuses "--rate: bad value '0'" --source sim --rate 0
check "a rate that is not a number is refused" refuses "--rate: bad value 'nan'" --source sim --rate nan
check "an FFT size of 4 Gi is refused" refuses "'4294967296': expected a power of two" --fft-size 4294967296
check "an unknown window is refused" refuses "unknown window 'hamm': one of rect, hann" --window hamm
check "an unknown option is refused" refuses "--nosuch" --nosuch
check "a word is the recording" refuses "x_1M.cu8: No such file or directory" x_1M.cu8 --csv= --stats=
check "a second recording is refused" refuses "y.cu8: unexpected argument: the recording is already x.cu8" x.cu8 y.cu8
check "a missing file is refused" refuses "nosuch.conf: cannot open" -c nosuch.conf
check "a directory in place of a file is refused" refuses "/: cannot open: Is a directory" -c /
check "a device in place of a file is refused" refuses "/dev/zero: cannot open: not a regular file" -c /dev/zero
printf '[radio]\nrate = 2M\ncentre = 100M\n' >typo.conf
check "an unknown key is refused" refuses "typo.conf:3: unknown key 'centre' in [radio]" -c typo.conf

check "--check-config reports an error in a file" \
    equals "fftd: typo.conf:3: unknown key 'centre' in [radio]: did you mean center?" "$fftd" --check-config -c typo.conf
check "--check-config accepts a correct file" equals ok "$fftd" --check-config -c "$conf"
# --check-config opens what the settings name, creates nothing, and accepts the address of a running fftd.
snapshot() { ls && cksum -- *.token zeros* *.wav; }
unusable() {
    local culprit=$1 before
    shift
    before=$(snapshot)
    timeout 60 "$fftd" --check-config "$@" >folder/out 2>folder/err
    [ $? -eq 1 ] && [ ! -s folder/out ] && [ "$(wc -l <folder/err)" -eq 1 ] &&
        grep -qF -- "$culprit" folder/err && equals "$before" snapshot && return
    cat folder/err
    return 1
}
usable() {
    local before
    before=$(snapshot)
    equals ok timeout 60 "$fftd" --check-config "$@" && equals "$before" snapshot
}
head -c 100000 /dev/zero >zeros_1000k.cu8
echo "RIFF" >broken.wav
printf '\n' >empty.token
echo "open sesame, please" >good.token
mkdir folder
mkfifo pipe_1000k.cu8
check "an unknown engine is unusable" unusable 'no engine is called "foo": this build has' --engine foo
check "an unknown instruction set is unusable" unusable 'no instruction set "foo": this build has' --isa foo
check "options of OpenCL are checked" unusable 'option "plan=foo": expected' --engine-options plan=foo
check "a missing recording is unusable" unusable "nosuch.cu8: No such file" nosuch.cu8
check "a recording with a broken header is unusable" unusable "broken.wav" broken.wav
check "a ring that is too small is unusable" unusable "ring-size" zeros_1000k.cu8 --ring-size 64k -n 1M
check "a simulation with bad arguments is unusable" unusable "seed" --source sim -d seed=x
check "an empty token file is unusable" unusable "empty.token" --token-file empty.token
check "a missing token file is unusable" unusable "nosuch.token: No such file" --token-file nosuch.token
check "a missing web root is unusable" unusable "nosuch" --web-root nosuch
check "an output in a missing folder is unusable" unusable "nosuch/out.csv: No such file" --csv nosuch/out.csv
check "a folder is no output" unusable "folder: Is a directory" --json folder
check "a socket in a missing folder is unusable" unusable "listen unix:/nosuch/x: No such file" --listen unix:/nosuch/x
check "a file in place of the socket is unusable" unusable "no socket" --listen "unix:$work/good.token"
check "an unknown group is unusable" unusable "socket-group nosuch" --listen "unix:$work/x" --socket-group nosuch
check "a recording, outputs and a token are usable" usable zeros_1000k.cu8 --csv out.csv --json - --stats folder/stats \
    --listen 127.0.0.1:0 --token-file good.token
check "a pipe is not read" usable pipe_1000k.cu8
check "standard input is not read" usable - --format cu8 --rate 1M
check "the folders of the service need not exist" usable --listen unix:/run/fftd/http.sock --csv /var/lib/fftd/x.csv
prints_what_it_reads() {
    "$fftd" --print-config -d driver=x -f 433.92M -s 2.4M -w 'kaiser(9)' >printed.conf &&
        "$fftd" --print-config -c printed.conf | cmp - printed.conf
}
check "--print-config prints a file that prints the same" prints_what_it_reads
nowhere_to_print() { ! "$fftd" --help >/dev/full; }
check "--help fails if it cannot be written" nowhere_to_print

# A reload applies the settings that can change, names the others, and changes nothing on an error.
log_has() { grep -F -- "$1" log; }
reload_with() { printf "$1" >live.conf && kill -HUP $pid; }
printf '[radio]\ncenter = 100M\n' >live.conf
"$fftd" --source sim --listen none -c live.conf --csv lines.csv 2>log &
pid=$!
check "the simulation runs" eventually 30 log_has "100000000 Hz" || finish
reload_with '[radio]\ncenter = 101M\n[spectrum]\nfft-size = 1024\n[server]\nmax-clients = 3\n'
check "a reload logs the changed settings" eventually 30 \
    log_has "changed center, fft-size; needs a restart: max-clients"
reload_with '[spectrum]\nfft-size = 100\n'
check "a broken file is refused" eventually 30 log_has "live.conf:2: fft-size: bad value '100'"
rows_have_1024_levels() { awk -F, 'NF == 6 + 1024 { found = 1 } END { exit !found }' lines.csv; }
check "the first change stays in effect" eventually 30 rows_have_1024_levels
kill -TERM $pid
wait $pid
rc=$? pid=
"$fftd" --source sim --listen 127.0.0.1:0 2>log &
pid=$!
check "another fftd serves" eventually 30 log_has serving
check "the address of a running fftd is usable" usable --source sim \
    --listen "$(sed -n 's,.*serving http://\(.*\)/.*,\1,p' log)"
kill -TERM $pid
wait $pid
pid=
check "it exits with status 0" equals 0 echo $rc
finish
