// a triangle that covers the picture
in vec2 a_corner;
out vec2 v_place;

void main() {
    v_place = a_corner;
    gl_Position = vec4(a_corner, 1.0, 1.0);
}
