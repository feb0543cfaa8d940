# Shared by the scripts here: named checks, reported as TAP, and a work folder. Sourced, bash.

checks=0
failures=0
work=$(mktemp -d /var/tmp/fftd-test.XXXXXX)

# check NAME COMMAND...: "ok" when it succeeds, else "not ok" and what it said.
check() {
    local name=$1 said
    shift
    checks=$((checks + 1))
    if said=$("$@" 2>&1); then
        echo "ok $checks - $name"
    else
        failures=$((failures + 1))
        echo "not ok $checks - $name"
        sed 's/^/# /' <<<"$said"
        return 1
    fi
}

# silent COMMAND...: succeeds only if nothing at all is said.
silent() {
    local said
    said=$("$@" 2>&1) && [ -z "$said" ] && return
    echo "$said"
    return 1
}

# equals EXPECTED COMMAND...: the command's output is exactly that.
equals() {
    local expected=$1 said
    shift
    said=$("$@" 2>&1)
    [ "$said" = "$expected" ] && return
    echo "expected: $expected"
    echo "got:      $said"
    return 1
}

# eventually SECONDS COMMAND...: tries again until it succeeds, or the time is over.
eventually() {
    local until=$((SECONDS + $1)) said
    shift
    while ! said=$("$@" 2>&1); do
        [ "$SECONDS" -lt "$until" ] || { echo "$said"; return 1; }
        sleep 0.2
    done
}

# skip_check NAME WHY: what cannot be checked here is named, and counted as skipped.
skip_check() {
    checks=$((checks + 1))
    echo "ok $checks - $1 # SKIP $2"
}

# The whole script.
skip() { echo "skipped: $*"; exit 77; }

# Ends the script: with no check done, or one failed, it is no success.
finish() {
    echo "1..$checks"
    [ "$checks" -gt 0 ] && [ "$failures" -eq 0 ]
    exit
}
