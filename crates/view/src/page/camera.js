// Orbit, pan and zoom: by mouse, by touch, by keys. On the plane, pan and zoom.

/** Unit vectors to the right, up, and back towards an eye at these angles. */
function axesOf(azimuth, elevation) {
    const [sa, ca, se, ce] = [Math.sin(azimuth), Math.cos(azimuth), Math.sin(elevation), Math.cos(elevation)];
    return [[-sa, ca, 0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]];
}

class Camera {
    constructor(header, { middle, radius }) {
        this.header = header;
        this.scale = { middle, radius };
        this.flat = header.camera.flat;
        this.reset();
    }

    /** The first view. */
    reset() {
        const c = this.header.camera, { middle, radius } = this.scale;
        this.target = c.target.map((v, k) => (v - middle[k]) / radius);
        this.azimuth = c.azimuth * Math.PI / 180;
        this.elevation = c.elevation * Math.PI / 180;
        this.tan = Math.tan(c.angle * Math.PI / 360);
        this.half = c.half.map((v) => v / radius);
        this.zoom = 1;
    }

    axes() {
        if (this.flat) return [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
        return axesOf(this.azimuth, this.elevation);
    }

    /** Half the height of what a flat picture of that aspect shows. */
    halfHeight(aspect) {
        return Math.max(this.half[1], this.half[0] / aspect, 1e-6) * this.zoom;
    }

    /** The distance from which a picture of that aspect shows the scene, seen as at first: as camera.rs. */
    range(aspect) {
        if (this.fitted !== aspect) {
            const c = this.header.camera, { low, high } = this.header.scene, { middle, radius } = this.scale;
            const [right, up, back] = axesOf(c.azimuth * Math.PI / 180, c.elevation * Math.PI / 180);
            this.distance = 0;
            for (let i = 0; i < 8; i++) {
                const p = [0, 1, 2].map((k) => ((i >> k & 1 ? high[k] : low[k]) - middle[k]) / radius);
                const across = Math.max(Math.abs(dot(p, right)) / aspect, Math.abs(dot(p, up)));
                this.distance = Math.max(this.distance, dot(p, back) + across / this.tan);
            }
            this.fitted = aspect;
        }
        return this.distance * this.zoom * 1.03;
    }

    /** View and projection for a picture of that aspect. */
    matrices(aspect) {
        const axes = this.axes(), range = this.flat ? 10 : this.range(aspect);
        const view = viewMatrix(axes, add(this.target, axes[2], range));
        const h = this.halfHeight(aspect);
        const project = this.flat ? orthographic(h * aspect, h, 0.1, 20)
            : perspective(this.tan, aspect, Math.max(range - 3, 0.02 * range), range + 14);
        return { view, project };
    }

    /** Size of a pixel at the target. */
    pixel(height, aspect) {
        return (this.flat ? 2 * this.halfHeight(aspect) : 2 * this.tan * this.range(aspect)) / height;
    }

    orbit(dx, dy) {
        if (this.flat) return;
        this.azimuth -= 0.006 * dx;
        this.elevation = Math.min(Math.max(this.elevation + 0.006 * dy, -0.5), 1.5707);
    }

    pan(dx, dy, height, aspect) {
        const [right, up] = this.axes(), s = this.pixel(height, aspect);
        this.target = add(add(this.target, right, -dx * s), up, dy * s);
    }

    /** Zooms by a factor; the place (-1 to 1 across and up) under the pointer stays. */
    zoomBy(factor, place, aspect) {
        const before = this.pixel(2, aspect);
        this.zoom = Math.min(Math.max(this.zoom * factor, 1e-3), 30);
        const change = before - this.pixel(2, aspect), [right, up] = this.axes();
        this.target = add(add(this.target, right, place[0] * aspect * change), up, place[1] * change);
    }

    /** Listens on an element. `changed` is called after a move, `clicked` with a place that was not dragged. */
    listen(element, changed, clicked) {
        const touches = new Map();
        let moved = 0, span = 0;
        const aspect = () => element.clientWidth / element.clientHeight;
        const middle = () => [...touches.values()].reduce(([x, y], p) => [x + p.x / touches.size, y + p.y / touches.size], [0, 0]);
        const spread = () => { const [a, b] = [...touches.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
        const place = (x, y) => {
            const box = element.getBoundingClientRect();
            return [2 * (x - box.left) / box.width - 1, 1 - 2 * (y - box.top) / box.height];
        };
        element.addEventListener("pointerdown", (e) => {
            element.setPointerCapture(e.pointerId);
            touches.set(e.pointerId, { x: e.clientX, y: e.clientY });
            moved = 0;
            if (touches.size === 2) span = spread();
        });
        element.addEventListener("pointermove", (e) => {
            if (!touches.has(e.pointerId)) return;
            const [x0, y0] = middle();
            touches.set(e.pointerId, { x: e.clientX, y: e.clientY });
            const [x1, y1] = middle(), dx = x1 - x0, dy = y1 - y0;
            moved += Math.abs(dx) + Math.abs(dy);
            const panning = this.flat || touches.size > 1 || e.shiftKey || e.ctrlKey || (e.buttons & 6);
            if (panning) this.pan(dx, dy, element.clientHeight, aspect());
            else this.orbit(dx, dy);
            if (touches.size === 2) {
                const now = spread();
                if (now > 0 && span > 0) this.zoomBy(span / now, place(x1, y1), aspect());
                span = now;
            }
            changed();
        });
        const end = (e) => {
            if (touches.delete(e.pointerId) && e.type === "pointerup" && moved < 5 && touches.size === 0) clicked(e.clientX, e.clientY);
        };
        element.addEventListener("pointerup", end);
        element.addEventListener("pointercancel", end);
        element.addEventListener("contextmenu", (e) => e.preventDefault());
        element.addEventListener("wheel", (e) => {
            e.preventDefault();
            this.zoomBy(Math.exp(Math.min(Math.max(e.deltaY, -80), 80) * 0.002), place(e.clientX, e.clientY), aspect());
            changed();
        }, { passive: false });
    }
}
