// the face of a half-space, as far as one cares to look
in vec2 a_corner;
uniform uint u_body;
uniform vec4 u_turn;                // of the piece in its body
uniform vec3 u_place;
uniform float u_size;
out vec3 v_point;
out vec2 v_own;
out vec3 v_normal;

void main() {
    vec4 q = texel(u_body, 1);
    v_own = a_corner * u_size;
    vec3 world = texel(u_body, 0).xyz + turn(q, u_place + turn(u_turn, vec3(v_own, 0.0)));
    v_point = (u_view * vec4(world, 1.0)).xyz;
    v_normal = mat3(u_view) * turn(q, turn(u_turn, vec3(0, 0, 1)));
    gl_Position = u_project * vec4(v_point, 1.0);
}
