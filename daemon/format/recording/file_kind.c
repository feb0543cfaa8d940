/* file_kind.c - the table of the marks of file formats, and checks of those with short ones. */
#include "daemon/format/recording/file_kind.h"

#include <string.h>

#include "daemon/base/bytes.h"
#include "daemon/format/recording/tar.h"

enum { PIECES_MAX = 2 };

struct bytes {
    const uint8_t *at;
    size_t size;
    bool whole;
};

/* A row fits if all its pieces are there, and `also`, if there is one, says so. */
struct mark {
    struct file_kind kind;
    struct piece {
        uint16_t at;
        uint8_t size;
        const char *bytes;
    } pieces[PIECES_MAX];
    bool (*also)(const struct bytes *b);
};

static uint32_t u32_big(const uint8_t *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static bool has(const struct bytes *b, size_t at, const char *text)
{
    const size_t length = strlen(text);
    return at + length <= b->size && memcmp(b->at + at, text, length) == 0;
}

static bool contains(const struct bytes *b, const char *text)
{
    return memmem(b->at, b->size, text, strlen(text)) != NULL;
}

/* ---- marks that need a second look -------------------------------------------------------- */

/* RFC 1952: no reserved flag, a known system, the fast or best method or neither. */
static bool is_gzip(const struct bytes *b)
{
    return b->size >= 10 && (b->at[3] & 0xe0) == 0 &&
           (b->at[8] == 0 || b->at[8] == 2 || b->at[8] == 4) && (b->at[9] <= 13 || b->at[9] == 255);
}

/* The known sizes of its second header, and no reserved bytes. */
static bool is_bmp(const struct bytes *b)
{
    static const uint8_t sizes[] = {12, 40, 52, 56, 64, 108, 124};
    return b->size >= 18 && bytes_get_u32(b->at + 6) == 0 && bytes_get_u32(b->at + 10) < 4096 &&
           bytes_get_u32(b->at + 14) < 256 &&
           memchr(sizes, (int)bytes_get_u32(b->at + 14), sizeof sizes) != NULL;
}

static bool is_windows_program(const struct bytes *b)
{
    if (b->size < 64)
        return false;
    const uint32_t at = bytes_get_u32(b->at + 60);
    return at < FILE_KIND_BYTES && has(b, at, "PE") && at + 4 <= b->size &&
           bytes_get_u16(b->at + at + 2) == 0;
}

/* JPEG: the next segment has a known mark and a length that is not absurd. */
static bool is_jpeg(const struct bytes *b)
{
    return b->size >= 12 && b->at[4] < 0x40 &&
           (has(b, 6, "JFIF") || has(b, 6, "Exif") || b->at[3] == 0xdb ||
            (b->at[3] >= 0xe0 && b->at[3] <= 0xef && b->at[4] < 0x10));
}

static bool is_id3(const struct bytes *b)
{
    return b->size >= 10 && b->at[3] >= 2 && b->at[3] <= 4 && b->at[4] == 0 &&
           (b->at[5] & 0x0f) == 0 && (bytes_get_u32(b->at + 6) & 0x80808080) == 0;
}

/* Bytes of a frame of MPEG audio (layer 3, or ADTS); 0: none begins here. */
static size_t audio_frame_bytes(const uint8_t *b)
{
    static const uint16_t rates_1[] = {0,   32,  40,  48,  56,  64,  80, 96,
                                       112, 128, 160, 192, 224, 256, 320};
    static const uint16_t rates_2[] = {0,  8,  16, 24,  32,  40,  48, 56,
                                       64, 80, 96, 112, 128, 144, 160};
    static const unsigned samples[] = {44100, 48000, 32000};
    if (b[0] != 0xff || (b[1] & 0xe0) != 0xe0)
        return 0;
    if ((b[1] & 0xf6) == 0xf0) /* ADTS: layer 0 */
        return (size_t)((b[3] & 3) << 11 | b[4] << 3 | b[5] >> 5);
    const unsigned version = b[1] >> 3 & 3, layer = b[1] >> 1 & 3, rate = b[2] >> 4;
    if (version == 1 || layer != 1 || rate == 0 || rate == 15 || (b[2] >> 2 & 3) == 3)
        return 0;
    const unsigned hz = samples[b[2] >> 2 & 3] >> (version == 3 ? 0 : version == 2 ? 1 : 2);
    const unsigned bits = 1000U * (version == 3 ? rates_1[rate] : rates_2[rate]);
    return (version == 3 ? 144 : 72) * bits / hz + (b[2] >> 1 & 1);
}

/* Three frames that follow one another, of one kind. */
static bool is_mpeg_audio(const struct bytes *b)
{
    size_t at = 0;
    for (int i = 0; i < 3; i++) {
        if (at + 7 > b->size || bytes_get_u16(b->at + at) != bytes_get_u16(b->at))
            return false;
        const size_t size = audio_frame_bytes(b->at + at);
        if (size < 8)
            return false;
        at += size;
    }
    return true;
}

/* The first packets of 188 bytes begin alike; a constant does so, too. */
static bool is_transport_stream(const struct bytes *b)
{
    if (b->size < 4 || (b->at[3] & 0xf0) != 0x10)
        return false;
    for (size_t at = 0; at < (size_t)8 * 188; at += 188) {
        if (at >= b->size || b->at[at] != 0x47)
            return false;
    }
    return true;
}

static bool is_mp4(const struct bytes *b)
{
    return b->size >= 12 && u32_big(b->at) >= 8 && u32_big(b->at) < 4096;
}

static bool is_tar(const struct bytes *b)
{
    struct tar_entry entry;
    return b->size >= TAR_BLOCK && tar_parse_header(b->at, &entry) == 0 && entry.name[0];
}

/* Rohde & Schwarz: samples in a tar archive, named by their form; its XML may come first. */
static bool is_iq_tar(const struct bytes *b)
{
    struct tar_entry entry;
    if (!is_tar(b) || tar_parse_header(b->at, &entry) != 0)
        return false;
    return strstr(entry.name, ".complex.") || strstr(entry.name, ".real.") ||
           contains(b, "RS_IQ_TAR_FileFormat");
}

/* GNU Radio writes its header as a dictionary of PMTs: a tag, and symbols with their lengths. */
static bool is_gnuradio_meta(const struct bytes *b)
{
    static const char rate[] = "\x02\x00\x07rx_rate", version[] = "\x02\x00\x07version";
    return b->size > 32 && (b->at[0] == 7 || b->at[0] == 9) &&
           (memmem(b->at, b->size, rate, sizeof rate - 1) ||
            memmem(b->at, b->size, version, sizeof version - 1));
}

/* Behind the mark: compressed or not, and 8, 16 or 32 bits a component. */
static bool is_ziq(const struct bytes *b)
{
    return b->size >= 6 && b->at[4] <= 1 && (b->at[5] == 8 || b->at[5] == 16 || b->at[5] == 32);
}

static bool is_lzma(const struct bytes *b)
{
    static const uint8_t unknown[8] = {255, 255, 255, 255, 255, 255, 255, 255};
    return b->size >= 13 && (bytes_get_u32(b->at + 1) & 0xfff) == 0 &&
           bytes_get_u32(b->at + 1) >= 4096 &&
           (memcmp(b->at + 5, unknown, 8) == 0 || bytes_get_u32(b->at + 9) == 0);
}

/* ---- text --------------------------------------------------------------------------------- */

/* Bytes of the character at a place: printable ASCII, white space or UTF-8. 0: no text. */
static size_t character(const struct bytes *b, size_t at)
{
    const uint8_t c = b->at[at];
    const size_t size = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : 4;
    if (c < 0x80)
        return (c >= ' ' && c != 0x7f) || c == '\n' || c == '\r' || c == '\t' || c == '\f';
    if (c < 0xc2 || c > 0xf4)
        return 0;
    for (size_t i = 1; i < size; i++) {
        if (at + i >= b->size)
            return b->whole ? 0 : b->size - at;
        if ((b->at[at + i] & 0xc0) != 0x80)
            return 0;
    }
    return size;
}

/* Data for programs may have no line ends; these characters are too far apart for samples. */
static bool is_one_line(const struct bytes *b)
{
    return (has(b, 0, "{") && contains(b, "\":")) || (has(b, 0, "[") && contains(b, ",")) ||
           (has(b, 0, "<") && contains(b, "=\""));
}

/* Samples of 8 bits far from zero may look like one line of text, but have no line ends. */
static bool is_text(const struct bytes *b)
{
    enum { WHOLE_MIN = 16, PIECE_MIN = 512 };
    size_t lines = 0, ascii = 0;
    if (b->size < (b->whole ? WHOLE_MIN : PIECE_MIN))
        return false;
    for (size_t at = 0; at < b->size;) {
        const size_t size = character(b, at);
        if (size == 0)
            return false;
        lines += b->at[at] == '\n' || b->at[at] == '\r';
        ascii += size == 1;
        at += size;
    }
    return (lines > 0 || is_one_line(b)) && ascii * 2 > b->size;
}

static bool is_wide_text(const struct bytes *b)
{
    size_t ascii = 0;
    const size_t characters = (b->size < 256 ? b->size : 256) / 2;
    const size_t low = b->size >= 2 && b->at[0] == 0xff ? 0 : 1;
    for (size_t i = 1; i < characters; i++)
        ascii += b->at[2 * i + 1 - low] == 0 && b->at[2 * i + low] < 0x7f && b->at[2 * i + low] > 8;
    return characters >= 16 && ascii + 1 + characters / 8 >= characters;
}

static bool is_json_text(const struct bytes *b)
{
    return is_text(b) && (b->at[0] == '{' || b->at[0] == '[');
}

static bool is_sigmf_collection(const struct bytes *b)
{
    return is_json_text(b) && contains(b, "\"collection\"") && contains(b, "core:");
}

static bool is_sigmf_meta(const struct bytes *b)
{
    return is_json_text(b) && contains(b, "core:datatype");
}

static bool is_html(const struct bytes *b)
{
    return is_text(b) &&
           (contains(b, "<html") || contains(b, "<HTML") || contains(b, "<!DOCTYPE html"));
}

/* Of QIRX, Qt-DAB and DABstar: samples follow the header. */
static bool is_xml_samples(const struct bytes *b)
{
    return contains(b, "<SDR>") && contains(b, "<Datablock");
}

/* The frame of zstd that pzstd writes first: it has no data. */
static bool is_skippable(const struct bytes *b)
{
    return b->size > 0 && (b->at[0] & 0xf0) == 0x50;
}

static bool is_xml(const struct bytes *b)
{
    return is_text(b) && has(b, 0, "<");
}

/* Digits, signs, blanks and commas: samples or levels as numbers. */
static bool is_number_text(const struct bytes *b)
{
    size_t others = 0;
    for (size_t i = 0; i < b->size; i++)
        others += strchr("0123456789+-.,;eEjJi \t\r\n()", b->at[i]) == NULL || b->at[i] == 0;
    return is_text(b) && others * 10 < b->size;
}

/* ---- the table ---------------------------------------------------------------------------- */

#define M(at, text)                                                                                \
    {                                                                                              \
        at, sizeof(text) - 1, text                                                                 \
    }
#define UNPACK     "unpack it first: "
#define READ_RAW   "export the samples as raw cf32 or cs16, as WAV or as SigMF"
#define AUDIO      "fftd reads IQ samples in WAV"
#define PICTURE    "it is no recording of samples"
#define NO_SAMPLES "it has no samples"

/* The first row that fits counts. */
static const struct mark marks[] = {
    {{"a WAV file", FILE_WAV, ""}, {M(0, "RIFF"), M(8, "WAVE")}, NULL},
    {{"an RF64 file", FILE_WAV, ""}, {M(0, "RF64"), M(8, "WAVE")}, NULL},
    {{"a BW64 file", FILE_WAV, ""}, {M(0, "BW64"), M(8, "WAVE")}, NULL},
    {{"a Wave64 file", FILE_WAV, ""},
     {M(0, "riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0\0"),
      M(24, "wave\xf3\xac\xd3\x11\x8c\xd1\0\xc0\x4f\x8e\xdb\x8a")},
     NULL},

    {{"a gzip file", FILE_GZIP, UNPACK "gunzip FILE"}, {M(0, "\x1f\x8b\x08")}, is_gzip},
    {{"a Zstandard file", FILE_ZSTD, UNPACK "unzstd FILE"}, {M(0, "\x28\xb5\x2f\xfd")}, NULL},
    {{"a Zstandard file", FILE_ZSTD, UNPACK "unzstd FILE"}, {M(1, "\x2a\x4d\x18")}, is_skippable},
    {{"an xz file", FILE_REFUSED, UNPACK "unxz FILE"},
     {M(0, "\xfd"
           "7zXZ\0")},
     NULL},
    {{"a bzip2 file", FILE_REFUSED, UNPACK "bunzip2 FILE"}, {M(0, "BZh"), M(4, "1AY&SY")}, NULL},
    {{"an lz4 file", FILE_REFUSED, UNPACK "unlz4 FILE"}, {M(0, "\x04\x22\x4d\x18")}, NULL},
    {{"an lzip file", FILE_REFUSED, UNPACK "lzip -d FILE"}, {M(0, "LZIP\x01")}, NULL},
    {{"an lzma file", FILE_REFUSED, UNPACK "unlzma FILE"}, {M(0, "\x5d\0\0")}, is_lzma},
    {{"a ZIP archive", FILE_REFUSED, UNPACK "unzip FILE"}, {M(0, "PK\x03\x04")}, NULL},
    {{"an empty ZIP archive", FILE_REFUSED, NO_SAMPLES}, {M(0, "PK\x05\x06")}, NULL},
    {{"a 7z archive", FILE_REFUSED, UNPACK "7z x FILE"}, {M(0, "7z\xbc\xaf\x27\x1c")}, NULL},
    {{"a RAR archive", FILE_REFUSED, UNPACK "unrar x FILE"}, {M(0, "Rar!\x1a\x07")}, NULL},
    {{"a cabinet", FILE_REFUSED, UNPACK "cabextract FILE"}, {M(0, "MSCF\0\0\0\0")}, NULL},
    {{"an archive of ar", FILE_REFUSED, UNPACK "ar x FILE"}, {M(0, "!<arch>\n")}, NULL},
    {{"an archive of cpio", FILE_REFUSED, UNPACK "cpio -id < FILE"}, {M(0, "07070")}, NULL},
    {{"an R&S iq-tar archive", FILE_REFUSED,
      "unpack it with tar -xf FILE, and give the file .complex.1ch.float32 with --format cf32"},
     {{0}},
     is_iq_tar},
    {{"a tar archive", FILE_TAR, UNPACK "tar -xf FILE"}, {{0}}, is_tar},

    {{"a NumPy array", FILE_NPY, ""}, {M(0, "\x93NUMPY")}, NULL},
    {{"an HDF5 file", FILE_REFUSED, READ_RAW}, {M(0, "\x89HDF\r\n\x1a\n")}, NULL},
    {{"a MATLAB file", FILE_REFUSED, READ_RAW}, {M(0, "MATLAB 5.0 MAT-file")}, NULL},
    {{"a MATLAB 7.3 file", FILE_REFUSED, READ_RAW}, {M(0, "MATLAB 7.3 MAT-file")}, NULL},
    {{"a Midas BLUE file", FILE_REFUSED, READ_RAW}, {M(0, "BLUE"), M(4, "EEEI")}, NULL},
    {{"a Midas BLUE file", FILE_REFUSED, READ_RAW}, {M(0, "BLUE"), M(4, "IEEE")}, NULL},
    {{"a waveform of R&S (.wv)", FILE_REFUSED, READ_RAW}, {M(0, "{TYPE:")}, NULL},
    {{"a file of GNU Radio with metadata", FILE_REFUSED, "write it with a File Sink, or as SigMF"},
     {{0}},
     is_gnuradio_meta},
    {{"a ZIQ file of SatDump", FILE_REFUSED, READ_RAW}, {M(0, "ZIQ_")}, is_ziq},
    {{"a netCDF file", FILE_REFUSED, READ_RAW}, {M(0, "CDF\x01\0")}, NULL},
    {{"a netCDF file", FILE_REFUSED, READ_RAW}, {M(0, "CDF\x02\0")}, NULL},
    {{"a FITS file", FILE_REFUSED, READ_RAW}, {M(0, "SIMPLE  =")}, NULL},
    {{"a Parquet file", FILE_REFUSED, READ_RAW}, {M(0, "PAR1")}, NULL},
    {{"an Arrow file", FILE_REFUSED, READ_RAW}, {M(0, "ARROW1\0\0")}, NULL},

    {{"a big-endian WAV file (RIFX)", FILE_REFUSED, "convert it: sox FILE new.wav"},
     {M(0, "RIFX"), M(8, "WAVE")},
     NULL},
    {{"an AVI file", FILE_REFUSED, AUDIO}, {M(0, "RIFF"), M(8, "AVI ")}, NULL},
    {{"a WebP picture", FILE_REFUSED, PICTURE}, {M(0, "RIFF"), M(8, "WEBP")}, NULL},
    {{"an AIFF file", FILE_REFUSED, "convert it: sox FILE new.wav"},
     {M(0, "FORM"), M(8, "AIF")},
     NULL},
    {{"an AU file", FILE_REFUSED, "convert it: sox FILE new.wav"}, {M(0, ".snd\0\0")}, NULL},
    {{"a CAF file", FILE_REFUSED, "convert it: sox FILE new.wav"}, {M(0, "caff\0\1")}, NULL},
    {{"a FLAC file", FILE_REFUSED, "unpack it to a WAV: flac -d FILE"}, {M(0, "fLaC")}, NULL},
    {{"a WavPack file", FILE_REFUSED, "unpack it to a WAV: wvunpack FILE"}, {M(0, "wvpk")}, NULL},
    {{"an Ogg file", FILE_REFUSED, AUDIO}, {M(0, "OggS")}, NULL},
    {{"an MP3 file", FILE_REFUSED, AUDIO}, {M(0, "ID3")}, is_id3},
    {{"an MP3 or AAC file", FILE_REFUSED, AUDIO}, {M(0, "\xff")}, is_mpeg_audio},
    {{"an MPEG transport stream", FILE_REFUSED, AUDIO}, {M(0, "\x47")}, is_transport_stream},
    {{"a Matroska or WebM file", FILE_REFUSED, AUDIO}, {M(0, "\x1a\x45\xdf\xa3")}, NULL},
    {{"an MP4 file", FILE_REFUSED, AUDIO}, {M(4, "ftyp")}, is_mp4},
    {{"a MIDI file", FILE_REFUSED, AUDIO}, {M(0, "MThd\0\0\0\6")}, NULL},

    {{"a PNG picture", FILE_REFUSED, PICTURE}, {M(0, "\x89PNG\r\n\x1a\n")}, NULL},
    {{"a JPEG picture", FILE_REFUSED, PICTURE}, {M(0, "\xff\xd8\xff")}, is_jpeg},
    {{"a GIF picture", FILE_REFUSED, PICTURE}, {M(0, "GIF8")}, NULL},
    {{"a TIFF picture", FILE_REFUSED, PICTURE}, {M(0, "II*\0")}, NULL},
    {{"a TIFF picture", FILE_REFUSED, PICTURE}, {M(0, "MM\0*")}, NULL},
    {{"a BMP picture", FILE_REFUSED, PICTURE}, {M(0, "BM")}, is_bmp},
    {{"a Photoshop picture", FILE_REFUSED, PICTURE}, {M(0, "8BPS\0\1")}, NULL},
    {{"a JPEG XL picture", FILE_REFUSED, PICTURE}, {M(4, "JXL \r\n")}, NULL},

    {{"a PDF document", FILE_REFUSED, NO_SAMPLES}, {M(0, "%PDF-")}, NULL},
    {{"a program", FILE_REFUSED, NO_SAMPLES},
     {M(0, "\x7f"
           "ELF")},
     NULL},
    {{"a program", FILE_REFUSED, NO_SAMPLES}, {M(0, "MZ")}, is_windows_program},
    {{"a program", FILE_REFUSED, NO_SAMPLES}, {M(0, "\xcf\xfa\xed\xfe")}, NULL},
    {{"an SQLite database", FILE_REFUSED, NO_SAMPLES}, {M(0, "SQLite format 3")}, NULL},
    {{"a capture of network packets (pcap)", FILE_REFUSED, NO_SAMPLES},
     {M(0, "\xd4\xc3\xb2\xa1")},
     NULL},
    {{"a capture of network packets (pcap)", FILE_REFUSED, NO_SAMPLES},
     {M(0, "\xa1\xb2\xc3\xd4")},
     NULL},
    {{"a capture of network packets (pcap)", FILE_REFUSED, NO_SAMPLES},
     {M(0, "\x4d\x3c\xb2\xa1")},
     NULL},
    {{"a capture of network packets (pcapng)", FILE_REFUSED, NO_SAMPLES},
     {M(0, "\x0a\x0d\x0d\x0a")},
     NULL},

    {{"a recording of QIRX or Qt-DAB", FILE_REFUSED,
      "its samples begin after 5000 bytes, in the format that its first lines state: tail -c +5001 "
      "FILE > new.cs16"},
     {M(0, "<?xml")},
     is_xml_samples},
    {{"a SigMF collection", FILE_REFUSED, "give the .sigmf-meta of one of its recordings"},
     {{0}},
     is_sigmf_collection},
    {{"SigMF metadata", FILE_REFUSED, "name it .sigmf-meta beside its .sigmf-data"},
     {{0}},
     is_sigmf_meta},
    {{"JSON text", FILE_REFUSED, NO_SAMPLES}, {{0}}, is_json_text},
    {{"a web page", FILE_REFUSED, NO_SAMPLES}, {{0}}, is_html},
    {{"XML text", FILE_REFUSED, NO_SAMPLES}, {{0}}, is_xml},
    {{"numbers as text", FILE_REFUSED, READ_RAW}, {{0}}, is_number_text},
    {{"text", FILE_REFUSED, NO_SAMPLES}, {{0}}, is_text},
    {{"text in UTF-16", FILE_REFUSED, NO_SAMPLES}, {M(0, "\xff\xfe")}, is_wide_text},
    {{"text in UTF-16", FILE_REFUSED, NO_SAMPLES}, {M(0, "\xfe\xff")}, is_wide_text},
};

static bool fits(const struct mark *m, const struct bytes *b)
{
    for (int i = 0; i < PIECES_MAX; i++) {
        const struct piece *p = &m->pieces[i];
        if (p->size &&
            ((size_t)p->at + p->size > b->size || memcmp(b->at + p->at, p->bytes, p->size)))
            return false;
    }
    return !m->also || m->also(b);
}

const struct file_kind *file_kind_find(const uint8_t *bytes, size_t size, bool whole)
{
    const struct bytes b = {bytes, size < FILE_KIND_BYTES ? size : FILE_KIND_BYTES,
                            whole && size <= FILE_KIND_BYTES};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (fits(&marks[i], &b))
            return &marks[i].kind;
    }
    return NULL;
}
