// anything with faces: one prototype for many bodies, or corners that know their body
in vec3 a_point, a_normal;
in vec2 a_edge;                     // distance to the edge of the face (0 on it), end of a capsule (-1, 0, 1)
in uint a_body;
in vec3 i_place;
in vec4 i_turn, i_scale;            // stretches along x y z, and how far the ends move apart
out vec3 v_point, v_normal, v_colour;
out float v_edge;
flat out float v_marked;
flat out uint v_body;

void main() {
    vec4 place = texel(a_body, 0), q = texel(a_body, 1), paint = texel(a_body, 2);
    vec3 own = a_point * i_scale.xyz + vec3(0.0, 0.0, a_edge.y * i_scale.w);
    vec3 world = place.xyz + turn(q, i_place + turn(i_turn, own));
    v_normal = mat3(u_view) * turn(q, turn(i_turn, a_normal / i_scale.xyz));
    v_point = (u_view * vec4(world, 1.0)).xyz;
    v_edge = a_edge.x;
    v_colour = paint.rgb;
    v_marked = paint.a;
    v_body = a_body;
    gl_Position = u_project * vec4(v_point, 1.0);
    if (place.w == 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}
