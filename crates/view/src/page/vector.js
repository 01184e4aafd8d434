// Vectors, quaternions (x y z w) and 4x4 matrices (by columns), as plain arrays.

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const length = (a) => Math.hypot(a[0], a[1], a[2]);
const unit = (a) => { const l = length(a) || 1; return [a[0] / l, a[1] / l, a[2] / l]; };

/** Turns a vector by a quaternion. */
function turn(q, p) {
    const c = cross(q, p), d = cross(q, c);
    return [0, 1, 2].map((k) => p[k] + 2 * (q[3] * c[k] + d[k]));
}

/** World to view for axes to the right, up and back, seen from a point. */
function viewMatrix([right, up, back], eye) {
    return new Float32Array([
        right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
        -dot(right, eye), -dot(up, eye), -dot(back, eye), 1,
    ]);
}

function perspective(tan, aspect, near, far) {
    const d = near - far;
    return new Float32Array([1 / (tan * aspect), 0, 0, 0, 0, 1 / tan, 0, 0, 0, 0, (far + near) / d, -1, 0, 0, 2 * far * near / d, 0]);
}

function orthographic(halfWidth, halfHeight, near, far) {
    const d = near - far;
    return new Float32Array([1 / halfWidth, 0, 0, 0, 0, 1 / halfHeight, 0, 0, 0, 0, 2 / d, 0, 0, 0, (far + near) / d, 1]);
}

/** The product a b. */
function multiply(a, b) {
    const out = new Float32Array(16);
    for (let c = 0; c < 4; c++)
        for (let r = 0; r < 4; r++)
            for (let k = 0; k < 4; k++) out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
    return out;
}

/** The inverse of a rotation followed by a translation. */
function rigidInverse(m) {
    const out = new Float32Array(16);
    for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) out[4 * c + r] = m[4 * r + c];
        out[12 + r] = -(m[4 * r] * m[12] + m[4 * r + 1] * m[13] + m[4 * r + 2] * m[14]);
    }
    out[15] = 1;
    return out;
}

/** A point through a matrix, divided by its last coordinate. */
function project(m, p) {
    const q = [0, 1, 2, 3].map((r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]);
    return [q[0] / q[3], q[1] / q[3], q[2] / q[3]];
}
