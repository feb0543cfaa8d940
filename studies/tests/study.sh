# study.sh - sourced by the tests of fft-study, whose path is $fft_study.
bad=0
say() { echo "$*"; bad=1; }
# need_driver: skips the test without the OpenCL driver that $OCL_ICD_VENDORS names; keeps compiled programs with
# the build.
need_driver() {
    if [ ! -e "$OCL_ICD_VENDORS" ]; then
        echo "SKIPPED: no OpenCL driver $OCL_ICD_VENDORS"
        exit 77
    fi
    export XDG_CACHE_HOME="$PWD/cache"
    mkdir -p "$POCL_CACHE_DIR" "$XDG_CACHE_HOME"
}
# run_study DOCUMENT: all of its tables with --quick, as JSON in $study.
run_study() {
    study=$("$fft_study" "$1" --quick --json) || say "failed: fft-study $1"
    ! command -v python3 >/dev/null || echo "$study" | python3 -m json.tool >/dev/null || say 'the study is no JSON'
}
# rows TABLE COUNT [PATTERN]: the table has this many rows (that match).
rows() {
    [ "$(echo "$study" | grep "\"table\":\"$1\"" | grep -cE -e "${3:-}")" -eq "$2" ] ||
        say "not $2 rows of $1 with '${3:-}': $(echo "$study" | grep "\"table\":\"$1\"")"
}
