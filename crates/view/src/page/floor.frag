// a matt floor with a grid, which melts into the backdrop
in vec3 v_point, v_normal;
in vec2 v_own;
uniform float u_cell, u_fade;
uniform vec3 u_floor, u_ink, u_backdrop;
out vec4 o_colour;

float grid(float cell) {
    vec2 line = abs(fract(v_own / cell - 0.5) - 0.5) * cell;
    vec2 pixel = fwidth(v_own);
    vec2 on = 1.0 - smoothstep(0.4 * pixel, 1.4 * pixel, line);
    // lines closer than a few pixels would flicker
    return max(on.x, on.y) * (1.0 - smoothstep(0.1, 0.4, max(pixel.x, pixel.y) / cell));
}

void main() {
    vec3 n = normalize(v_normal);
    bool below = dot(n, v_point) > 0.0;
    vec3 light = shade(u_floor, below ? -n : n, v_point);
    light = mix(light, u_ink, 0.06 * grid(u_cell) + 0.10 * grid(5.0 * u_cell));
    float far = smoothstep(0.15, 1.0, length(v_own) / u_fade);
    o_colour = screen(mix(light, u_backdrop, far), (1.0 - far) * (below ? 0.25 : 1.0));
}
