// From forms to what the graphics card draws: balls, prototypes shared by many bodies, and corners that know their body.

/** Corners being collected: point, normal, (edge distance, capsule end). */
class Mesh {
    constructor() {
        this.point = [];
        this.normal = [];
        this.edge = [];
        this.body = [];
    }

    corner(p, n, edge, end = 0) {
        this.point.push(p[0], p[1], p[2]);
        this.normal.push(n[0], n[1], n[2]);
        this.edge.push(edge, end);
    }

    /** A convex face as a fan about its middle, which is at distance 1 from the edge. */
    face(corners, smooth = false) {
        const n = faceNormal(corners);
        if (!n) return;
        const k = corners.length, middle = [0, 1, 2].map((c) => corners.reduce((s, p) => s + p[c], 0) / k);
        for (let i = 0; i < k; i++) {
            this.corner(middle, n, 1);
            this.corner(corners[i], n, smooth ? 1 : 0);
            this.corner(corners[(i + 1) % k], n, smooth ? 1 : 0);
        }
    }

    /** Says whose the corners are that have been added since. */
    belongsTo(body) {
        while (this.body.length < this.point.length / 3) this.body.push(body);
    }

    /** Moves the corners since the given one. */
    place(from, x, q) {
        for (let i = from; i < this.point.length / 3; i++) {
            const p = add(turn(q, this.point.slice(3 * i, 3 * i + 3)), x), n = turn(q, this.normal.slice(3 * i, 3 * i + 3));
            for (let k = 0; k < 3; k++) { this.point[3 * i + k] = p[k]; this.normal[3 * i + k] = n[k]; }
        }
    }

    get corners() { return this.point.length / 3; }
}

/** The normal of a face by Newell's sum; none when it has no area. */
function faceNormal(corners) {
    let n = [0, 0, 0];
    for (let i = 0; i < corners.length; i++) n = add(n, cross(corners[i], corners[(i + 1) % corners.length]));
    return length(n) > 0 ? unit(n) : null;
}

const BOX_FACES = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

function boxMesh(mesh = new Mesh(), half = [1, 1, 1]) {
    const corner = (i) => [0, 1, 2].map((k) => (i >> k & 1 ? half[k] : -half[k]));
    BOX_FACES.forEach((f) => mesh.face(f.map(corner)));
    return mesh;
}

/** A cylinder along z from -l to l; only its rims show as edges. */
function cylinderMesh(mesh = new Mesh(), r = 1, l = 1, sides = 48) {
    const at = (i) => [Math.cos(2 * Math.PI * i / sides), Math.sin(2 * Math.PI * i / sides)];
    for (let i = 0; i < sides; i++) {
        const [a, b] = [at(i), at(i + 1)];
        // two strips: the middle is at distance 1 from the rims
        for (const [low, high] of [[-l, 0], [0, l]])
            for (const [n, z] of [[a, low], [b, low], [b, high], [a, low], [b, high], [a, high]])
                mesh.corner([r * n[0], r * n[1], z], [...n, 0], z === 0 ? 1 : 0);
        for (const z of [-1, 1]) {
            const [u, v] = z > 0 ? [a, b] : [b, a];
            mesh.corner([0, 0, z * l], [0, 0, z], 1);
            mesh.corner([r * u[0], r * u[1], z * l], [0, 0, z], 0);
            mesh.corner([r * v[0], r * v[1], z * l], [0, 0, z], 0);
        }
    }
    return mesh;
}

/** A unit ball whose halves can be moved apart: a capsule along z. */
function capsuleMesh(mesh = new Mesh(), sides = 24, rings = 6) {
    const profile = [];
    for (const end of [-1, 1])
        for (let i = 0; i <= rings; i++) {
            const a = 0.5 * Math.PI * (end < 0 ? i / rings - 1 : i / rings);
            profile.push([Math.cos(a), Math.sin(a), end]);
        }
    for (let k = 0; k + 1 < profile.length; k++)
        for (let i = 0; i < sides; i++) {
            const at = ([r, z, end], j) => {
                const a = 2 * Math.PI * j / sides, p = [r * Math.cos(a), r * Math.sin(a), z];
                return [p, end];
            };
            const [a, b] = [profile[k], profile[k + 1]], quad = [at(a, i), at(a, i + 1), at(b, i + 1), at(b, i)];
            for (const j of [0, 1, 2, 0, 2, 3]) mesh.corner(quad[j][0], quad[j][0], 1, quad[j][1]);
        }
    return mesh;
}

const ring = (r, sides) => Array.from({ length: sides }, (_, i) => [r * Math.cos(2 * Math.PI * i / sides), r * Math.sin(2 * Math.PI * i / sides), 0]);
const flatQuad = (mesh, a, b, c, d) => {
    for (const [p, e] of [[a, 0], [b, 0], [c, 1], [a, 0], [c, 1], [d, 1]]) mesh.corner(p, [0, 0, 1], e);
};

