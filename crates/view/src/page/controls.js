// Buttons, keys, the legend and the card of a body.

const $ = (id) => document.getElementById(id);

const KEYS = [
    ["space", "play, pause"], ["← →", "a frame back, on (with shift: ten)"], ["home, end", "first and last frame"], ["+ −", "faster, slower"],
    ["C", "colour by speed, contact force, size, id"], ["F", "contacts: hidden, force chains, stick and slip"], ["O", "marks that show how bodies turn"],
    ["R", "first view"], ["1 2 3", "from the front, from the side, from above"], ["P", "curves"], ["T", "light, dark"], ["S", "save the picture"],
    ["drag", "orbit (on the plane: pan)"], ["shift or right button + drag", "pan"], ["wheel, pinch", "zoom"], ["click", "figures of a body"],
];

class Controls {
    /** `viewer` is what main.js makes: it plays, seeks and redraws. */
    constructor(viewer) {
        this.viewer = viewer;
        const v = viewer;
        $("play").onclick = () => v.toggle();
        $("slider").oninput = (e) => { v.pause(); v.seek(+e.target.value); };
        $("colour").onchange = (e) => this.colour(e.target.value);
        $("contacts").onchange = (e) => this.contacts(e.target.value);
        $("speed").onchange = (e) => { v.rate = +e.target.value; };
        $("reset").onclick = () => { v.camera.reset(); v.redraw(); };
        $("curves").onclick = () => this.curves();
        $("theme").onclick = () => this.theme();
        $("save").onclick = () => this.save();
        $("keys").onclick = () => this.help();
        $("help").onclick = () => $("help").close();
        document.addEventListener("keydown", (e) => this.key(e));
        this.speeds();
        this.facts();
        this.legend();
    }

    /** Speeds around the one at which the whole takes about twelve seconds; real time when that is near. */
    speeds() {
        const t = this.viewer.header.t, whole = t[t.length - 1] - t[0] || 1;
        const fit = 10 ** Math.round(Math.log10(whole / 12)), start = whole >= 3 && whole <= 40 ? 1 : fit;
        const rates = [...new Set([0.1, 0.2, 0.5, 1, 2, 5, 10].map((s) => +(s * start).toPrecision(3)))];
        $("speed").replaceChildren(...rates.map((r) => new Option(`× ${few(r)}`, r, r === start, r === start)));
        this.viewer.rate = start;
    }

    facts() {
        const { header } = this.viewer, moving = header.bodies.fixed.filter((f) => !f).length, n = header.t.length;
        $("facts").textContent = `${moving.toLocaleString("en")} bodies, ${n} frame${n === 1 ? "" : "s"}` + (header.h > 0 ? `, h = ${few(header.h)} s` : "");
        $("notices").replaceChildren(...header.notices.map((n) => Object.assign(document.createElement("li"), { textContent: n })));
    }

    legend() {
        const { state, chains, header } = this.viewer, box = $("legend"), parts = [];
        const scale = (title, ends) => {
            const d = document.createElement("div"), bar = document.createElement("div"), foot = document.createElement("div");
            d.append(title);
            bar.className = "scale";
            bar.style.background = mapGradient(header.map);
            foot.className = "ends";
            foot.append(...ends.map((e) => Object.assign(document.createElement("span"), { textContent: e })));
            d.append(bar, foot);
            return d;
        };
        const per = header.h > 0 ? 1 / header.h : 1;
        if (chains.mode === "force") parts.push(scale(`normal force (${header.h > 0 ? "N" : "N s"})`, ["0", "≥ " + few(header.rln.usual * per)]));
        else if (chains.mode === "status") {
            const d = document.createElement("div");
            for (const [word, colour] of [["stick", "#0072b2"], ["slip", "#e06a00"]]) {
                const dot = Object.assign(document.createElement("span"), { className: "dot" });
                dot.style.background = colour;
                d.append(dot, word);
            }
            parts.push(d);
        } else if (state.colourBy !== "id") {
            const [low, high] = state.ends(), open = state.colourBy !== "size" ? "≥ " : "";
            parts.push(scale(`${COLOUR_BY[state.colourBy].label} (${state.unit()})`, [few(low), open + few(high)]));
        }
        box.replaceChildren(...parts);
    }

