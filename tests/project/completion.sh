#!/usr/bin/env bash
# Completes command lines in the shells themselves, with the scripts of fftd --completion.
#
#     completion.sh PROGRAM
. "$(dirname "$0")/../support/tap.sh"
program=$(realpath "${1:?}") here=$(cd "$(dirname "$0")" && pwd)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir -p folder && touch folder/band.iq radio.conf

# bash_completes WORD...: what bash offers for the last word.
bash_completes() {
    bash --norc -c 'source ./fftd.bash; COMP_WORDS=(fftd "$@"); COMP_CWORD=$#; _fftd; printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}
# The line has no trailing space: the last word is being typed.
fish_completes() { HOME=$work fish --no-config -c 'source ./fftd.fish; complete -C "$argv"' -- "fftd $*" | cut -f1; }
zsh_completes() { zsh -f "$here/complete.zsh" "$work/site" "fftd $*" | tr -s ' \r' '\n\n'; }
# offers SHELL WANTED -- WORD...: every wanted word is offered.
offers() {
    local shell=$1 wanted=$2 word got
    shift 3
    got=$("${shell}_completes" "$@")
    for word in $wanted; do
        grep -qxF -e "$word" <<<"$got" || { printf 'no %s in:\n%s\n' "$word" "$got"; return 1; }
    done
}
# Names are those of --help, not of the script.
mapfile -t options < <("$program" --help | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -e '--[a-z-]+')
offers_all_options() { offers "$1" "${options[*]}" -- --; }
check_shell() {
    local shell=$1
    check "$shell: every option of --help is completed" offers_all_options "$shell"
    check "$shell: choices of a value" offers "$shell" "soapy sim" -- --source s
    check "$shell: windows" offers "$shell" "hann hamming" -- --window h
    check "$shell: a file for --config" offers "$shell" "radio.conf" -- --config rad
    check "$shell: commands" offers "$shell" "verify version" -- ve
    check "$shell: what list lists" offers "$shell" "devices engines measurements triggers" -- list ""
    check "$shell: commands after help" offers "$shell" "repair" -- help re
}
for shell in bash fish zsh; do
    command -v "$shell" >/dev/null || { skip_check "$shell completes" "no $shell: package $shell"; continue; }
    "$program" --completion "$shell" >"fftd.$shell" || exit 1
    mkdir -p site && cp "fftd.$shell" site/_fftd
    check_shell "$shell"
done
refuses() { ! "$program" --completion csh 2>err && grep -q 'one of bash, zsh, fish' err; }
check "another shell is refused by name" refuses
finish
