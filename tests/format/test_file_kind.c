/* test_file_kind.c - files are named by their first bytes, and samples are none of them. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/source/iq_signals.h"
#include "tests/support/source/source_support.h"

#include "daemon/format/recording/file_kind.h"

#define HEAD(text) text, sizeof(text) - 1

/* Heads as their programs write them. */
static const struct head {
    const char *name, *bytes;
    size_t size;
} heads[] = {
    {"a WAV file", HEAD("RIFF\x24\0\0\0WAVEfmt ")},
    {"an RF64 file", HEAD("RF64\xff\xff\xff\xffWAVEds64")},
    {"a BW64 file", HEAD("BW64\xff\xff\xff\xffWAVEds64")},
    {"a gzip file", HEAD("\x1f\x8b\x08\x08\x5f\x00\x11\x65\x00\x03x.cu8")},
    {"a gzip file", HEAD("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\x4b\x4c")},
    {"a Zstandard file", HEAD("\x28\xb5\x2f\xfd\x24\x05\x29\x00")},
    {"an xz file", HEAD("\xfd"
                        "7zXZ\0\0\x04\xe6\xd6\xb4\x46")},
    {"a bzip2 file", HEAD("BZh91AY&SY\x12\x34")},
    {"an lz4 file", HEAD("\x04\x22\x4d\x18\x64\x40\xa7")},
    {"an lzip file", HEAD("LZIP\x01\x0c\x00")},
    {"an lzma file", HEAD("\x5d\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff\0")},
    {"a ZIP archive", HEAD("PK\x03\x04\x14\0\0\0")},
    {"an empty ZIP archive", HEAD("PK\x05\x06\0\0\0\0")},
    {"a 7z archive", HEAD("7z\xbc\xaf\x27\x1c\0\x04")},
    {"a RAR archive", HEAD("Rar!\x1a\x07\x01\0")},
    {"a NumPy array", HEAD("\x93NUMPY\x01\0v\0{'descr'")},
    {"an HDF5 file", HEAD("\x89HDF\r\n\x1a\n\0\0")},
    {"a MATLAB file", HEAD("MATLAB 5.0 MAT-file, Platform: GLNXA64")},
    {"a MATLAB 7.3 file", HEAD("MATLAB 7.3 MAT-file, Platform: GLNXA64")},
    {"a Midas BLUE file", HEAD("BLUEEEEIEEEI\0\0\0\0")},
    {"a file of GNU Radio with metadata",
     HEAD("\x07\x07\x02\x00\x07version\x0b\0\0\0\0\0\0\0\0\x07\x07\x02\x00\x07rx_rate")},
    {"a file of GNU Radio with metadata",
     HEAD("\x09\0\0\0\x07\x02\x00\x07rx_rate\x04\x41\x2e\x84\x80\0\0\0\0\0\0\0\0\0\0\0\0\0")},
    {"a ZIQ file of SatDump", HEAD("ZIQ_\x01\x08\x80\x84\x1e\0\0\0\0\0")},
    {"a FITS file", HEAD("SIMPLE  =                    T")},
    {"a Wave64 file", HEAD("riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0\0"
                           "\0\0\0\0\0\0\0\0wave\xf3\xac\xd3\x11\x8c\xd1\0\xc0\x4f\x8e\xdb\x8a")},
    {"a big-endian WAV file (RIFX)", HEAD("RIFX\0\0\0\x24WAVE")},
    {"an AVI file", HEAD("RIFF\x24\0\0\0AVI LIST")},
    {"a WebP picture", HEAD("RIFF\x24\0\0\0WEBPVP8 ")},
    {"an AIFF file", HEAD("FORM\0\0\0\x24"
                          "AIFFCOMM")},
    {"an AU file", HEAD(".snd\0\0\0\x18\0\0\0\0")},
    {"a FLAC file", HEAD("fLaC\0\0\0\x22")},
    {"an Ogg file", HEAD("OggS\0\x02\0\0")},
    {"an MP3 file", HEAD("ID3\x04\0\0\0\0\x23\x01TSSE")},
    {"a Matroska or WebM file", HEAD("\x1a\x45\xdf\xa3\xa3\x42\x86")},
    {"an MP4 file", HEAD("\0\0\0\x20"
                         "ftypisom\0\0\x02\0")},
    {"a PNG picture", HEAD("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR")},
    {"a JPEG picture", HEAD("\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01")},
    {"a JPEG picture", HEAD("\xff\xd8\xff\xe1\x2b\x10"
                            "Exif\0\0MM")},
    {"a JPEG picture", HEAD("\xff\xd8\xff\xdb\0\x43\0\x08\x06\x06\x07\x06")},
    {"a GIF picture", HEAD("GIF89a\x01\0\x01\0\x80\0")},
    {"a TIFF picture", HEAD("II*\0\x08\0\0\0")},
    {"a TIFF picture", HEAD("MM\0*\0\0\0\x08")},
    {"a BMP picture", HEAD("BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x02\0")},
    {"a PDF document", HEAD("%PDF-1.7\n%\xe2\xe3")},
    {"a program", HEAD("\x7f"
                       "ELF\x02\x01\x01\0")},
    {"an SQLite database", HEAD("SQLite format 3\0\x10\0")},
    {"a capture of network packets (pcap)", HEAD("\xd4\xc3\xb2\xa1\x02\0\x04\0")},
    {"a capture of network packets (pcapng)", HEAD("\x0a\x0d\x0d\x0a\x1c\0\0\0\x4d\x3c\x2b\x1a")},
    {"a recording of QIRX or Qt-DAB",
     HEAD("<?xml version=\"1.0\"?>\n<SDR>\n<Datablocks>\n<Datablock "
          "Count=\"4\"/></Datablocks></SDR>\n\0\0")},
    {"a SigMF collection",
     HEAD("{\"collection\": {\"core:version\": \"1.0.0\", \"core:streams\": []}}")},
    {"SigMF metadata", HEAD("{\"global\": {\"core:datatype\": \"cf32_le\"}}")},
    {"JSON text", HEAD("{\"level\": [-20, -30.5]}")},
    {"a web page", HEAD("<!DOCTYPE html>\n<title>x</title>\n")},
    {"XML text", HEAD("<?xml version=\"1.0\"?>\n<svg></svg>\n")},
    {"numbers as text", HEAD("0.123, -0.456\n0.789, 1e-3\n-1+2j\n")},
    {"text", HEAD("Dear reader,\nthese are no samples.\n")},
    {"text", HEAD("Gr\xc3\xbc\xc3\x9f"
                  "e aus M\xc3\xbcnchen,\nund weiter nichts.\n")},
    {"text in UTF-16",
     HEAD("\xff\xfel\0e\0v\0e\0l\0;\0 \0d\0B\0\r\0\n\0001\0;\0002\0\r\0\n\0003\0")},
};

