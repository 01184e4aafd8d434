// Curves in time below the picture, with a cursor that follows it.

const CURVE_COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#8a8f98", "#7a5195"];

/** A number in few digits: 1234, 0.123, 1.2e-5. */
function few(v, digits = 3) {
    if (!Number.isFinite(v)) return "–";
    if (v === 0) return "0";
    const a = Math.abs(v);
    if (a >= 1e5 || a < 1e-3) return v.toExponential(Math.max(digits - 2, 0)).replace(/\.?0*e\+?/, "e");
    return String(+v.toPrecision(digits));
}

/** Round values that divide a range into about n parts. */
function ticks(low, high, n) {
    const raw = (high - low) / n, power = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].find((s) => s * power >= raw) * power;
    const out = [];
    for (let v = Math.ceil(low / step - 1e-9) * step; v <= high + 1e-9 * step; v += step) out.push(Math.abs(v) < 1e-9 * step ? 0 : v);
    return out;
}

class Plot {
    constructor(panel, times, seek) {
        this.panel = panel;
        this.t = [times[0], times[times.length - 1] > times[0] ? times[times.length - 1] : times[0] + 1];
        const box = this.box = document.createElement("figure");
        const head = document.createElement("figcaption"), n = panel.curves.length;
        // more curves need a longer legend
        box.style.flexGrow = 1 + 0.35 * (n - 1);
        box.style.minWidth = `min(78vw, ${210 + 55 * n}px)`;
        head.textContent = panel.name + (panel.unit ? ` (${panel.unit})` : "");
        if (panel.curves.length > 1) panel.curves.forEach((c, k) => {
            const key = document.createElement("span");
            key.className = "key";
            key.style.setProperty("--key", CURVE_COLOURS[k % CURVE_COLOURS.length]);
            key.textContent = c.name;
            head.append(key);
        });
        this.readout = document.createElement("output");
        head.append(this.readout);
        this.canvas = document.createElement("canvas");
        this.canvas.setAttribute("role", "img");
        this.canvas.setAttribute("aria-label", `${panel.name} in time`);
        box.append(head, this.canvas);
        const at = (e) => {
            const r = this.canvas.getBoundingClientRect();
            seek(this.t[0] + (e.clientX - r.left - this.left) / (r.width - this.left - 8) * (this.t[1] - this.t[0]));
        };
        this.canvas.addEventListener("pointerdown", (e) => { this.canvas.setPointerCapture(e.pointerId); at(e); });
        this.canvas.addEventListener("pointermove", (e) => { if (e.buttons) at(e); });
        this.left = 52;
    }

    /** Draws the curves once for a size and a theme; the cursor is drawn over a copy. */
    base(w, h, ratio, style) {
        const key = `${w} ${h} ${ratio} ${style.ink}`;
        if (this.key === key) return;
        this.key = key;
        const c = this.still = document.createElement("canvas");
        c.width = w * ratio;
        c.height = h * ratio;
        const g = c.getContext("2d");
        g.scale(ratio, ratio);
        const values = this.panel.curves.flatMap((c) => c.points.map((p) => p[1]));
        const extreme = (f, none) => values.reduce((a, b) => f(a, b), none);
        let [low, high] = [Math.min(0, extreme(Math.min, 0)), extreme(Math.max, 0)];
        if (!(high > low)) high = low + 1;
        const X = (t) => this.left + (t - this.t[0]) / (this.t[1] - this.t[0]) * (w - this.left - 8);
        const Y = (v) => h - 20 - (v - low) / (high - low) * (h - 28);
        g.font = `11px ${style.font}`;
        g.fillStyle = style.soft;
        g.strokeStyle = style.line;
        g.lineWidth = 1;
        g.textAlign = "right";
        g.textBaseline = "middle";
        for (const v of ticks(low, high, Math.max(2, h / 42))) {
            g.beginPath(); g.moveTo(this.left, Math.round(Y(v)) + 0.5); g.lineTo(w - 8, Math.round(Y(v)) + 0.5); g.stroke();
            g.fillText(few(v, 4), this.left - 6, Y(v));
        }
        g.textAlign = "center";
        for (const v of ticks(...this.t, Math.max(2, w / 90))) g.fillText(`${few(v, 4)} s`, Math.min(X(v), w - 18), h - 7);
        this.panel.curves.forEach((curve, k) => {
            g.strokeStyle = CURVE_COLOURS[k % CURVE_COLOURS.length];
            g.lineWidth = 1.6;
            g.lineJoin = "round";
            g.beginPath();
            curve.points.forEach(([t, v], i) => (i ? g.lineTo(X(t), Y(v)) : g.moveTo(X(t), Y(v))));
            g.stroke();
        });
        this.X = X;
        this.Y = Y;
    }

    draw(t, style) {
        const w = this.canvas.clientWidth, h = this.canvas.clientHeight, ratio = Math.min(devicePixelRatio || 1, 2);
        if (!w || !h) return;
        if (this.canvas.width !== Math.round(w * ratio)) this.canvas.width = Math.round(w * ratio);
        if (this.canvas.height !== Math.round(h * ratio)) this.canvas.height = Math.round(h * ratio);
        this.base(w, h, ratio, style);
        const g = this.canvas.getContext("2d");
        g.setTransform(1, 0, 0, 1, 0, 0);
        g.clearRect(0, 0, this.canvas.width, this.canvas.height);
        g.drawImage(this.still, 0, 0);
        g.scale(ratio, ratio);
        g.strokeStyle = style.accent;
        g.lineWidth = 1;
        g.beginPath(); g.moveTo(this.X(t), 6); g.lineTo(this.X(t), h - 20); g.stroke();
        const now = this.panel.curves.map((c) => valueAt(c.points, t));
        now.forEach((v, k) => {
            g.fillStyle = CURVE_COLOURS[k % CURVE_COLOURS.length];
            g.beginPath(); g.arc(this.X(t), this.Y(v), 3, 0, 7); g.fill();
        });
        this.readout.textContent = now.length === 1 ? few(now[0]) : "";
    }
}

/** The value of a curve at a time, between its points. */
function valueAt(points, t) {
    let low = 0, high = points.length - 1;
    if (high < 0) return NaN;
    while (high - low > 1) { const m = (low + high) >> 1; if (points[m][0] <= t) low = m; else high = m; }
    const [[t0, v0], [t1, v1]] = [points[low], points[high]];
    const part = t1 > t0 ? Math.min(Math.max((t - t0) / (t1 - t0), 0), 1) : 0;
    return v0 + part * (v1 - v0);
}
