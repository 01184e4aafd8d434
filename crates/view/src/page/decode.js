// The frames: from text to columns of numbers. The layout is that of pack.rs.

/** Bytes of a base64 text. */
function fromBase64(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const raw = atob(text), bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    return bytes;
}

/** Inflated bytes. */
async function inflate(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A cursor over a chunk that reads columns of byte planes. */
class Columns {
    constructor(bytes) {
        this.bytes = bytes;
        this.at = 0;
    }

    u32() {
        const v = new DataView(this.bytes.buffer, this.bytes.byteOffset).getUint32(this.at, true);
        this.at += 4;
        return v;
    }

    /** `count` values of `width` bytes; differences to the value `stride` before when a stride is given. */
    read(count, width, stride = 0) {
        const out = new Uint32Array(count), b = this.bytes;
        for (let k = 0; k < width; k++) {
            const shift = 8 * k, at = this.at + k * count;
            for (let i = 0; i < count; i++) out[i] |= b[at + i] << shift;
        }
        this.at += width * count;
        if (stride) {
            const mask = width === 4 ? -1 : (1 << (8 * width)) - 1;
            for (let i = 0; i < count; i++) {
                const d = (out[i] >>> 1) ^ -(out[i] & 1);
                out[i] = ((i >= stride ? out[i - stride] : 0) + d) & mask;
            }
        }
        return out;
    }
}

/** All frames of a result, as far as they have been decoded. */
class Film {
    constructor(header) {
        this.header = header;
        this.bodies = header.bodies.id.length;
        this.frames = [];
    }

    /** Decodes a chunk and appends its frames. Positions become those of the drawing: scene at the origin, radius 1. */
    async append(text, ranges = this.header) {
        const c = new Columns(await inflate(fromBase64(text))), n = this.bodies, count = c.u32();
        const contacts = Array.from({ length: count }, () => c.u32()), all = count * n;
        const x = this.places([0, 1, 2].map(() => c.read(all, 3, n)), ranges.centres, 16777215), q = this.turns(c, all);
        const [speed, spin, load] = ["speed", "spin", "load"].map((name) => expand(c.read(all, 2, n), ranges[name].max));
        const present = Uint8Array.from(c.read(all, 1, n));
        const total = contacts.reduce((a, b) => a + b, 0), touching = this.touching(c, total, ranges);
        for (let f = 0, from = 0; f < count; f++) {
            const rows = (column, k = 1) => column.subarray(f * n * k, (f + 1) * n * k), to = from + contacts[f];
            this.frames.push({
                x: rows(x, 3), q: rows(q, 4), speed: rows(speed), spin: rows(spin), load: rows(load), present: rows(present),
                contacts: contacts[f], a: touching.a.subarray(from, to), b: touching.b.subarray(from, to),
                point: touching.point.subarray(3 * from, 3 * to), rln: touching.rln.subarray(from, to),
                rlt: touching.rlt.subarray(from, to), status: touching.status.subarray(from, to),
            });
            from = to;
        }
        return count;
    }

    /** Three columns of integers as places of the drawing. */
    places(columns, range, steps) {
        const { low, high } = range, { middle, radius } = this.scale(), count = columns[0].length;
        const out = new Float32Array(3 * count);
        for (let k = 0; k < 3; k++) {
            const step = (high[k] - low[k]) / steps / radius, start = (low[k] - middle[k]) / radius, column = columns[k];
            for (let i = 0; i < count; i++) out[3 * i + k] = start + step * column[i];
        }
        return out;
    }

    /** The three smaller components and which one is missing, to x y z w. */
    turns(c, all) {
        const n = this.bodies, small = [0, 1, 2].map(() => c.read(all, 2, n)), which = c.read(all, 1, n);
        const out = new Float32Array(4 * all), unit = Math.SQRT2 / 65534;
        for (let i = 0; i < all; i++) {
            const u = small[0][i] * unit - Math.SQRT1_2, v = small[1][i] * unit - Math.SQRT1_2, w = small[2][i] * unit - Math.SQRT1_2;
            const big = Math.sqrt(Math.max(0, 1 - u * u - v * v - w * w));
            // the order is w x y z there, x y z w here
            const k = which[i], o = 4 * i;
            out[o + 3] = k === 0 ? big : u;
            out[o] = k === 1 ? big : k === 0 ? u : v;
            out[o + 1] = k === 2 ? big : k < 2 ? v : w;
            out[o + 2] = k === 3 ? big : w;
        }
        return out;
    }

    touching(c, total, ranges) {
        const a = c.read(total, 4, 1), b = c.read(total, 4, 1);
        const point = this.places([0, 1, 2].map(() => c.read(total, 2)), ranges.points, 65535);
        const [rln, rlt] = ["rln", "rlt"].map((name) => expand(c.read(total, 2), ranges[name].max));
        return { a, b, point, rln, rlt, status: Uint8Array.from(c.read(total, 1)) };
    }

    /** Middle and radius of the scene (m): the drawing is about the origin with radius 1, in mm as in km. */
    scale() {
        const { low, high } = this.header.scene;
        const middle = low.map((l, k) => 0.5 * (l + high[k]));
        return { middle, radius: 0.5 * Math.hypot(...low.map((l, k) => high[k] - l)) || 1 };
    }
}

/** The figures behind numbers of 0 to 65535 on a square-root scale. */
function expand(packed, max) {
    const out = new Float32Array(packed.length), unit = max / 65535 ** 2;
    for (let i = 0; i < packed.length; i++) out[i] = packed[i] * packed[i] * unit;
    return out;
}
