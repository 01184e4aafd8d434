// Force chains: a tube from the centre of a body through the contact to the other, as thick as the impulse is large.

class Chains {
    constructor(film) {
        this.film = film;
        this.table = mapTable(film.header.map);
        this.mode = "none";
        // the thickest tube: half the radius of a typical body
        const h = film.header, { radius } = film.scale();
        const sizes = h.bodies.size.filter((s, k) => !h.bodies.fixed[k] && s > 0).sort((a, b) => a - b);
        this.thick = 0.5 * (sizes.length ? sizes[sizes.length >> 1] / radius : 0.02);
    }

    /** Tubes of a frame: { count, from, to, paint }. */
    build(frame, texels) {
        const f = this.film.frames[frame], h = this.film.header, most = 2 * f.contacts;
        const from = new Float32Array(3 * most), to = new Float32Array(3 * most), paint = new Float32Array(4 * most);
        const usual = h.rln.usual || 1;
        let n = 0;
        for (let i = 0; i < f.contacts; i++) {
            const share = Math.min(f.rln[i] / usual, 1.5);
            const colour = this.colour(f.status[i], Math.min(share, 1));
            const thin = this.mode === "status" ? 0.12 : 0.0;
            if (share <= 0 && this.mode !== "status") continue;
            for (const b of [f.a[i], f.b[i]]) {
                if (h.bodies.fixed[b]) continue;
                for (let c = 0; c < 3; c++) { from[3 * n + c] = texels[12 * b + c]; to[3 * n + c] = f.point[3 * i + c]; }
                paint.set(colour, 4 * n);
                paint[4 * n + 3] = this.thick * Math.max(share, thin);
                n++;
            }
        }
        return { count: n, from: from.subarray(0, 3 * n), to: to.subarray(0, 3 * n), paint: paint.subarray(0, 4 * n) };
    }

    colour(status, share) {
        if (this.mode === "status") return status === 1 ? STICK : status === 2 ? SLIP : OPEN;
        const k = 3 * Math.round(255 * share);
        return this.table.subarray(k, k + 3);
    }
}
