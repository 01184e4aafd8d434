//! Mistakes are answered with the place and the remedy.

use stickslip_io::scene::Scene;
use stickslip_io::scene::check::Severity;

/// The error of a scene that is one line wrong.
fn error(text: &str) -> String {
    match Scene::from_text(text) {
        Err(e) => e.to_string(),
        Ok(_) => panic!("taken: {text}"),
    }
}

#[test]
fn the_line_the_caret_and_the_remedy() {
    let said = error("dimension = 3\n\n[[body]]\nshape.sphere.radus = 1\n");
    assert!(said.contains(":4:14: "), "{said}");
    assert!(said.contains("did you mean 'radius'?"), "{said}");
    assert!(said.contains(" 4 | shape.sphere.radus = 1\n   |              ^^^^^"), "{said}");
}

#[test]
fn one_wrong_thing_each() {
    let ball = "dimension = 3\n[[body]]\nshape.sphere.radius = 1\n";
    let cases = [
        ("dimension = 4\n", "2 (plane) or 3 (space)"),
        ("[[body]]\nshape.sphere.radius = 1\n", "dimension: is missing"),
        ("dimension = 3\n", "no bodies"),
        ("dimension = 3\n[[body]]\nshape.sphere.radius = 0\n", "positive"),
        ("dimension = 3\n[[body]]\nshape.sphere.radius = -1\n", "positive"),
        ("dimension = 3\n[[body]]\nshape.sphere.radius = nan\n", "finite"),
        ("dimension = 3\n[[body]]\nshape.sphere.radius = inf\n", "finite"),
        ("dimension = 3\n[[body]]\nshape.sphere.radius = \"5 s\"\n", "m is asked for"),
        ("dimension = 3\n[[body]]\nshape.sphere.radius = \"5 mn\"\n", "no unit 'mn'"),
        ("dimension = 3\n[[body]]\nshape.disc.radius = 1\n", "take a sphere"),
        ("dimension = 3\n[[body]]\nshape.spere.radius = 1\n", "did you mean 'sphere'?"),
        ("dimension = 3\n[[body]]\nshape = \"half_space\"\n", "fixed = true"),
        ("dimension = 3\n[[bdy]]\nfixed = true\n", "did you mean 'body'?"),
        ("dimension = 2\n[[body]]\nshape.polygon.vertices = [[0,0],[1,0],[0.1,0.1],[0,1]]\n", "turns inwards"),
        (&format!("{ball}at = [0, 0]\n"), "2 numbers found, 3 needed"),
        (&format!("{ball}material = \"steel\"\n"), "no material 'steel'"),
        (&format!("{ball}fixed = true\ndrive.spin = 1\n"), "remove one of them"),
        (&format!("{ball}drive.start = 1\n"), "moves nothing"),
        (&format!("{ball}quaternion = [0, 0, 0, 0]\n"), "no direction"),
        (&format!("{ball}[material.a]\ndensity = -1\n"), "positive"),
        (&format!("{ball}[[law]]\ncoulomb.mu = -0.1\n"), "law.0.coulomb"),
        (&format!("{ball}[[law]]\ncoulomb = {{ mu = 0.1, e_n = 2 }}\n"), "from 0 to 1"),
        (&format!("{ball}[[law]]\nbetween = [\"a\", \"b\"]\nglued = {{}}\n"), "no material 'a'"),
        (&format!("{ball}[[law]]\nglued = {{}}\ncoulomb.mu = 1\n"), "exactly one"),
        (&format!("{ball}[solver]\nname = \"nsg\"\n"), "did you mean 'nsgs'"),
        (&format!("{ball}[time]\nh = 0\n"), "positive"),
        (&format!("{ball}[time]\nh = \"1 ns\"\n"), "no unit 'ns'"),
        (&format!("{ball}[time]\nh = 1e-300\n"), "check the units"),
        (&format!("{ball}[[force]]\nconstant = {{ body = \"x\", force = [0, 0, 1] }}\n"), "no body is named 'x'"),
        (&format!("{ball}[[lattice]]\nshape.sphere.radius = 1\ncount = [1000, 1000, 1000]\n"), "max_bodies"),
        (
            &format!("{ball}[[deposit]]\ncount = 4000000000\nradius.equal = 1\nfrom = [0,0,0]\nto = [9,9]\n"),
            "max_bodies",
        ),
        (
            &format!("{ball}[[deposit]]\ncount = 1\nradius.equal = 10\nfrom = [0,0,0]\nto = [9,9]\n"),
            "the largest body needs",
        ),
        ("dimension = 3\nbody = 3\n", "body"),
        ("dimension = 3\ninclude = [\"x.toml\"]\n", "includes no files"),
        ("dimension = [\n", ":1:14: unclosed array"),
    ];
    for (text, expected) in cases {
        let said = error(text);
        assert!(said.contains(expected), "{text}\n{said}");
    }
}