/** Faces of a smooth surface: normals of corners are the mean of those around, and no edge shows. */
function smoothFaces(mesh, v, faces) {
    const normals = v.map(() => [0, 0, 0]);
    for (const f of faces) {
        const n = faceNormal(f.map((i) => v[i]));
        if (n) f.forEach((i) => { normals[i] = add(normals[i], n); });
    }
    for (const f of faces)
        for (let k = 1; k + 1 < f.length; k++) for (const i of [f[0], f[k], f[k + 1]]) mesh.corner(v[i], unit(normals[i]), 1);
}

/** Adds a flat or unshared form to a mesh. Returns whether the form is one of these. */
function addUnshared(mesh, piece, s, line) {
    const P = (v) => [s * v[0], s * v[1], s * (v[2] ?? 0)];
    switch (piece.kind) {
        case "faces":
            if (piece.smooth) smoothFaces(mesh, piece.v.map(P), piece.f);
            else piece.f.forEach((f) => mesh.face(f.map((i) => P(piece.v[i]))));
            break;
        case "polygon": mesh.face(piece.v.map(P)); break;
        case "stadium": mesh.face(stadium(s * piece.r, s * piece.l)); break;
        case "half_plane": flatQuad(mesh, [-30, 0, 0], [30, 0, 0], [30, -30, 0], [-30, -30, 0]); break;
        case "polyline":
            for (let i = 0; i + 1 < piece.v.length; i++) {
                const a = P(piece.v[i]), b = P(piece.v[i + 1]), d = unit(add(b, a, -1)), n = [-d[1] * line, d[0] * line, 0];
                const [from, to] = [add(a, d, -line), add(b, d, line)];
                mesh.face([add(from, n, -1), add(to, n, -1), add(to, n), add(from, n)], true);
            }
            break;
        case "inside_circle": {
            const inner = ring(s * piece.r, 192), outer = ring(s * piece.r + 4 * line, 192);
            inner.forEach((p, i) => { const j = (i + 1) % 192; flatQuad(mesh, p, inner[j], outer[j], outer[i]); });
            break;
        }
        default: return false;
    }
    return true;
}

function stadium(r, l, sides = 24) {
    const half = (from, x) => Array.from({ length: sides + 1 }, (_, i) => {
        const a = from + Math.PI * i / sides;
        return [x + r * Math.cos(a), r * Math.sin(a), 0];
    });
    return [...half(-0.5 * Math.PI, l), ...half(0.5 * Math.PI, -l)];
}

const wxyz = (q) => (q ? [q[1], q[2], q[3], q[0]] : [0, 0, 0, 1]);

/** Everything to draw, sorted by how: { balls, boxes, cylinders, capsules, unshared, glass, floors }. */
function buildGeometry(header, radius) {
    const s = 1 / radius, line = 0.006;
    const shared = () => ({ body: [], place: [], turn: [], scale: [] });
    const g = { balls: { body: [], ball: [] }, boxes: shared(), cylinders: shared(), capsules: shared(), unshared: new Mesh(), glass: new Mesh(), floors: [] };
    const instance = (group, body, piece, scale) => {
        group.body.push(body);
        group.place.push(...(piece.x ?? [0, 0, 0]).map((c) => s * c));
        group.turn.push(...wxyz(piece.q));
        group.scale.push(...scale.map((c) => s * c));
    };
    const baked = (mesh, body, piece, from) => {
        mesh.place(from, (piece.x ?? [0, 0, 0]).map((c) => s * c), wxyz(piece.q));
        mesh.belongsTo(body);
    };
    const add1 = (piece, body) => {
        const from = g.unshared.corners, clear = g.glass.corners;
        switch (piece.kind) {
            case "sphere": case "disc":
                g.balls.body.push(body);
                g.balls.ball.push(...(piece.x ?? [0, 0, 0]).map((c) => s * c), s * piece.r);
                break;
            case "box": instance(g.boxes, body, piece, [...piece.half, 0]); break;
            case "cylinder": instance(g.cylinders, body, piece, [piece.r, piece.r, piece.l, 0]); break;
            case "capsule": instance(g.capsules, body, piece, [piece.r, piece.r, piece.r, piece.l]); break;
            case "half_space":
                g.floors.push({ body, place: (piece.x ?? [0, 0, 0]).map((c) => s * c), turn: wxyz(piece.q) });
                break;
            case "inside_box": boxMesh(g.glass, piece.half.map((c) => s * c)); baked(g.glass, body, piece, clear); break;
            case "inside_cylinder": cylinderMesh(g.glass, s * piece.r, s * piece.l, 96); baked(g.glass, body, piece, clear); break;
            default: addUnshared(g.unshared, piece, s, line); baked(g.unshared, body, piece, from);
        }
    };
    // what is fixed is drawn first: on the plane there is no depth to sort by
    for (const fixed of [1, 0])
        header.bodies.form.forEach((f, body) => { if (header.bodies.fixed[body] === fixed) header.forms[f].forEach((piece) => add1(piece, body)); });
    return g;
}
