#!/bin/sh
# Checks the architecture: rooms include only what the list allows, one place speaks to each foreign library,
# back-ends export one symbol, the library's symbols carry a prefix, names of files are unique, includes go one way.
# Names large files and functions, as advice.
#
#     check_layers.sh SOURCE-TREE [BUILD-TREE]
cd "${1:?}" || exit 2
export LC_ALL=C
build=${2:-}
bad=0
say() { echo "$*"; bad=1; }

# may_not PATTERN EXCEPT WHY FILE...: only files that match EXCEPT may contain PATTERN.
may_not() {
    pattern=$1 except=$2 why=$3
    shift 3
    for hit in $(grep -lE -e "$pattern" "$@" 2>/dev/null | grep -vE -e "$except"); do
        say "$hit: $why"
    done
}
include() { echo "^ *# *include *[<\"]($1)"; }
sources() { find "$@" -name '*.[ch]' -o -name '*.[ch]pp' -o -name '*.cu' 2>/dev/null; }

library=$(sources fft)
daemon=$(sources daemon)
bench=$(sources bench)
examples=$(sources examples)
kernels=$(find kernels -type f)
helpers=$(sources reference emulate tools)
studies=$(sources studies)
tests=$(find tests -name node_modules -prune -o \( -name '*.[ch]' -o -name '*.[ch]pp' -o -name '*.sh' -o -name '*.mjs' \) -print)
page=$(find web -name '*.js' -o -name '*.css' -o -name '*.html')

# ---- who may include whom ------------------------------------------------------------------

nobody='^$'
may_not "$(include '(daemon|bench|studies|tests|reference|emulate|tools)/')" "$nobody" \
    'fft/ knows only itself and kernels/' $library
may_not "$(include '(daemon|bench|studies|tests|reference|emulate/qpu|tools)/')" "$nobody" \
    'kernels/ know only the library; emulate/cuda stands in for the CUDA compiler' $kernels
may_not "$(include '(bench|studies|tests|reference|emulate|tools)/')" "$nobody" \
    'the daemon knows neither tests nor benches nor studies' $daemon
may_not "$(include '(daemon|studies|tests)/')" "$nobody" 'the bench knows neither tests nor daemon nor studies' $bench
may_not "$(include '(daemon|bench|studies|tests|reference|emulate|tools|kernels)/|fft/[a-z]+/|"fft/')" "$nobody" \
    'examples/ know only the installed headers of the library' $examples
may_not "$(include '(daemon|bench|studies|tests)/')" "$nobody" \
    'reference/, emulate/ and tools/ are what tests and bench stand on' $helpers

# A study knows the library and its helpers; nobody knows a study, not even another one, and none is installed.
may_not "$(include 'daemon/')" "$nobody" 'a study is not of the daemon' $studies
may_not "$(include 'tests/')" '^studies/(.*/)?tests/' 'only the tests of a study include tests/' $studies
may_not "$(include 'studies/')" "$nobody" 'only studies/ knows the studies' $tests
documents=$(ls studies/*/CMakeLists.txt | cut -d / -f 2)
for document in $documents; do
    others=$(echo "$documents" | grep -vx "$document" | paste -s -d '|')
    may_not "$(include "studies/($others)/")" "$nobody" 'a study knows no other one' $(sources "studies/$document")
done
may_not 'studies/|fft-study' "$nobody" 'daemon/, fft/ and kernels/ do not name the studies' $(find daemon fft kernels -type f)
may_not '^ *install\(' "$nobody" 'studies are not installed' $(find studies -name CMakeLists.txt)

may_not "$(include 'uv\.h|libwebsockets|jansson|ini\.h|sqlite3|zstd|SoapySDR')" "$nobody" \
    'fft/ is a plain library: no event loop, server, JSON, database or radio' $library
may_not "$(include 'CL/|cuda|vulkan')" '^fft/(opencl|cuda|qpu)/' 'only an engine speaks to its GPU' \
    $library $daemon
may_not "$(include 'fft/(cpu|opencl|cuda|qpu)/')" '^fft/((cpu|opencl|cuda|qpu)/|engine_list.c)' \
    'only an engine includes its own folder' $library $daemon
may_not "$(include 'libwebsockets')" '^daemon/(http|live|hub/serve|trigger/webhook)/' 'only http, live, a hub and webhooks speak libwebsockets' $daemon
may_not "$(include 'SoapySDR')" '^daemon/source/soapy/' 'only daemon/source/soapy speaks SoapySDR' $daemon
may_not "$(include 'nats/')" '^daemon/nats/link_(process|options)' 'only link_process.c and link_options.c of daemon/nats speak libnats' $daemon
may_not "$(include 'ini\.h')" '^daemon/config/' 'only daemon/config reads INI files' $daemon
may_not 'json_dump|JSON_REAL_PRECISION' '^daemon/base/json\.c' 'only json_text of daemon/base/json.c writes JSON: its numbers read back' $daemon
may_not 'PRI[a-zA-Z]+64' "$nobody" 'integers of 64 bits are printed as long long, with a cast' $library $daemon
may_not 'float complex|_Complex|complex\.h' '^tests/check_layers' 'no complex types: struct fft_iq' \
    $library $daemon

# The daemon's rooms, "room: rooms": what each may include beside itself, as its CMakeLists.txt says. Files
# directly in daemon/ include all of them. A pair that no file uses is to be taken out.
rooms=$(for list in daemon/*/CMakeLists.txt; do
    awk '/^fftd_room\(/ { sub(/.*\(/, ""); room = $1 }
         $1 == "ROOMS" { sub(/\).*/, ""); $1 = ""; names = $0 }
         END { print room ":" names }' "$list"
