// a force: a tube from one point to another
in vec3 a_round;                    // around the axis, and along it (0 or 1)
in vec3 i_from, i_to;
in vec4 i_paint;                    // colour, radius
uniform mat4 u_view, u_project;
out vec3 v_point, v_normal, v_colour;

void main() {
    vec3 from = (u_view * vec4(i_from, 1.0)).xyz, to = (u_view * vec4(i_to, 1.0)).xyz;
    vec3 axis = to - from;
    float size = length(axis);
    axis = size > 0.0 ? axis / size : vec3(0, 0, 1);
    vec3 right = normalize(cross(axis, abs(axis.y) < 0.9 ? vec3(0, 1, 0) : vec3(1, 0, 0)));
    v_normal = right * a_round.x + cross(right, axis) * a_round.y;
    v_point = mix(from, to, a_round.z) + v_normal * i_paint.a;
    v_colour = i_paint.rgb;
    gl_Position = u_project * vec4(v_point, 1.0);
}
