// faces with their edges drawn, glass for what bodies are inside of
in vec3 v_point, v_normal, v_colour;
in float v_edge;
flat in float v_marked;
flat in uint v_body;
uniform bool u_flat;
uniform int u_pass;                 // 0 picture, 1 shadow, 2 ids
uniform float u_alpha;
uniform vec3 u_ink;
out vec4 o_colour;

void main() {
    if (u_pass == 1) { o_colour = vec4(1); return; }
    if (u_pass == 2) {
        uint k = v_body + 1u;
        o_colour = vec4(float(k & 255u), float((k >> 8) & 255u), float((k >> 16) & 255u), 255.0) / 255.0;
        return;
    }
    // edges of a pixel or so, whatever the size of the face; none on faces too small for them
    float step = max(fwidth(v_edge), 1e-9);
    float width = u_flat ? 1.0 : 0.9;
    float line = (1.0 - smoothstep(width, width + 1.0, v_edge / step)) * (1.0 - smoothstep(0.08, 0.3, step));
    vec3 mark = vec3(1.0, 0.35, 0.1);
    if (u_flat) {
        vec3 colour = mix(v_colour, u_ink, 0.7 * line);
        colour = mix(colour, mark, v_marked * (1.0 - smoothstep(2.0, 3.5, v_edge / step)));
        o_colour = screen(colour, u_alpha);
        return;
    }
    vec3 n = normalize(gl_FrontFacing ? v_normal : -v_normal);
    vec3 light = shade(v_colour, n, v_point);
    light = mix(light, u_ink, (u_alpha < 1.0 ? 0.6 : 0.4) * line);
    light = mix(light, mark, v_marked * (0.25 + 0.5 * line));
    o_colour = screen(light, mix(u_alpha, 1.0, u_alpha < 1.0 ? 0.55 * line : 0.0));
}
