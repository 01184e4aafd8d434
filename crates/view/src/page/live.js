// The page of a run that is still going: asks for the frames that have been written since.

/** Adds frames to a viewer: { t, frame, ranges, chunk, curves }. */
async function grow(viewer, more) {
    const { header } = viewer, atEnd = viewer.moment >= viewer.last - 1e-6;
    for (const name of ["speed", "spin", "load", "rln", "rlt"])
        for (const end of ["max", "usual"]) header[name][end] = Math.max(header[name][end], more[name][end]);
    header.t.push(...more.t);
    header.frame.push(...more.frame);
    for (const panel of header.panels)
        for (const curve of panel.curves) {
            const added = more.curves.find((c) => c.name === curve.name);
            if (added) curve.points.push(...added.points);
        }
    await viewer.film.append(more.chunk, more);
    for (const plot of viewer.plots) { plot.t[1] = Math.max(header.t[header.t.length - 1], plot.t[0] + 1e-9); plot.key = ""; }
    $("slider").max = viewer.last;
    viewer.controls.facts();
    viewer.controls.legend();
    // who watches the end keeps watching it
    if (atEnd && !viewer.playing) viewer.seek(viewer.last);
    viewer.paint();
}

async function follow(viewer) {
    for (let failures = 0; ;) {
        let more;
        try {
            more = await (await fetch(`frames?from=${viewer.header.frame[viewer.header.frame.length - 1] + 1}`)).json();
            failures = 0;
        } catch {
            // once may be chance
            if (++failures > 4) { $("facts").textContent += " · the run has ended"; return; }
            await pause(500);
            continue;
        }
        if (more.t.length) await grow(viewer, more);
        else if (more.finished) { $("facts").textContent += " · finished"; return; }
        else await pause(700);
    }
}
