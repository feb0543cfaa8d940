#!/usr/bin/env bash
# Checks which commit a build names (cmake/revision.cmake), in a repository of its own.
#
#     revision.sh SOURCE-TREE PROGRAM
. "$(dirname "$0")/../support/tap.sh"
source=$(realpath "${1:?}") program=${2:?}
trap 'rm -rf "$work"' EXIT
for tool in git cmake tar; do
    command -v "$tool" >/dev/null || skip "no $tool"
done

# found FOLDER ASK-GIT [CMAKE-ARGUMENT...]: the commit that a build of this folder names.
cat >"$work/ask.cmake" <<'END'
include(${folder}/cmake/revision.cmake)
fftd_find_revision(commit ${folder} ${ask_git})
execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${commit}")
END
found() { cmake -Dfolder="$1" -Dask_git="$2" "${@:3}" -P "$work/ask.cmake"; }

repository=$work/repository
mkdir -p "$repository/cmake" && cp "$source"/cmake/revision.{cmake,txt} "$repository/cmake/"
cp "$source/.gitattributes" "$repository/"
as_somebody() { git -C "$repository" -c user.name=x -c user.email=x@example.org -c commit.gpgsign=false "$@"; }
as_somebody init -q && as_somebody add . && as_somebody commit -q -m one || { echo "git failed"; exit 1; }
commit=$(git -C "$repository" rev-parse HEAD)

check "a build of a clone names its commit" equals "$commit" found "$repository" ON
check "a build for daily work does not ask git" equals "" found "$repository" OFF
check "FFTD_REVISION wins" equals mine found "$repository" ON -DFFTD_REVISION=mine
echo "# changed" >>"$repository/cmake/revision.cmake"
check "changed sources are dirty" equals "$commit-dirty" found "$repository" ON
mkdir "$work/archive" && git -C "$repository" archive HEAD | tar -x -C "$work/archive"
check "an archive names its commit" equals "$commit" found "$work/archive" OFF
mkdir -p "$repository/below" && cp -r "$source/cmake" "$repository/below/"
check "a folder in another repository has none" equals "" found "$repository/below" ON

if [ -e "$source/.git" ]; then
    check "script/release makes the same tarball twice" "$source/script/release"
    head=$(git -C "$source" rev-parse HEAD) tarballs=("$source"/build/release-files/fftd-*.tar.gz)
    mkdir "$work/release" && tar -x -C "$work/release" --strip-components=1 -f "${tarballs[-1]}"
    check "which names its commit" equals "$head" found "$work/release" OFF
else
    skip_check "script/release makes the same tarball twice" "no clone"
fi
names_a_commit() { "$program" --version | sed -n 2p | grep -xE 'commit: .+'; }
check "the second line of --version is the commit" names_a_commit
finish
