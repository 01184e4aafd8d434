// a quiet gradient
in vec2 v_place;
uniform vec3 u_low, u_high;
out vec4 o_colour;

void main() {
    vec3 light = mix(u_low, u_high, smoothstep(-0.6, 1.0, v_place.y));
    o_colour = vec4(pow(light, vec3(1.0 / 2.2)), 1.0);
}
