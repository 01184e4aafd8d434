// The bodies at one moment, between two frames, as the texture that the shaders read.

const COLOUR_BY = {
    speed: { label: "speed", unit: "m/s" },
    force: { label: "contact force", unit: "N" },
    size: { label: "radius", unit: "m" },
    id: { label: "id", unit: "" },
};

class State {
    constructor(film) {
        const h = film.header;
        this.film = film;
        this.rows = Math.max(1, Math.ceil(film.bodies / 1024));
        this.texels = new Float32Array(this.rows * 1024 * 12);
        this.table = mapTable(h.map);
        const sizes = h.bodies.size.filter((s, k) => !h.bodies.fixed[k] && s > 0);
        const extreme = (f, none) => sizes.reduce((a, b) => f(a, b), none);
        this.sizes = sizes.length ? [extreme(Math.min, Infinity), extreme(Math.max, 0)] : [0, 1];
        this.distinct = h.bodies.id.map(distinct);
        this.colourBy = "speed";
        this.marked = -1;
    }

    /** The two ends of the scale in use. */
    ends() {
        const h = this.film.header, per = h.h > 0 ? 1 / h.h : 1;
        switch (this.colourBy) {
            case "speed": return [0, h.speed.usual];
            case "force": return [0, h.load.usual * per];
            case "size": return this.sizes;
            default: return [0, 0];
        }
    }

    /** The unit of the scale in use: impulses when the step is not known. */
    unit() {
        return this.colourBy === "force" && !(this.film.header.h > 0) ? "N s" : COLOUR_BY[this.colourBy].unit;
    }

    /** Fills the texels for a moment in frames (2.5 is half-way from frame 2 to frame 3). */
    fill(moment, theme, pale) {
        const { film, texels } = this, last = film.frames.length - 1;
        const k = Math.min(Math.max(Math.floor(moment), 0), last), part = Math.min(moment - k, 1);
        const f = film.frames[k], g = film.frames[part > 0 ? Math.min(k + 1, last) : k];
        const fixed = film.header.bodies.fixed;
        for (let b = 0, o = 0; b < film.bodies; b++, o += 12) {
            const there = f.present[b], both = there && g.present[b] ? part : 0;
            for (let c = 0; c < 3; c++) texels[o + c] = f.x[3 * b + c] + both * (g.x[3 * b + c] - f.x[3 * b + c]);
            texels[o + 3] = there;
            this.turn(o + 4, f.q, g.q, 4 * b, both);
            const colour = fixed[b] ? theme.fixed : pale ? theme.pale : null;
            if (colour) { texels[o + 8] = colour[0]; texels[o + 9] = colour[1]; texels[o + 10] = colour[2]; }
            else this.paint(o + 8, b, f);
            texels[o + 11] = b === this.marked ? 1 : 0;
        }
    }

    /** Between two orientations, on the shorter way. */
    turn(o, p, q, i, part) {
        const t = this.texels;
        const same = p[i] * q[i] + p[i + 1] * q[i + 1] + p[i + 2] * q[i + 2] + p[i + 3] * q[i + 3] < 0 ? -part : part;
        let sum = 0;
        for (let c = 0; c < 4; c++) { t[o + c] = (1 - part) * p[i + c] + same * q[i + c]; sum += t[o + c] ** 2; }
        const scale = 1 / Math.sqrt(sum || 1);
        for (let c = 0; c < 4; c++) t[o + c] *= scale;
    }

    paint(o, b, f) {
        const t = this.texels, h = this.film.header;
        if (this.colourBy === "id") { for (let c = 0; c < 3; c++) t[o + c] = this.distinct[b][c]; return; }
        let share = 0;
        if (this.colourBy === "size") {
            const [low, high] = this.sizes;
            share = high > low ? (h.bodies.size[b] - low) / (high - low) : 0.5;
        } else {
            const [value, usual] = this.colourBy === "speed" ? [f.speed[b], h.speed.usual] : [f.load[b], h.load.usual];
            share = usual > 0 ? value / usual : 0;
        }
        const k = 3 * Math.round(255 * Math.min(Math.max(share, 0), 1));
        t[o] = this.table[k]; t[o + 1] = this.table[k + 1]; t[o + 2] = this.table[k + 2];
    }

    /** What is known of a body at a frame, in SI units. */
    figures(b, frame) {
        const { film } = this, h = film.header, f = film.frames[frame], { middle, radius } = film.scale();
        let touching = 0, slipping = 0;
        for (let i = 0; i < f.contacts; i++)
            if (f.a[i] === b || f.b[i] === b) { touching++; if (f.status[i] === 2) slipping++; }
        return {
            id: h.bodies.id[b], material: h.materials[h.bodies.material[b]], radius: h.bodies.size[b],
            // what is below the resolution of the page is zero
            x: [0, 1, 2].map((c) => middle[c] + radius * f.x[3 * b + c]).map((v) => (Math.abs(v) < 1e-6 * radius ? 0 : v)),
            speed: f.speed[b], spin: f.spin[b], load: f.load[b] * (h.h > 0 ? 1 / h.h : 1),
            touching, slipping, fixed: !!h.bodies.fixed[b], present: !!f.present[b],
        };
    }
}
