# tap.sh - named checks, reported as TAP, and a temporary folder. Sourced by bash scripts.

checks=0
failures=0
work=$(mktemp -d /var/tmp/fftd-test.XXXXXX)

# check NAME COMMAND...: prints "ok" if the command succeeds, else "not ok" and its output.
check() {
    local name=$1 output
    shift
    checks=$((checks + 1))
    if output=$("$@" 2>&1); then
        echo "ok $checks - $name"
    else
        failures=$((failures + 1))
        echo "not ok $checks - $name"
        sed 's/^/# /' <<<"$output"
        return 1
    fi
}

# silent COMMAND...: succeeds if the command succeeds without any output.
silent() {
    local output
    output=$("$@" 2>&1) && [ -z "$output" ] && return
    echo "$output"
    return 1
}

# equals EXPECTED COMMAND...: succeeds if the command's output equals EXPECTED.
equals() {
    local expected=$1 output
    shift
    output=$("$@" 2>&1)
    [ "$output" = "$expected" ] && return
    echo "expected: $expected"
    echo "got:      $output"
    return 1
}

# eventually SECONDS COMMAND...: repeats the command until it succeeds or the time is over.
eventually() {
    local until=$((SECONDS + $1)) output
    shift
    while ! output=$("$@" 2>&1); do
        [ "$SECONDS" -lt "$until" ] || { echo "$output"; return 1; }
        sleep 0.2
    done
}

# skip_check NAME WHY: reports a check as skipped.
skip_check() {
    checks=$((checks + 1))
    echo "ok $checks - $1 # SKIP $2"
}

# skip WHY...: ends the script with status 77, which counts as skipped.
skip() { echo "skipped: $*"; exit 77; }

# finish: ends the script. It fails if a check failed or none was run.
finish() {
    echo "1..$checks"
    [ "$checks" -gt 0 ] && [ "$failures" -eq 0 ]
    exit
}
