# refused.sh - sourced by tests of programs that check their command lines; needs say().
# refused PROGRAM NAMED ARGUMENT...: the program fails with one line on standard error that contains NAMED.
refused() {
    program=$1 named=$2
    shift 2
    if line=$("$program" "$@" 2>&1 >/dev/null); then say "accepted: $*"; fi
    [ "$(echo "$line" | wc -l)" -eq 1 ] || say "not one line for $*: $line"
    case $line in *"$named"*) ;; *) say "\"$named\" is not named: $line" ;; esac
}