done)
find daemon -mindepth 2 -name '*.[ch]' -exec grep -HoE '^ *# *include *"daemon/[^"]*' {} + |
    awk -v rooms="$rooms" -F'[:"/]' '
        BEGIN {
            for (i = split(rooms, row, "\n"); i > 0; i--) {
                split(row[i], part, ":"); room = part[1]; gsub(/ /, "", room)
                if (room == "") continue
                listed[room] = 1
                for (j = split(part[2], names, " "); j > 0; j--) may[room " " names[j]] = 1
            }
        }
        {
            path = $0; sub(/:.*/, "", path)
            known = $0; sub(/.*"daemon\//, "", known); sub(/\/.*/, "", known)
            room = path; sub(/^daemon\//, "", room); sub(/\/.*/, "", room)
            if (!(room in listed)) { print path ": daemon/" room " is not in the list of rooms"; n++ }
            else if (room != known && !((room " " known) in may)) {
                print path ": daemon/" room " may not include daemon/" known; n++
            }
            used[room " " known] = 1
        }
        END {
            for (pair in may) if (!(pair in used)) {
                split(pair, names, " "); print "daemon/" names[1] " includes daemon/" names[2] " no more: take it out of the list"; n++
            }
            exit n > 0
        }' || bad=1

# ---- names, folders, circles -----------------------------------------------------------------

# A file is searched and spoken of without its folder.
for name in $(echo "$daemon" "$library" | tr ' ' '\n' | sed 's#.*/##' | sort | uniq -d); do
    say "$name: more than one file has this name: $(find daemon fft -name "$name" | tr '\n' ' ')"
done

for folder in $(echo "$daemon" | sed 's#/[^/]*$##' | sort | uniq -c | awk '$1 > 30 { print $2 }'); do
    say "$folder: more than 30 C files and headers"
done

# Within a room, files build upon one another in one direction. x.c and x.h are one.
circle=$(grep -HoE '^ *# *include *"daemon/[^"]*' $daemon | sed -E 's/\.[ch]:.*"/ /; s/\.h$//' | awk '
    function room(path, part) { return split(path, part, "/") > 2 ? part[2] : "" }
    $1 != $2 && room($1) == room($2)' | tsort 2>&1 >/dev/null | sed -n 's#^tsort: daemon/#daemon/#p')
[ -z "$circle" ] || say "includes go round: $(echo $circle)"

# So do folders, also a folder and those within it. A list names its back-ends, which are built upon its folder.
across=$(grep -HoE '^ *# *include *"(daemon|fft)/[^"]*' $library $daemon | grep -v '^fft/engine_list\.c:' |
    sed 's/:.*"/ /' | awk '
    function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
    function name(path) { sub(/.*\//, "", path); sub(/\.[ch]$/, "", path); return path }
    folder($1) != folder($2) && name($1) != name($2) { print folder($1), folder($2), $1 }')
circle=$(echo "$across" | awk '{ print $1, $2 }' | tsort 2>&1 >/dev/null | sed -nE 's#^tsort: ((daemon|fft).*)#\1#p' | sort -u)
for folder in $circle; do
    for other in $circle; do
        files=$(echo "$across" | awk -v from="$folder" -v to="$other" '$1 == from && $2 == to { print $3 }' | sort -u)
        [ -z "$files" ] || say "includes of folders go round: $folder includes $other in" $files
    done
done

# ---- sizes -----------------------------------------------------------------------------------

# Advice, no failure: what must be read together stands together.
wc -l $library $daemon $bench $examples $kernels $helpers $studies $tests $page $(find script .ci -type f) |
    awk '$1 > 500 && $2 != "total" { print $2 ": " $1 " lines: are there two things in it?" }'
[ "$(ls daemon/*.c | wc -l)" -le 6 ] || say 'daemon/: more than six C files lie outside its rooms'

# Likewise. A function begins with "{" alone in the first column and ends with "}" there.
awk '
    FNR == 1 { from = 0 }
    /^\{$/ { from = FNR; head = before }
    /^\}$/ && from {
        if (FNR - from - 1 > 60) print FILENAME ": " FNR - from - 1 " lines: does it do one thing? " head
        from = 0
    }
    { before = $0 }' $library $daemon $bench $examples $helpers $studies $(find tests -name '*.c')

# One of the first two lines of a C file says what the file is for.
for file in $(awk '
    FNR == 1 { name = FILENAME; sub(/.*\//, "", name); found = 0 }
    FNR <= 2 && index($0, name " - ") { found = 1 }
    FNR == 2 && !found { print FILENAME }' $library $daemon $bench $examples $helpers $studies $(find tests -name '*.[ch]')); do
    say "$file: its first line does not say what it is for"
done

# A file of an engine carries the engine's name, as its symbols do; so file names of the library are unique.
for file in $(sources fft/cpu fft/cuda fft/opencl fft/qpu); do
    engine=${file#fft/}
    engine=${engine%%/*}
    case ${file##*/} in
    "$engine"_*|engine_"$engine".[ch]) ;;
    *) say "$file: its name does not begin with ${engine}_" ;;
    esac
done

# ---- symbols -----------------------------------------------------------------------------------

[ -n "$build" ] || exit $bad
defined() { nm -g --defined-only "$1" | awk '$2 ~ /^[A-Z]$/ && $2 != "U" { print $3 }' | grep -v '^__\(odr_\)\?asan'; }

# A back-end exports its ops table and nothing else. Only files that hold such a table count.
tables=$(grep -lE '^const struct [a-z_]+_ops [a-z0-9_]+ = ' $library $daemon)
objects=$(find "$build/fft" "$build/daemon" -name '*.c.o' | awk -v tables="$tables" '
    BEGIN { for (i = split(tables, row, "\n"); i > 0; i--) { name = row[i]; sub(/.*\//, "", name); is[name ".o"] = 1 } }
    { name = $0; sub(/.*\//, "", name) } name in is')
[ -n "$objects" ] || say "$build: no object of a file with an ops table"
nm -A -g --defined-only $objects | awk '
    $2 ~ /^[A-Z]$/ && $3 !~ /^__(odr_)?asan/ { file = $1; sub(/:[^:]*$/, "", file); has[file, ++n[file]] = $3 }
    END {
        for (file in n) if (n[file] > 1) {
            for (i = 1; i <= n[file]; i++) names = names " " has[file, i]
            print file ": exports" names ", and should export its ops table alone"; bad = 1
        }
        exit bad
    }' || bad=1

# The linker takes a symbol that two files of the library define from whichever comes first. Every symbol
# carries the prefix of the library or of an engine.
for archive in $(find "$build/fft" -name 'libfftd-fft.a'); do
    for symbol in $(defined "$archive" | sort | uniq -d); do
        say "$symbol: more than one file of the library defines it"
    done
    for symbol in $(defined "$archive" | grep -vE '^(fft|cpu|cuda|opencl|qpu)_'); do
        say "$symbol: the library's symbols begin with fft_, cpu_, cuda_, opencl_ or qpu_"
    done
done

# A room calls itself and the rooms of its list, also where a prototype without a header would compile.
nm -A -g "$build"/daemon/*/libfftd_*.a 2>/dev/null | sed -n 's#^[^:]*/libfftd_\([a-z_]*\)\.a:[^:]*:# \1 #p' | awk -v rooms="$rooms" '
    BEGIN {
        for (i = split(rooms, row, "\n"); i > 0; i--) {
            split(row[i], part, ":")
            for (j = split(part[2], names, " "); j > 0; j--) may[part[1] " " names[j]] = 1
        }
    }
    NF == 3 && $2 == "U" { need[++n] = $1 " " $3 }
    NF == 4 && $3 ~ /^[A-Z]$/ { home[$4] = $1 }
    END {
        for (i = 1; i <= n; i++) {
            split(need[i], word, " "); room = word[1]; at = home[word[2]]
            if (at != "" && at != room && !((room " " at) in may) && !reported[need[i]]++) {
                print "daemon/" room " calls " word[2] " of daemon/" at ", which is not among its ROOMS"; bad = 1
            }
        }
        exit bad || n == 0
    }' || bad=1
exit $bad