static const char *name_of(const uint8_t *bytes, size_t size, bool whole)
{
    /* On the heap and no larger, so that a reader beyond it is found. */
    uint8_t *copy = malloc(size ? size : 1);
    memcpy(copy, bytes, size);
    const struct file_kind *kind = file_kind_find(copy, size, whole);
    free(copy);
    return kind ? kind->name : "none";
}

static void a_file_is_named_by_its_first_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        const struct head *h = &heads[i];
        assert_string_equal(name_of((const uint8_t *)h->bytes, h->size, true), h->name);
        for (size_t size = 0; size < h->size; size++)
            name_of((const uint8_t *)h->bytes, size, false);
    }
}

static void each_refusal_says_what_helps(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        const struct file_kind *kind =
            file_kind_find((const uint8_t *)heads[i].bytes, heads[i].size, true);
        assert_non_null(kind);
        assert_true((kind->container != FILE_REFUSED) || strlen(kind->mend) > 8);
    }
}

/* Frames of 128 kbit/s and 44.1 kHz have 417 bytes, or 418 with padding. */
static void mpeg_audio_needs_three_frames(void **state)
{
    uint8_t bytes[2048] = {0};
    static const size_t frames[] = {0, 417, 834 + 1};
    (void)state;
    for (int i = 0; i < 3; i++)
        memcpy(bytes + frames[i], i == 1 ? "\xff\xfb\x92\x64" : "\xff\xfb\x90\x64", 4);
    assert_string_equal(name_of(bytes, sizeof bytes, false), "an MP3 or AAC file");
    bytes[frames[2]] = 0;
    assert_string_equal(name_of(bytes, sizeof bytes, false), "none");
}

