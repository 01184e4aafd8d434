// a ball by its exact surface and depth, or a disc with its outline
in vec3 v_centre, v_ray, v_colour;
flat in vec4 v_turn;
flat in float v_radius, v_marked;
flat in uint v_body;
uniform mat4 u_project, u_viewBack;  // the inverse rotation of the view
uniform bool u_perspective, u_flat;
uniform int u_pass;                  // 0 picture, 1 shadow, 2 ids
uniform bool u_spokes;
uniform vec3 u_ink;
out vec4 o_colour;

vec3 unturn(vec4 q, vec3 p) {
    vec3 c = cross(-q.xyz, p);
    return p + 2.0 * (q.w * c + cross(-q.xyz, c));
}

vec4 name() {
    uint k = v_body + 1u;
    return vec4(float(k & 255u), float((k >> 8) & 255u), float((k >> 16) & 255u), 255.0) / 255.0;
}

void main() {
    // distance of the ray from the centre, without subtracting large squares
    vec3 along = u_perspective ? normalize(v_ray) : vec3(0, 0, -1);
    vec3 start = u_perspective ? vec3(0) : vec3(v_ray.xy, v_centre.z + v_radius);
    float b = dot(v_centre - start, along);
    vec3 off = start + b * along - v_centre;
    float away = length(off);
    float cover = clamp(0.5 + (v_radius - away) / max(fwidth(away), 1e-12), 0.0, 1.0);
    if (u_pass != 0) cover = away < v_radius ? 1.0 : 0.0;
    if (cover <= 0.0) discard;
    vec3 n = (off - along * sqrt(max(v_radius * v_radius - away * away, 0.0))) / v_radius;
    vec3 p = v_centre + n * v_radius;
    vec4 clip = u_project * vec4(p, 1.0);
    gl_FragDepth = u_flat ? gl_FragCoord.z : clamp(0.5 + 0.5 * clip.z / clip.w, 0.0, 1.0);
    if (u_pass == 1) { o_colour = vec4(1); return; }
    if (u_pass == 2) { o_colour = name(); return; }
    vec3 own = unturn(v_turn, (u_viewBack * vec4(u_flat ? off : n * v_radius, 0.0)).xyz) / v_radius;
    vec3 colour = v_colour;
    if (u_flat) {
        float pixel = max(fwidth(away), 1e-12);
        if (u_spokes) {
            // a spoke tells how a disc turns
            float spoke = max(abs(own.y) * v_radius - 0.7 * pixel, 0.0) / pixel;
            if (own.x > 0.25) colour = mix(mix(colour, u_ink, 0.45), colour, clamp(spoke, 0.0, 1.0));
        }
        float line = clamp((v_radius - away) / pixel - 0.4, 0.0, 1.0);
        float small = clamp(v_radius / pixel / 6.0, 0.0, 1.0);
        colour = mix(mix(colour, u_ink, 0.7 * small), colour, line);
        colour = mix(colour, vec3(1.0, 0.35, 0.1), v_marked * (1.0 - smoothstep(2.0, 3.5, (v_radius - away) / pixel)));
        o_colour = screen(colour, cover);
        return;
    }
    if (u_spokes) {
        // opposite octants a little darker: how a ball turns
        float pixel = 1.2 * fwidth(away) / v_radius + 1e-6;
        vec3 side = smoothstep(-pixel, pixel, own) * 2.0 - 1.0;
        colour *= 0.93 + 0.07 * side.x * side.y * side.z;
    }
    vec3 light = shade(colour, n, p);
    light = mix(light, vec3(1.0, 0.35, 0.1), v_marked * (0.15 + 0.7 * pow(1.0 - max(dot(n, normalize(-p)), 0.0), 2.0)));
    o_colour = screen(light, cover);
}
