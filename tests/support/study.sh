# study.sh - sourced by the tests of the studies of fft-bench, which is $bench.
bad=0
say() { echo "$*"; bad=1; }
# need_driver: an OpenCL driver, which $OCL_ICD_VENDORS names, or the test is skipped; what it keeps lies here.
need_driver() {
    if [ ! -e "$OCL_ICD_VENDORS" ]; then
        echo "SKIPPED: no OpenCL driver $OCL_ICD_VENDORS"
        exit 77
    fi
    export XDG_CACHE_HOME="$PWD/cache"
    mkdir -p "$POCL_CACHE_DIR" "$XDG_CACHE_HOME"
}
# run_study NAME: all of its tables, small.
run_study() {
    study=$("$bench" study "$1" --quick --json) || say "failed: study $1"
    ! command -v python3 >/dev/null || echo "$study" | python3 -m json.tool >/dev/null || say 'the study is no JSON'
}
# rows TABLE COUNT [PATTERN]: so many rows (that match).
rows() {
    [ "$(echo "$study" | grep "\"table\":\"$1\"" | grep -cE -e "${3:-}")" -eq "$2" ] ||
        say "not $2 rows of $1 with '${3:-}': $(echo "$study" | grep "\"table\":\"$1\"")"
}
