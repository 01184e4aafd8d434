// vertex side, shared: where a body is, read from the texture of states
uniform highp sampler2D u_bodies;   // three texels a body: (x, present), quaternion (x y z w), (colour, marked)
uniform mat4 u_view, u_project;

vec4 texel(uint body, int k) {
    return texelFetch(u_bodies, ivec2(3 * int(body % 1024u) + k, int(body / 1024u)), 0);
}

vec3 turn(vec4 q, vec3 p) {
    vec3 c = cross(q.xyz, p);
    return p + 2.0 * (q.w * c + cross(q.xyz, c));
}
