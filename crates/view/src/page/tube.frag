// forces are lit but cast and receive no shadow: they are not there
in vec3 v_point, v_normal, v_colour;
uniform bool u_flat;
out vec4 o_colour;

void main() {
    vec3 n = normalize(v_normal);
    float lit = u_flat ? 1.0 : 0.55 + 0.5 * max(dot(n, normalize(vec3(0.3, 0.5, 0.8))), 0.0);
    o_colour = vec4(pow(clamp(v_colour * lit, 0.0, 1.0), vec3(1.0 / 2.2)), 1.0);
}
