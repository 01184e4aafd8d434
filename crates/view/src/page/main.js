// Start: read the header, show the first frames as soon as they are there, then play.

/** Pictures that come farther apart than this are late (ms, a mean over a few): less than 25 a second. */
const LATE = 40;

class Viewer {
    constructor(header) {
        this.header = header;
        this.film = new Film(header);
        this.moment = 0;
        this.rate = 1;
        this.playing = false;
        this.dirty = true;
        this.painted = 0;
    }

    /** Decodes the chunks one by one; the first is shown before the second is decoded. */
    async load(chunks) {
        for (const chunk of chunks) {
            await this.film.append(chunk.textContent);
            chunk.remove();
            if (!this.drawing) this.begin();
            $("slider").max = Math.max(this.film.frames.length - 1, 0);
            const whole = this.header.t.length, ready = this.film.frames.length;
            $("clock").title = ready < whole ? `${ready} of ${whole} frames read` : "";
            this.redraw();
        }
        if (!this.drawing) throw new Error("there is no frame to show");
    }

    begin() {
        this.state = new State(this.film);
        this.chains = new Chains(this.film);
        this.camera = new Camera(this.header, this.film.scale());
        this.drawing = new Drawing($("picture"), this.film, this.state, this.chains);
        this.plots = this.header.panels.map((p) => new Plot(p, this.header.t, (t) => { this.pause(); this.seek(this.momentAt(t)); }));
        $("plots").append(...this.plots.map((p) => p.box));
        this.controls = new Controls(this);
        this.camera.listen($("picture"), () => this.redraw(), (x, y) => this.click(x, y));
        // painted at once: a picture of the old size would be stretched
        new ResizeObserver(() => this.paint()).observe($("stage"));
        $("message").textContent = "";
        const tick = (now) => { this.tick(now); requestAnimationFrame(tick); };
        requestAnimationFrame(tick);
    }

    get last() { return this.film.frames.length - 1; }
    frame() { return Math.min(Math.max(Math.floor(this.moment + 1e-9), 0), this.last); }

    /** The time of a moment, and the moment of a time. */
    time() {
        const t = this.header.t, k = this.frame();
        return k >= this.last ? t[k] : t[k] + (this.moment - k) * (t[k + 1] - t[k]);
    }

    momentAt(time) {
        const t = this.header.t;
        let k = 0, high = this.last;
        while (high - k > 1) { const m = (k + high) >> 1; if (t[m] <= time) k = m; else high = m; }
        if (k >= this.last) return this.last;
        return k + Math.min(Math.max((time - t[k]) / (t[k + 1] - t[k] || 1), 0), 1);
    }

    seek(moment) { this.moment = Math.min(Math.max(moment, 0), this.last); this.redraw(); }
    redraw() { this.dirty = true; }

    toggle() { if (this.playing) this.pause(); else this.play(); }
    play() {
        if (this.moment >= this.last) this.moment = 0;
        this.playing = true;
        this.before = undefined;
        this.late = 0;
        $("play").textContent = "❚❚";
    }
    pause() {
        this.playing = false;
        $("play").textContent = "▶";
        if (!this.drawing.shadows) { this.drawing.shadows = this.drawing.shadowed; this.redraw(); }
    }

    /** Shadows are most of the work of a picture: where pictures come late they wait until the film is paused. */
    pace(milliseconds) {
        this.late = 0.8 * this.late + 0.2 * Math.min(milliseconds, 500);
        if (this.late > LATE) this.drawing.shadows = false;
    }

    tick(now) {
        if (this.playing) {
            const since = this.before === undefined ? 0 : now - this.before, passed = Math.min(since, 200) / 1000;
            this.before = now;
            this.pace(since);
            this.moment = this.momentAt(this.time() + passed * this.rate);
            if (this.moment >= this.last) { this.moment = this.last; this.pause(); }
            this.dirty = true;
        }
        if (this.dirty) this.paint();
    }

    theme() { return THEMES[document.documentElement.dataset.theme]; }

    /** One picture, with its clock, curves and card. */
    paint() {
        this.dirty = false;
        const c = $("picture"), ratio = Math.min(devicePixelRatio || 1, 2);
        const [w, h] = [Math.max(1, Math.round(c.clientWidth * ratio)), Math.max(1, Math.round(c.clientHeight * ratio))];
        if (c.width !== w || c.height !== h) { c.width = w; c.height = h; }
        this.drawing.upload(this.moment, this.theme());
        this.drawing.draw(this.camera, this.theme());
        this.painted++;
        const t = this.time();
        $("slider").value = this.moment;
        $("clock").textContent = `${few(t, 4)} s · ${this.frame() + 1}/${this.header.t.length}`;
        if (!$("plots").hidden) {
            const css = getComputedStyle(document.documentElement), of = (n) => css.getPropertyValue(n).trim();
            const style = { ink: of("--ink"), soft: of("--soft"), line: of("--line"), accent: of("--accent"), font: "system-ui, sans-serif" };
            this.plots.forEach((p) => p.draw(t, style));
        }
        this.controls.card();
    }

    /** Marks the body under a place of the window. */
    click(x, y) {
        const c = $("picture"), box = c.getBoundingClientRect(), ratio = c.width / box.width;
        this.state.marked = this.drawing.pick(this.camera, Math.floor((x - box.left) * ratio), c.height - 1 - Math.floor((y - box.top) * ratio));
        this.redraw();
    }
}

/** What went wrong, in the middle of the page. */
function complain(error) {
    $("message").className = "error";
    $("message").textContent = `This result cannot be shown.\n${error.message ?? error}`;
    selfcheckErrors.push(String(error.message ?? error));
}

async function start() {
    if (matchMedia("(prefers-color-scheme: dark)").matches) document.documentElement.dataset.theme = "dark";
    const viewer = window.viewer = new Viewer(JSON.parse($("header").textContent));
    try {
        await viewer.load([...document.querySelectorAll("script.chunk")]);
    } catch (error) {
        complain(error);
    }
    if (location.hash.startsWith("#selfcheck")) await selfcheck(viewer);
    applyHash(viewer);
    if (typeof follow === "function" && viewer.drawing) await follow(viewer);
}

start();
