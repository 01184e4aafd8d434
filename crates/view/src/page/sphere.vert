// a ball or a disc: a square that faces the eye; the fragment finds the surface
in vec2 a_corner;
in uint a_body;
in vec4 i_ball;                     // place in the body's frame, radius
uniform bool u_perspective;
out vec3 v_centre, v_ray, v_colour;
flat out vec4 v_turn;
flat out float v_radius, v_marked;
flat out uint v_body;

void main() {
    vec4 place = texel(a_body, 0), paint = texel(a_body, 2);
    v_turn = texel(a_body, 1);
    vec3 world = place.xyz + turn(v_turn, i_ball.xyz);
    v_centre = (u_view * vec4(world, 1.0)).xyz;
    v_radius = i_ball.w;
    v_colour = paint.rgb;
    v_marked = paint.a;
    v_body = a_body;
    vec3 right = vec3(1, 0, 0), up = vec3(0, 1, 0);
    float size = v_radius * 1.02;
    if (u_perspective) {
        // the cone that touches the ball cuts the plane through its centre in a wider circle
        float d = length(v_centre);
        vec3 back = v_centre / d;
        right = normalize(cross(back, vec3(0.0, 1.0, 0.001)));
        up = cross(right, back);
        size *= d / sqrt(max(d * d - v_radius * v_radius, 1e-6 * d * d));
    }
    v_ray = v_centre + (a_corner.x * right + a_corner.y * up) * size;
    gl_Position = u_project * vec4(v_ray, 1.0);
    if (place.w == 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}
