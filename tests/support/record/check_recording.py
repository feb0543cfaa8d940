#!/usr/bin/env python3
"""check_recording.py - an independent reader of SigMF pairs, by the specification (1.2).

    check_recording.py FOLDER/NAME [--counter] [--same FILE]

Exits with 1 and a line if the pair is not valid. --counter: I and Q of a cs16 sample are the low
and high 16 bits of its number. --same: the data are the bytes of FILE. Prints what it found as JSON.
"""
import array
import hashlib
import json
import re
import sys

SAMPLE_BYTES = {"cu8": 2, "ci8": 2, "ci16_le": 4, "cf32_le": 8}
DATETIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


def need(good, why):
    if not good:
        sys.exit(f"{sys.argv[1]}: {why}")


def check_fields(meta):
    need(set(meta) == {"global", "captures", "annotations"}, f"top level {list(meta)}")
    glob = meta["global"]
    need(re.fullmatch(r"\d+\.\d+\.\d+", glob["core:version"]), "core:version")
    need(glob["core:datatype"] in SAMPLE_BYTES, "core:datatype")
    need(glob["core:recorder"].startswith("fftd "), "core:recorder")
    need(glob["core:num_channels"] == 1, "core:num_channels")
    need(glob["core:sample_rate"] > 0, "core:sample_rate")
    known = {"core"} | {e["name"] for e in glob["core:extensions"]}
    for item in [glob] + meta["captures"] + meta["annotations"]:
        need(all(key.split(":")[0] in known for key in item), f"namespace of {list(item)}")


def check_captures(captures, samples):
    starts = [c["core:sample_start"] for c in captures]
    need(starts and starts[0] == 0, "the first capture")
    need(starts == sorted(set(starts)) and starts[-1] < samples, f"captures at {starts}")
    for capture in captures:
        need(DATETIME.fullmatch(capture.get("core:datetime", "2000-01-01T00:00:00Z")), "core:datetime")


def check_annotations(annotations, samples):
    starts = [a["core:sample_start"] for a in annotations]
    need(starts == sorted(starts), f"annotations at {starts}")
    for a in annotations:
        need(a["core:sample_start"] + a.get("core:sample_count", 1) <= samples, "an annotation beyond the end")


def check_counter(raw, captures):
    numbers = array.array("I", raw)
    if sys.byteorder == "big":
        numbers.byteswap()
    starts = [c["core:sample_start"] for c in captures] + [len(numbers)]
    for capture, start, end in zip(captures, starts, starts[1:]):
        first = capture["core:global_index"] % 2**32
        rest = max(0, first + end - start - 2**32)  # after the counter began again
        expected = array.array("I", range(first, first + end - start - rest)) + array.array("I", range(rest))
        need(numbers[start:end] == expected, f"samples from {start} on")


def main():
    stem, options = sys.argv[1], sys.argv[2:]
    with open(stem + ".sigmf-meta", encoding="utf-8") as f:
        meta = json.load(f)
    with open(stem + ".sigmf-data", "rb") as f:
        raw = f.read()
    check_fields(meta)
    glob, captures = meta["global"], meta["captures"]
    size = SAMPLE_BYTES[glob["core:datatype"]]
    need(len(raw) % size == 0, "a part of a sample")
    samples = len(raw) // size
    need(hashlib.sha512(raw).hexdigest() == glob["core:sha512"], "core:sha512")
    check_captures(captures, samples)
    check_annotations(meta["annotations"], samples)
    if "--counter" in options:
        check_counter(raw, captures)
    if "--same" in options:
        with open(options[options.index("--same") + 1], "rb") as f:
            need(raw == f.read(), "other samples")
    print(json.dumps({
        "samples": samples,
        "first": captures[0]["core:global_index"],
        "missing": glob["fftd:ledger"]["missing"],
        "captures": len(captures),
        "frequency": captures[0].get("core:frequency"),
        "last_frequency": captures[-1].get("core:frequency"),
        "last_start": captures[-1]["core:sample_start"],
        "datetime": captures[0].get("core:datetime"),
        "end": glob.get("fftd:end"),
        "annotations": meta["annotations"],
    }))


main()