static void put_octal(uint8_t *into, int digits, unsigned value)
{
    for (int i = digits - 1; i >= 0; i--, value /= 8)
        into[i] = (uint8_t)('0' + value % 8);
}

static void a_tar_is_known_by_its_checksum(void **state)
{
    static const char *const names[] = {"a.sigmf-meta", "x.complex.1ch.float32"};
    static const char *const expected[] = {"a tar archive", "an R&S iq-tar archive"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        uint8_t block[1024] = {0};
        unsigned sum = 8 * ' ';
        memcpy(block, names[i], strlen(names[i]));
        put_octal(block + 124, 11, 100);
        block[156] = '0';
        memcpy(block + 257, "ustar", 6);
        for (int k = 0; k < 512; k++)
            sum += block[k];
        put_octal(block + 148, 6, sum);
        assert_string_equal(name_of(block, sizeof block, false), expected[i]);
        block[0]++;
        assert_string_equal(name_of(block, sizeof block, false), "none");
    }
}

static uint64_t next_random(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

static void noise_is_no_file_of_any_kind(void **state)
{
    uint64_t x = 88172645463325252U, block[64];
    (void)state;
    for (int i = 0; i < 40000; i++) {
        for (size_t k = 0; k < sizeof block / sizeof block[0]; k++)
            block[k] = next_random(&x);
        const struct file_kind *kind = file_kind_find((const uint8_t *)block, sizeof block, i % 2);
        assert_null(kind);
    }
}

/* Silence of 8-bit radios, at any offset; of some, noise of one bit. */
static void a_constant_is_no_file_of_any_kind(void **state)
{
    uint8_t block[FILE_KIND_BYTES];
    (void)state;
    for (int value = 0; value < 256; value++) {
        for (int noise = 0; noise < 3; noise++) {
            uint64_t x = 88172645463325252U;
            for (size_t i = 0; i < sizeof block; i++)
                block[i] = (uint8_t)(value +
                                     (noise ? (int)(next_random(&x) % (3U * (unsigned)noise)) : 0));
            if (value < '\r' + 1 && value + 6 > '\t')
                continue; /* lines and nothing else: nobody's samples */
            assert_string_equal(name_of(block, sizeof block, false), "none");
        }
    }
}

static void samples_of_radios_are_no_file_of_any_kind(void **state)
{
    struct fft_iq *samples = malloc(SCENE_SAMPLES * sizeof *samples);
    (void)state;
    for (const struct iq_scene *scene = iq_scenes; scene->name; scene++) {
        render_scene(scene, 1, samples);
        for (const struct iq_encoding *e = iq_encodings; e->name; e++) {
            for (int level_db = -80; level_db <= 10; level_db += 10) {
                const struct block b = encode_samples(e, samples, level_db);
                assert_string_equal(name_of(b.at, b.size, false), "none");
                free(b.at);
            }
        }
    }
    free(samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_named_by_its_first_bytes),
        cmocka_unit_test(each_refusal_says_what_helps),
        cmocka_unit_test(mpeg_audio_needs_three_frames),
        cmocka_unit_test(a_tar_is_known_by_its_checksum),
        cmocka_unit_test(noise_is_no_file_of_any_kind),
        cmocka_unit_test(a_constant_is_no_file_of_any_kind),
        cmocka_unit_test(samples_of_radios_are_no_file_of_any_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