    colour(by) {
        $("colour").value = this.viewer.state.colourBy = by;
        if (this.viewer.chains.mode !== "none") this.contacts("none");
        this.legend();
        this.viewer.redraw();
    }

    contacts(mode) {
        $("contacts").value = this.viewer.chains.mode = mode;
        this.legend();
        this.viewer.redraw();
    }

    curves() {
        $("plots").hidden = !$("plots").hidden;
        this.viewer.redraw();
    }

    theme() {
        const root = document.documentElement;
        root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
        this.viewer.redraw();
    }

    save() {
        this.viewer.paint();
        const link = document.createElement("a");
        link.download = `${this.viewer.header.title || "stickslip"}-${this.viewer.frame()}.png`;
        link.href = $("picture").toDataURL("image/png");
        link.click();
    }

    help() {
        const row = ([key, words]) => `<tr><td>${key}</td><td>${words}</td></tr>`;
        $("help").innerHTML = `<table>${KEYS.map(row).join("")}</table><p>stickslip ${this.viewer.header.version}</p>`;
        $("help").showModal();
    }

    /** The card of the marked body, at the frame that is shown. */
    card() {
        const { state } = this.viewer, box = $("card");
        box.hidden = state.marked < 0;
        if (box.hidden) return;
        const f = state.figures(state.marked, this.viewer.frame()), plane = this.viewer.header.dimension === 2;
        const rows = [["position", f.x.slice(0, plane ? 2 : 3).map((v) => few(v, 4)).join(", ") + " m"], ["speed", few(f.speed) + " m/s"],
            ["spin", few(f.spin) + " 1/s"], ["contact force", few(f.load) + (this.viewer.header.h > 0 ? " N" : " N s")],
            ["contacts", `${f.touching}, ${f.slipping} slipping`], ["radius", few(f.radius) + " m"]];
        if (f.material) rows.push(["material", f.material]);
        const table = document.createElement("table");
        table.createCaption().textContent = `body ${f.id}` + (f.fixed ? ", fixed or driven" : "") + (f.present ? "" : ", not there now");
        for (const [name, value] of rows) {
            const r = table.insertRow(), th = document.createElement("th");
            th.textContent = name;
            r.append(th);
            r.insertCell().textContent = value;
        }
        box.replaceChildren(table);
    }

    key(e) {
        if (e.ctrlKey || e.metaKey || e.altKey || e.target.tagName === "SELECT") return;
        const v = this.viewer, step = (n) => { v.pause(); v.seek(Math.round(v.moment) + n); };
        const cycle = (select, set) => { const o = [...$(select).options]; set(o[($(select).selectedIndex + 1) % o.length].value); };
        const rate = (n) => { const s = $("speed"); s.selectedIndex = Math.min(Math.max(s.selectedIndex + n, 0), s.options.length - 1); v.rate = +s.value; };
        const look = (azimuth, elevation) => { v.camera.reset(); v.camera.azimuth = azimuth; v.camera.elevation = elevation; v.redraw(); };
        const actions = {
            " ": () => v.toggle(), ArrowLeft: () => step(e.shiftKey ? -10 : -1), ArrowRight: () => step(e.shiftKey ? 10 : 1),
            Home: () => { v.pause(); v.seek(0); }, End: () => { v.pause(); v.seek(Infinity); }, "+": () => rate(1), "=": () => rate(1), "-": () => rate(-1),
            c: () => cycle("colour", (x) => this.colour(x)), f: () => cycle("contacts", (x) => this.contacts(x)),
            o: () => { v.drawing.spokes = !v.drawing.spokes; v.redraw(); }, r: () => { v.camera.reset(); v.redraw(); },
            1: () => look(-0.5 * Math.PI, 0.05), 2: () => look(0, 0.05), 3: () => look(-0.5 * Math.PI, 1.5707),
            p: () => this.curves(), t: () => this.theme(), s: () => this.save(), "?": () => this.help(), h: () => this.help(),
            Escape: () => { v.state.marked = -1; v.redraw(); },
        };
        const action = actions[e.key.length === 1 ? e.key.toLowerCase() : e.key];
        if (!action) return;
        e.preventDefault();
        action();
    }
}
