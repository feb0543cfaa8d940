#!/usr/bin/env python3
"""range_code.py FILE.json - decodes range-coded levels and hits of fftd, written from docs/protocol.md alone.

FILE.json is tests/golden/range_levels.json or range_hits.json. It prints each case, and fails if one is not as it should be.
"""
import collections, json, sys


class Decoder:
    def __init__(self, code):
        self.bytes, self.range, self.code = iter(code), 2**32 - 1, 0
        for _ in range(4):
            self.code = self.code << 8 | next(self.bytes, 0)

    def decision(self, one):
        bound = (self.range >> 15) * one
        bit = self.code < bound
        if bit:
            self.range = bound
        else:
            self.range, self.code = self.range - bound, self.code - bound
        while self.range < 2**24:
            self.range, self.code = self.range << 8, self.code << 8 | next(self.bytes, 0)
        return int(bit)

    def number(self, table, at):
        """A table maps (bucket, node) to [one, seen]."""
        def bit(node):
            near, part = table[at // 16, node], at % 16
            next_ = table[at // 16 + 1, node]
            one = (near[0] * (16 - part) + next_[0] * part) // 16
            bit = self.decision(one)
            for context in (near, next_) if part else (near,):
                rate = 65536 // (context[1] + 2)
                context[0] += (32768 - context[0]) * rate >> 16 if bit else -(context[0] * rate >> 16)
                context[1] = min(context[1] + 1, 62)
            return bit
        e, value = 0, 1
        while bit(min(e, 11)):
            e += 1
        for i in range(e):
            if e <= 4:
                value = 2 * value + bit(12 + 2**e - 3 + value)
            else:
                value = 2 * value + (bit(37 + min(e, 12)) if i == 0 else self.decision(16384))
        return value - 1

    def signed(self, table, at):
        number = self.number(table, at)
        return (number + 1) // 2 if number % 2 else -(number // 2)


def new_table():
    return collections.defaultdict(lambda: [16384, 0])


def limited(value, low, high):
    return min(max(value, low), high)


def decode_levels(code, columns):
    decoder, table, levels, p, q = Decoder(code), new_table(), [], [0] * 4, [0] * 4
    for _ in range(columns):
        m = min(q) + 64
        w = [(256 * m // (error + 64))**4 for error in q]
        prediction = sum(a * b for a, b in zip(w, p)) // sum(w)
        e = m.bit_length() - 1
        difference = decoder.signed(table, 16 * (e - 6) + 16 * m // 2**e % 16)
        level = (prediction + 32) // 64 + (difference if prediction % 64 < 32 else -difference)
        v = 64 * level
        if not levels:
            p, short, long = [v] * 4, 4 * v, 16 * v
        else:
            q = [error + abs(v - a) - error // 4 for a, error in zip(p, q)]
            long += limited(v - long // 16, -512, 512)
            short += v - short // 4
            p = [v, short // 4, long // 16, 64 * limited(2 * level - levels[-1], 0, 255)]
        levels.append(level)
    return levels


def decode_hits(code, columns, levels, frames):
    decoder, tables, first, result = Decoder(code), [new_table() for _ in range(3)], 0, []
    fast, slow = [0.0] * levels, [0.0] * levels
    for _ in range(columns):
        first += decoder.signed(tables[0], 0)
        a = [0.0] + [f + s for f, s in zip(fast, slow)] + [0.0]
        share = [a[i] + 2 * a[i + 1] + a[i + 2] + 0.125 for i in range(levels)]
        below, hits, left = [0.0] * (levels + 1), [0] * levels, frames
        for r in reversed(range(levels)):
            below[r] = below[r + 1] + share[r]
        for r in range(first, levels - 1):
            if left == 0:
                break
            u = min(int(left * share[r] / below[r] * 256) + 1, 2**31 - 1)
            e = u.bit_length() - 1
            at = min(32 * e + 32 * u // 2**e % 32, 735)
            hits[r] = decoder.number(tables[1], at) + 1 if r == first else decoder.number(tables[2], at)
            left -= hits[r]
        hits[levels - 1] += left
        fast = [(f + h) / 2 for f, h in zip(fast, hits)]
        slow = [s + (h - s) / 8 for s, h in zip(slow, hits)]
        result.append(hits)
    return result


if __name__ == '__main__':
    for case in json.load(open(sys.argv[1], encoding='utf-8')):
        code = bytes.fromhex(case['code'])
        if 'levels' in case:
            assert decode_levels(code, len(case['levels'])) == case['levels'], case['name']
        else:
            columns = case['columns']
            assert decode_hits(code, len(columns), len(columns[0]), case['frames']) == columns, case['name']
        print(f"{case['name']}: {len(code)} bytes")
