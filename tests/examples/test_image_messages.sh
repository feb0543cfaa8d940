#!/bin/sh
# test_image_messages.sh FFT-IMAGE - fft-image refuses bad input with one line that names the culprit, and writes
# nothing then.
image=$1
bad=0
say() { echo "$*"; bad=1; }
. "$(dirname "$0")/../support/refused.sh"

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
picture() { printf '%s\n' "$1" >"$2" && head -c "$3" /dev/zero >>"$2"; }
picture 'P5 4 3 255' good.pgm 12
picture 'P5 4 3 255' short.pgm 11
picture 'P6 4 3 65535' short.ppm 71
picture 'P2 4 3 255' text.pgm 12
picture 'P4 4 3' bits.pbm 12
picture 'P5 0 3 255' flat.pgm 0
picture 'P5 8192 8192 255' huge.pgm 0
picture 'P5 4 3 65536' deep.pgm 24
picture 'P5 4 3 0' black.pgm 12
picture 'P5 4 x 255' letter.pgm 12
picture 'P5 4 3' headless.pgm 0
picture 'P5 123456789 3 255' long.pgm 12
picture 'P5 4000 4000 255' large.pgm 16000000
: >empty.pgm
printf '1 2\n3 x4\n' >letters.txt
printf '1 2\n\n3\n' >ragged.txt
printf '# none\n' >none.txt
printf '1 nan\n' >nan.txt
printf '1 2\n' >good.txt

no() { refused "$image" "$@" out.pgm; }
refused "$image" 'give one of --high-pass'
no 'give one of --high-pass' good.pgm
no 'give only one of' --high-pass 0.1 --low-pass 0.1 good.pgm
refused "$image" 'name the input' --high-pass 0.1
refused "$image" 'name the output' --high-pass 0.1 good.pgm
no '"out.pgm" is not understood' --high-pass 0.1 good.pgm more.pgm
no '"--sharpen"' --sharpen good.pgm
refused "$image" '--kernel needs' good.pgm out.pgm --kernel
for cutoff in 0 0.3 -1 x 0.1x nan; do
    no "--high-pass \"$cutoff\"" --high-pass $cutoff good.pgm
done
no '--offset "2"' --high-pass 0.1 --offset 2 good.pgm
no 'abacus' --engine abacus --high-pass 0.1 good.pgm
no 'nosuch.pgm: No such file' --high-pass 0.1 nosuch.pgm
no 'empty.pgm: not a PGM or PPM' --high-pass 0.1 empty.pgm
no 'short.pgm: ends after 11 of 12 bytes' --high-pass 0.1 short.pgm
no 'short.ppm: ends after 71 of 72 bytes' --high-pass 0.1 short.ppm
no 'text.pgm: P2 is not supported' --high-pass 0.1 text.pgm
no 'bits.pbm: P4 is not supported' --high-pass 0.1 bits.pbm
no 'flat.pgm: 0 x 3 pixels' --high-pass 0.1 flat.pgm
no 'huge.pgm: 8192 x 8192 pixels' --high-pass 0.1 huge.pgm
no 'deep.pgm: largest level 65536' --high-pass 0.1 deep.pgm
no 'black.pgm: largest level 0' --high-pass 0.1 black.pgm
for name in letter headless long; do
    no "$name.pgm: width, height and largest level" --high-pass 0.1 $name.pgm
done
no '4000 x 4000 pixels and the border for a kernel of 1875 x 1875' --engine cpu --high-pass 0.001 large.pgm
no 'nosuch.txt: No such file' --kernel nosuch.txt good.pgm
no 'letters.txt:2: "x4" is not a number' --kernel letters.txt good.pgm
no 'ragged.txt:3: 1 numbers, and 2 in the first row' --kernel ragged.txt good.pgm
no 'none.txt: no numbers' --kernel none.txt good.pgm
no 'nan.txt:1: "nan" is not a number' --kernel nan.txt good.pgm
[ ! -e out.pgm ] || say 'a refused command has written a picture'
refused "$image" 'nosuch/out.pgm: No such file' --engine cpu --kernel good.txt good.pgm nosuch/out.pgm
[ ! -e /dev/full ] || refused "$image" '/dev/full: No space' --engine cpu --kernel good.txt good.pgm /dev/full

"$image" --engine cpu --verbose --kernel good.txt good.pgm out.pgm 2>said || say 'a good command fails'
grep -q '^4 x 3 pixels, kernel 2 x 1, transforms of 6 x 4 on cpu: ' said || say "said: $(cat said)"
"$image" --help | grep -q -e '--high-pass CUTOFF' || say 'no help'
exit $bad
