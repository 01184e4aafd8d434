// The page tries itself when it is opened with #selfcheck: it plays, picks and looks at its own pixels, and leaves what it
// saw in an element for a test to read. With #view=… it opens in a given state, for screenshots.

const selfcheckErrors = [];
window.addEventListener("error", (e) => selfcheckErrors.push(String(e.message)));
window.addEventListener("unhandledrejection", (e) => selfcheckErrors.push(String(e.reason)));

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** The next picture, or a tenth of a second: where time is virtual, a busy machine lets seconds pass without one. */
const nextPicture = () => Promise.race([new Promise((done) => requestAnimationFrame(done)), pause(100)]);

/** Pixels of the picture: how many differ from the backdrop of their row, and how many colours there are. */
function pixelFigures(viewer) {
    viewer.paint();
    const { gl, canvas } = viewer.drawing, { width, height } = canvas, data = new Uint8Array(4 * width * height);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, data);
    let drawn = 0, sum = 0;
    const colours = new Set();
    for (let i = 0; i < width * height; i++) {
        const row = 4 * Math.floor(i / width) * width, o = 4 * i;
        if (Math.abs(data[o] - data[row]) + Math.abs(data[o + 1] - data[row + 1]) + Math.abs(data[o + 2] - data[row + 2]) > 24) drawn++;
        colours.add(data[o] >> 3 << 10 | data[o + 1] >> 3 << 5 | data[o + 2] >> 3);
        sum = (sum * 31 + data[o] + 7 * data[o + 1] + 13 * data[o + 2]) >>> 0;
    }
    return { drawn: drawn / (width * height), colours: colours.size, sum };
}

/** Where the centre of a body is on the canvas, in pixels from the lower left. */
function pixelOf(viewer, body) {
    const { canvas } = viewer.drawing, { view, project: p } = viewer.camera.matrices(canvas.width / canvas.height);
    const [x, y, z] = project(multiply(p, view), viewer.state.texels.subarray(12 * body, 12 * body + 3));
    return [Math.round((0.5 + 0.5 * x) * canvas.width), Math.round((0.5 + 0.5 * y) * canvas.height), z];
}

/** Picks at the centres of movable bodies; on each, the body found is it or one in front of it. */
function tryPicks(viewer) {
    const { bodies } = viewer.header, out = { tried: 0, itself: 0, other: 0, none: 0 };
    for (let b = 0; b < bodies.id.length && out.tried < 20; b++) {
        if (bodies.fixed[b] || !viewer.film.frames[viewer.frame()].present[b]) continue;
        const [x, y] = pixelOf(viewer, b);
        if (x < 0 || y < 0 || x >= viewer.drawing.canvas.width || y >= viewer.drawing.canvas.height) continue;
        const found = viewer.drawing.pick(viewer.camera, x, y);
        out.tried++;
        out[found === b ? "itself" : found >= 0 ? "other" : "none"]++;
    }
    viewer.redraw();
    return out;
}

async function tryPlaying(viewer) {
    viewer.seek(0);
    const first = pixelFigures(viewer);
    viewer.seek(viewer.last / 2);
    const middle = pixelFigures(viewer), t = viewer.header.t;
    viewer.seek(0);
    viewer.rate = (t[t.length - 1] - t[0]) / 2;
    viewer.play();
    const painted = viewer.painted;
    for (let k = 0; k < 100 && viewer.moment < 1; k++) await nextPicture();
    viewer.pause();
    return { moment: viewer.moment, painted: viewer.painted - painted, changed: first.sum !== middle.sum, first, middle };
}

/** Milliseconds of the program's own work for a picture: states, colours, upload. Zero where time is virtual. */
function timeUploads(viewer) {
    const began = performance.now(), n = Math.min(60, Math.max(viewer.last, 1));
    for (let k = 0; k < n; k++) viewer.drawing.upload(k * viewer.last / n + 0.5, viewer.theme());
    return (performance.now() - began) / n;
}

async function selfcheck(viewer) {
    const report = { errors: selfcheckErrors };
    try {
        report.frames = viewer.film.frames.length;
        report.play = await tryPlaying(viewer);
        viewer.seek(0);
        viewer.paint();
        report.picks = tryPicks(viewer);
        viewer.seek(viewer.last);
        for (const mode of ["force", "status", "none"]) {
            viewer.controls.contacts(mode);
            report[`contacts_${mode}`] = pixelFigures(viewer);
        }
        for (const by of ["force", "size", "id", "speed"]) {
            viewer.controls.colour(by);
            report[`colour_${by}`] = pixelFigures(viewer).sum;
        }
        document.dispatchEvent(new KeyboardEvent("keydown", { key: "Home" }));
        report.home = viewer.moment;
        document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
        report.right = viewer.moment;
        viewer.controls.theme();
        report.other_theme = pixelFigures(viewer).sum;
        viewer.controls.theme();
        viewer.state.marked = viewer.header.bodies.fixed.indexOf(0);
        viewer.paint();
        report.card = $("card").textContent;
        report.milliseconds = timeUploads(viewer);
        report.gl = viewer.drawing.gl.getError();
        report.notices = $("notices").textContent;
    } catch (error) {
        selfcheckErrors.push(String(error.stack ?? error));
    }
    $("selfcheck").textContent = JSON.stringify(report);
}

/** #view=moment=0.5,colour=force,contacts=force,theme=dark,mark=3: a share of the whole, and how to show it. */
function applyHash(viewer) {
    const wishes = new URLSearchParams(location.hash.replace(/^#view=/, "").replaceAll(",", "&"));
    if (!location.hash.startsWith("#view=") || !viewer.drawing) return;
    if (wishes.has("theme")) document.documentElement.dataset.theme = wishes.get("theme") === "dark" ? "dark" : "light";
    if (COLOUR_BY[wishes.get("colour")]) viewer.controls.colour(wishes.get("colour"));
    if (["force", "status"].includes(wishes.get("contacts"))) viewer.controls.contacts(wishes.get("contacts"));
    if (wishes.has("mark")) viewer.state.marked = viewer.header.bodies.id.indexOf(+wishes.get("mark"));
    viewer.seek(viewer.last * (+wishes.get("moment") || 0));
}
