// The picture: shadows first, then backdrop, floors, bodies, glass, and forces over all.

const SHADOW_SIZE = 2048;
const PASS = { picture: 0, shadow: 1, ids: 2 };

class Drawing {
    constructor(canvas, film, state, chains) {
        const gl = this.gl = canvas.getContext("webgl2", { antialias: true, alpha: false, preserveDrawingBuffer: true });
        if (!gl) throw new Error("this browser has no WebGL2; any current one does");
        const flat = film.header.camera.flat;
        Object.assign(this, { canvas, film, state, chains, spokes: true, flat, shadowed: !flat, shadows: !flat });
        const lit = { vertex: ["body.glsl"], fragment: ["light.glsl"] };
        this.sphere = new Program(gl, "sphere", lit);
        this.solid = new Program(gl, "solid", lit);
        this.floor = new Program(gl, "floor", lit);
        this.tube = new Program(gl, "tube");
        this.backdrop = new Program(gl, "backdrop");
        this.bodies = texture(gl, gl.RGBA32F, 3072, state.rows, [gl.RGBA, gl.FLOAT]);
        this.makeShadow();
        this.makeArrays(buildGeometry(film.header, film.scale().radius));
        this.pickTarget = { width: 0, height: 0 };
    }

    makeShadow() {
        const gl = this.gl;
        this.shadow = texture(gl, gl.DEPTH_COMPONENT24, SHADOW_SIZE, SHADOW_SIZE, [gl.DEPTH_COMPONENT, gl.UNSIGNED_INT]);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
        for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, gl.LINEAR);
        this.shadowTarget = gl.createFramebuffer();
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowTarget);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.shadow, 0);
        gl.drawBuffers([gl.NONE]);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    }

    makeArrays(g) {
        const gl = this.gl, F = (v) => new Float32Array(v), U = (v) => new Uint32Array(v);
        const square = F([-1, -1, 1, -1, -1, 1, 1, 1]);
        this.balls = new VertexArray(gl, this.sphere, [
            { name: "a_corner", data: square, size: 2 }, { name: "a_body", data: U(g.balls.body), size: 1, each: 1 },
            { name: "i_ball", data: F(g.balls.ball), size: 4, each: 1 }]);
        this.balls.instances = g.balls.body.length;
        const corners = (m) => [{ name: "a_point", data: F(m.point), size: 3 }, { name: "a_normal", data: F(m.normal), size: 3 }, { name: "a_edge", data: F(m.edge), size: 2 }];
        const many = (mesh, group) => Object.assign(new VertexArray(gl, this.solid, [...corners(mesh),
            { name: "a_body", data: U(group.body), size: 1, each: 1 }, { name: "i_place", data: F(group.place), size: 3, each: 1 },
            { name: "i_turn", data: F(group.turn), size: 4, each: 1 }, { name: "i_scale", data: F(group.scale), size: 4, each: 1 }]),
        { corners: mesh.corners, instances: group.body.length });
        const once = (mesh) => Object.assign(new VertexArray(gl, this.solid, [...corners(mesh), { name: "a_body", data: U(mesh.body), size: 1 }]),
            { corners: mesh.corners, instances: mesh.corners ? 1 : 0 });
        this.solids = [once(g.unshared), many(boxMesh(), g.boxes), many(cylinderMesh(), g.cylinders), many(capsuleMesh(), g.capsules)];
        this.glass = once(g.glass);
        this.floors = g.floors;
        this.square = new VertexArray(gl, this.floor, [{ name: "a_corner", data: square, size: 2 }]);
        this.cover = new VertexArray(gl, this.backdrop, [{ name: "a_corner", data: F([-1, -1, 3, -1, -1, 3]), size: 2 }]);
        this.makeTubes(F);
    }

    makeTubes(F) {
        const around = [], sides = 10, at = (i) => [Math.cos(2 * Math.PI * i / sides), Math.sin(2 * Math.PI * i / sides)];
        for (let i = 0; i < sides; i++) {
            const [a, b] = [at(i), at(i + 1)];
            for (const [p, z] of [[a, 0], [b, 0], [b, 1], [a, 0], [b, 1], [a, 1]]) around.push(...p, z);
        }
        this.tubes = new VertexArray(this.gl, this.tube, [{ name: "a_round", data: F(around), size: 3 },
            ...[["i_from", 3], ["i_to", 3], ["i_paint", 4]].map(([name, size]) => ({ name, data: F([]), size, each: 2 }))]);
        this.tubes.corners = around.length / 3;
    }

    /** Uploads the bodies of a moment, and its forces. */
    upload(moment, theme) {
        const gl = this.gl, t = this.bodies, pale = this.chains.mode !== "none";
        this.state.fill(moment, theme, pale);
        gl.activeTexture(gl.TEXTURE0);
        gl.bindTexture(gl.TEXTURE_2D, t);
        gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, t.width, t.height, t.external, t.type, this.state.texels);
        if (!pale) return;
        const tubes = this.chains.build(Math.min(Math.max(Math.floor(moment), 0), this.film.frames.length - 1), this.state.texels);
        this.tubes.fill("i_from", tubes.from);
        this.tubes.fill("i_to", tubes.to);
        this.tubes.fill("i_paint", tubes.paint);
        this.tubes.instances = tubes.count;
    }

    /** The sun: up, a little to the left of the camera's first view and in front. */
    sun() {
        const a = this.film.header.camera.azimuth * Math.PI / 180 - 0.7;
        return unit([0.62 * Math.cos(a), 0.62 * Math.sin(a), 1.0]);
    }

    draw(camera, theme) {
        const gl = this.gl, { width, height } = this.canvas, aspect = width / height, { view, project } = camera.matrices(aspect);
        const sun = this.sun(), right = unit(cross([0, 0, 1], sun)), lightView = viewMatrix([right, cross(sun, right), sun], add([0, 0, 0], sun, 4));
        const lightProject = orthographic(1.6, 1.6, 0.5, 8);
        const common = { u_bodies: 0, u_shadow: 1, u_spokes: this.spokes && this.chains.mode === "none", u_flat: this.flat, u_ink: theme.ink, u_alpha: 1 };
        gl.enable(gl.CULL_FACE);
        gl.disable(gl.BLEND);
        this.bind();
        if (this.shadows) this.drawShadow({ ...common, u_view: lightView, u_project: lightProject });
        gl.viewport(0, 0, width, height);
        gl.clear(gl.DEPTH_BUFFER_BIT);
        const rotate = (v) => [0, 1, 2].map((r) => view[r] * v[0] + view[4 + r] * v[1] + view[8 + r] * v[2]);
        const look = {
            ...common, u_view: view, u_project: project, u_viewBack: rigidInverse(view), u_pass: PASS.picture, u_perspective: !this.flat,
            u_light: rotate(sun), u_up: rotate([0, 0, 1]), u_sky: theme.sky, u_ground: theme.ground, u_sun: theme.sun,
            u_toShadow: multiply(multiply(lightProject, lightView), rigidInverse(view)), u_shadowSize: this.shadows ? 1 / SHADOW_SIZE * 3 : 0,
        };
        this.drawBackdrop(theme);
        (this.flat ? gl.disable : gl.enable).call(gl, gl.DEPTH_TEST);
        if (!this.flat) this.drawFloors(look, theme);
        gl.enable(gl.SAMPLE_ALPHA_TO_COVERAGE);
        this.drawBodies(look);
        gl.disable(gl.SAMPLE_ALPHA_TO_COVERAGE);
        this.drawGlass(look);
        this.drawForces(look);
    }

    bind() {
        const gl = this.gl;
        gl.activeTexture(gl.TEXTURE1);
        gl.bindTexture(gl.TEXTURE_2D, this.shadow);
        gl.activeTexture(gl.TEXTURE0);
        gl.bindTexture(gl.TEXTURE_2D, this.bodies);
    }

    drawShadow(look) {
        const gl = this.gl;
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowTarget);
        gl.viewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
        gl.enable(gl.DEPTH_TEST);
        gl.clear(gl.DEPTH_BUFFER_BIT);
        // the map is not read while it is written
        gl.activeTexture(gl.TEXTURE1);
        gl.bindTexture(gl.TEXTURE_2D, null);
        gl.activeTexture(gl.TEXTURE0);
        this.drawBodies({ ...look, u_pass: PASS.shadow, u_perspective: false });
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        this.bind();
    }

    drawBackdrop(theme) {
        const gl = this.gl;
        gl.disable(gl.DEPTH_TEST);
        this.backdrop.use({ u_low: this.flat ? theme.high : theme.low, u_high: theme.high });
        gl.bindVertexArray(this.cover.array);
        gl.drawArrays(gl.TRIANGLES, 0, 3);
    }

    drawFloors(look, theme) {
        const gl = this.gl;
        gl.disable(gl.CULL_FACE);
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
        gl.bindVertexArray(this.square.array);
        for (const f of this.floors) {
            this.floor.use({ ...look, u_body: f.body, u_turn: f.turn, u_place: f.place, u_size: 7, u_fade: 6, u_cell: 0.2, u_floor: theme.floor, u_backdrop: theme.low });
            gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
        }
        gl.disable(gl.BLEND);
        gl.enable(gl.CULL_FACE);
    }

    drawBodies(look) {
        const gl = this.gl;
        if (this.flat) { gl.disable(gl.CULL_FACE); gl.enable(gl.BLEND); gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA); }
        if (look.u_pass === PASS.ids) gl.disable(gl.BLEND);
        this.solid.use(look);
        this.single();
        for (const s of this.solids) this.drawSolid(s);
        if (this.balls.instances) {
            this.sphere.use(look);
            gl.bindVertexArray(this.balls.array);
            gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.balls.instances);
        }
        gl.disable(gl.BLEND);
    }

    /** What a prototype is told for each body, told once: no place, no turn, no stretch. */
    single() {
        const gl = this.gl, at = (name) => this.solid.attribute(name);
        gl.vertexAttrib3f(at("i_place"), 0, 0, 0);
        gl.vertexAttrib4f(at("i_turn"), 0, 0, 0, 1);
        gl.vertexAttrib4f(at("i_scale"), 1, 1, 1, 0);
    }

    drawSolid(s) {
        if (!s.instances) return;
        this.gl.bindVertexArray(s.array);
        this.gl.drawArraysInstanced(this.gl.TRIANGLES, 0, s.corners, s.instances);
    }

    /** The far walls of what bodies are inside of. */
    drawGlass(look) {
        const gl = this.gl;
        if (!this.glass.instances) return;
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
        gl.depthMask(false);
        // a floor in the same plane is in front
        gl.enable(gl.POLYGON_OFFSET_FILL);
        gl.polygonOffset(1, 2);
        for (const [side, alpha] of [[gl.FRONT, 0.34], [gl.BACK, 0.05]]) {
            gl.cullFace(side);
            this.solid.use({ ...look, u_alpha: alpha, u_shadowSize: side === gl.FRONT ? look.u_shadowSize : 0 });
            this.single();
            this.drawSolid(this.glass);
        }
        gl.cullFace(gl.BACK);
        gl.depthMask(true);
        gl.disable(gl.POLYGON_OFFSET_FILL);
        gl.disable(gl.BLEND);
    }

    /** Forces show through the bodies. */
    drawForces(look) {
        const gl = this.gl;
        if (this.chains.mode === "none" || !this.tubes.instances) return;
        gl.clear(gl.DEPTH_BUFFER_BIT);
        gl.enable(gl.DEPTH_TEST);
        gl.disable(gl.CULL_FACE);
        this.tube.use(look);
        gl.bindVertexArray(this.tubes.array);
        gl.drawArraysInstanced(gl.TRIANGLES, 0, this.tubes.corners, this.tubes.instances);
    }

    /** The body at a pixel of the canvas, counted from the lower left, or -1. */
    pick(camera, x, y) {
        const gl = this.gl, { width, height } = this.canvas, { view, project } = camera.matrices(width / height);
        this.sizePickTarget(width, height);
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.pickTarget.frame);
        gl.viewport(0, 0, width, height);
        gl.enable(gl.SCISSOR_TEST);
        gl.scissor(x, y, 1, 1);
        gl.clearColor(0, 0, 0, 0);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        (this.flat ? gl.disable : gl.enable).call(gl, gl.DEPTH_TEST);
        this.bind();
        this.drawBodies({ u_bodies: 0, u_shadow: 1, u_view: view, u_project: project, u_viewBack: rigidInverse(view), u_flat: this.flat, u_pass: PASS.ids, u_perspective: !this.flat, u_shadowSize: 0 });
        const pixel = new Uint8Array(4);
        gl.readPixels(x, y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
        gl.disable(gl.SCISSOR_TEST);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        return pixel[0] + 256 * pixel[1] + 65536 * pixel[2] - 1;
    }

    sizePickTarget(width, height) {
        const gl = this.gl, t = this.pickTarget;
        if (t.width === width && t.height === height) return;
        for (const b of [t.colour, t.depth]) if (b) gl.deleteRenderbuffer(b);
        t.frame ??= gl.createFramebuffer();
        gl.bindFramebuffer(gl.FRAMEBUFFER, t.frame);
        for (const [name, format, place] of [["colour", gl.RGBA8, gl.COLOR_ATTACHMENT0], ["depth", gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT]]) {
            t[name] = gl.createRenderbuffer();
            gl.bindRenderbuffer(gl.RENDERBUFFER, t[name]);
            gl.renderbufferStorage(gl.RENDERBUFFER, format, width, height);
            gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, t[name]);
        }
        Object.assign(t, { width, height });
    }
}
