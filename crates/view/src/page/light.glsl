// fragment side, shared: how a surface looks in view space
uniform vec3 u_light;               // towards the sun
uniform vec3 u_up;                  // away from the ground
uniform vec3 u_sky, u_ground;       // light from above and from below
uniform vec3 u_sun;
uniform mat4 u_toShadow;            // view space to the shadow map
uniform highp sampler2DShadow u_shadow;
uniform float u_shadowSize;         // width of a texel of it; zero: no shadows

// the share of the sun that arrives, over a small disc of taps
float sunlight(vec3 p, vec3 n) {
    if (u_shadowSize == 0.0) return 1.0;
    vec3 s = (u_toShadow * vec4(p + n * 0.006, 1.0)).xyz * 0.5 + 0.5;
    if (any(lessThan(s, vec3(0.0))) || any(greaterThan(s, vec3(1.0)))) return 1.0;
    float angle = 6.2831853 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    mat2 around = mat2(cos(angle), sin(angle), -sin(angle), cos(angle)) * (2.2 * u_shadowSize);
    const vec2 taps[8] = vec2[](vec2(0.18, 0.05), vec2(-0.33, 0.27), vec2(0.1, -0.52), vec2(0.58, 0.31),
        vec2(-0.62, -0.29), vec2(-0.15, 0.78), vec2(0.72, -0.48), vec2(-0.52, -0.82));
    float lit = 0.0;
    for (int k = 0; k < 8; k++) lit += texture(u_shadow, vec3(s.xy + around * taps[k], s.z - 0.0012));
    return lit / 8.0;
}

// light on a matt surface with a faint gloss
vec3 shade(vec3 albedo, vec3 n, vec3 p) {
    float sun = max(dot(n, u_light), 0.0);
    if (sun > 0.0) sun *= sunlight(p, n);
    vec3 ambient = mix(u_ground, u_sky, 0.5 + 0.5 * dot(n, u_up));
    vec3 eye = normalize(-p);
    float gloss = pow(max(dot(n, normalize(u_light + eye)), 0.0), 40.0) * sun;
    float rim = pow(1.0 - max(dot(n, eye), 0.0), 4.0);
    return albedo * (ambient + u_sun * sun) + 0.10 * gloss * u_sun + 0.06 * rim * u_sky;
}

// light to the screen
vec4 screen(vec3 light, float alpha) {
    return vec4(pow(clamp(light, 0.0, 1.0), vec3(1.0 / 2.2)), alpha);
}
