// The little of WebGL2 that is needed more than once.

/** Shader text from the page, with what it shares put in front. */
function shader(gl, kind, name, shared) {
    const text = (id) => document.getElementById(id).textContent;
    const s = gl.createShader(kind);
    gl.shaderSource(s, "#version 300 es\nprecision highp float;\nprecision highp int;\n" + shared.map(text).join("\n") + "\n" + text(name));
    gl.compileShader(s);
    if (!gl.getShaderParameter(s, gl.COMPILE_STATUS)) throw new Error(`${name}: ${gl.getShaderInfoLog(s)}`);
    return s;
}

/** A program with its uniforms and attributes by name. */
class Program {
    constructor(gl, name, { vertex = [], fragment = [] } = {}) {
        this.gl = gl;
        const p = this.program = gl.createProgram();
        gl.attachShader(p, shader(gl, gl.VERTEX_SHADER, `${name}.vert`, vertex));
        gl.attachShader(p, shader(gl, gl.FRAGMENT_SHADER, `${name}.frag`, fragment));
        gl.linkProgram(p);
        if (!gl.getProgramParameter(p, gl.LINK_STATUS)) throw new Error(`${name}: ${gl.getProgramInfoLog(p)}`);
        this.uniforms = {};
        for (let i = 0; i < gl.getProgramParameter(p, gl.ACTIVE_UNIFORMS); i++) {
            const { name: n, type } = gl.getActiveUniform(p, i);
            this.uniforms[n] = { at: gl.getUniformLocation(p, n), type };
        }
    }

    /** Makes it current and sets what it knows of the given values. */
    use(values) {
        const gl = this.gl;
        gl.useProgram(this.program);
        for (const [name, v] of Object.entries(values)) {
            const u = this.uniforms[name];
            if (!u || v === undefined) continue;
            switch (u.type) {
                case gl.FLOAT: gl.uniform1f(u.at, v); break;
                case gl.FLOAT_VEC3: gl.uniform3fv(u.at, v); break;
                case gl.FLOAT_VEC4: gl.uniform4fv(u.at, v); break;
                case gl.FLOAT_MAT4: gl.uniformMatrix4fv(u.at, false, v); break;
                case gl.UNSIGNED_INT: gl.uniform1ui(u.at, v); break;
                default: gl.uniform1i(u.at, v);
            }
        }
    }

    attribute(name) {
        return this.gl.getAttribLocation(this.program, name);
    }
}

/** A vertex array of a program: `columns` lists { name, data, size, each } with each = 1 for one value an instance. */
class VertexArray {
    constructor(gl, program, columns) {
        this.gl = gl;
        this.array = gl.createVertexArray();
        this.buffers = {};
        gl.bindVertexArray(this.array);
        for (const { name, data, size, each = 0 } of columns) {
            const at = program.attribute(name);
            const buffer = this.buffers[name] = gl.createBuffer();
            gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
            gl.bufferData(gl.ARRAY_BUFFER, data, each === 2 ? gl.DYNAMIC_DRAW : gl.STATIC_DRAW);
            if (at < 0) continue;
            gl.enableVertexAttribArray(at);
            if (data instanceof Uint32Array) gl.vertexAttribIPointer(at, size, gl.UNSIGNED_INT, 0, 0);
            else gl.vertexAttribPointer(at, size, gl.FLOAT, false, 0, 0);
            gl.vertexAttribDivisor(at, each ? 1 : 0);
        }
        gl.bindVertexArray(null);
    }

    /** New data for a column that changes. */
    fill(name, data) {
        const gl = this.gl;
        gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[name]);
        gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    }
}

/** A texture without smoothing. */
function texture(gl, format, width, height, [external, type]) {
    const t = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, t);
    gl.texStorage2D(gl.TEXTURE_2D, 1, format, width, height);
    for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, gl.NEAREST);
    for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
    return Object.assign(t, { width, height, external, type });
}