#[test]
fn the_check_names_what_is_wrong() {
    let floor = "[[body]]\nshape = \"half_space\"\nfixed = true\n";
    let cases = [
        ("[[body]]\nshape.sphere.radius = 1\nat = [0, 0, 0.5]\n", "overlap"),
        (
            "[[body]]\nshape.sphere.radius = 1\nat = [0, 0, 1]\n[[body]]\nshape.sphere.radius = 0.1\nat = [0, 0, 1]\n",
            "inside another",
        ),
        ("[[body]]\nshape.sphere.radius = 0.001\nat = [0, 0, 1]\nvelocity = [100, 0, 0]\n", "in a step"),
        ("[[body]]\nshape.sphere.radius = 1e-7\nat = [0, 0, 1]\n", "smallest body"),
        (
            "[[body]]\nshape.sphere.radius = 1\nat = [0, 0, 1]\nmaterial = \"a\"\n[material.a]\ndensity = 2.5e6\n",
            "no solid",
        ),
        (
            "[[body]]\nshape.box.size = [1, 1, 1]\nat = [0, 0, 0.5]\nmass = 1\n[[body]]\nshape.box.size = [1, 1, 1]\nat = [0, 0, 1.5]\nmass = 1e5\n",
            "1 : 100000",
        ),
        ("[[wall]]\nbrick = [0.2, 0.1, 0.1]\ncolumns = 4\ncourses = 4\nmaterial = \"default\"\n", "hyperstatic"),
    ];
    for (bodies, expected) in cases {
        let floor = if bodies.contains("material.a") {
            floor.replace("fixed", "material = \"a\"\nfixed")
        } else {
            floor.into()
        };
        let scene = Scene::from_text(&format!("dimension = 3\n{floor}{bodies}")).unwrap_or_else(|e| panic!("{e}"));
        let findings = scene.check().unwrap();
        let found = findings.iter().find(|f| f.what.contains(expected));
        assert!(found.is_some_and(|f| !f.remedy.is_empty()), "{bodies}: {findings:?}");
    }
    let falling = Scene::from_text("dimension = 3\n[[body]]\nshape.sphere.radius = 1\n").unwrap().check().unwrap();
    assert!(falling.iter().any(|f| f.severity == Severity::Warning && f.what.contains("for ever")));
}

#[test]
fn includes_name_their_own_lines_and_do_not_loop() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    let read = || Scene::read(&dir.path().join("main.toml")).unwrap_err().to_string();
    write("main.toml", "include = [\"laws.toml\"]\ndimension = 3\n");
    assert!(read().contains("laws.toml"));
    write("laws.toml", "\n[material.a]\ndensity = -1\n");
    let said = read();
    assert!(said.contains("laws.toml:3:1") && said.contains("material.a.density"), "{said}");
    write("laws.toml", "include = [\"main.toml\"]\n");
    assert!(read().contains("includes itself"));
    write("main.toml", "include = [\"main.toml\"]\n");
    assert!(read().contains("includes itself"));
}
