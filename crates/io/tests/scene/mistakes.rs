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
        ("dimension = 3\n[body]\nshape.sphere.radius = 1\n", "write [[body]] with double brackets"),
        (&format!("{ball}[[time]]\nh = 1\n"), "write [time], with single brackets"),
        (&format!("{ball}[[material]]\ndensity = 1\n"), "[material.stone]"),
        (&format!("{ball}[material]\ndensity = 1\n"), "[material.stone]"),
        (&format!("{ball}shape.box.size = [1, 1, 1]\n"), "several are given; give one, such as shape.sphere.radius"),
        ("dimension = 3\n[[body]]\nshape = {}\n", "nothing is given; give one"),
        ("dimension = 3\n[[body]]\nshape = \"sphere\"\n", "'sphere' needs its keys"),
        (
            "dimension = 3\n[[body]]\nshape = \"sphere\"\nradius = 1\n",
            "belongs to the shape, such as shape.sphere.radius",
        ),
        ("dimension = 3\n[[body]]\nshape.sphere = 1\n", "such as shape.sphere.radius"),
        ("dimension = 3\n[[body]]\nshape.ball.radius = 1\n", "did you mean 'sphere'?"),
        ("dimension = 3\n[[body]]\nat = [0, 0, 1]\n", "the key 'shape' is missing"),
        (&format!("{ball}position = [0, 0, 1]\n"), "did you mean 'at'?"),
        (&format!("{ball}density = 1\n"), "belongs to a material"),
        (&format!("{ball}at = 1\n"), "a list in brackets is needed"),
        (&format!("{ball}fixed = 1\n"), "true or false is needed"),
        (&format!("{ball}quaternion = [1, 0, 0]\n"), "3 found, 4 needed"),
        (&format!("{ball}[time]\ndt = 1\n"), "did you mean 'h'?"),
        (&format!("{ball}[[law]]\nfriction = 1\n"), "did you mean 'coulomb'?"),
        (
            &format!("{ball}[[lattice]]\nshape.sphere.radius = 1\ncount = [-3, 1, 1]\n"),
            "-3 is negative; a whole number",
        ),
        (&format!("{ball}[[lattice]]\nshape.sphere.radius = 1\ncount = [1.5, 1, 1]\n"), "1.5 is not a whole number"),
        ("dimension = 3\n[[body]]\nshape.sphere.radius = \"1,5 m\"\n", "write a point: \"1.5 m\""),
        (
            "dimension = 3\nmax_bodies = 4294967295\n[[lattice]]\nshape.sphere.radius = 1\ncount = [1600, 1600, 1600]\n",
            "8192 GB of memory",
        ),
        (&format!("{ball}[outlet]\n"), "give low, high or both"),
        (&format!("{ball}[[heap]]\nradius = 1\nbase = 1\nenter = 1\nleave = 0.5\n"), "before they enter at 1 s"),
        (
            &format!("{ball}[[heap]]\nradius = 1\nbase = 1\nrepeat = {{ every = 0, times = 3 }}\n"),
            "heap.0.repeat.every",
        ),
        (
            &format!(
                "{ball}name = \"a\"\n[[force]]\ntable = {{ body = \"a\", force = [0, 0, 1], times = [1, 1], factors = [0, 0] }}\n"
            ),
            "must increase",
        ),
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
        ("[[heap]]\nradius = 0.1\nbase = 3\n[time]\nsoft_sphere.k_n = 1e9\n", "soft contacts"),
        ("[[heap]]\nradius = 10\nbase = 4\n", "30 balls or discs"),
        ("[[body]]\nshape.sphere.radius = 8\nat = [0, 0, 8]\n", "it falls by"),
        ("[[heap]]\nradius = 0.1\nbase = 3\n[[law]]\ncoulomb.mu = 30\n", "coefficient of friction of 30"),
        ("[[heap]]\nradius = 0.1\nbase = 3\n[solver]\nname = \"lemke-2d\"\n", "in the plane only"),
        ("[[heap]]\nradius = 0.1\nbase = 3\n[time]\nh = 0.3\nend = 1\n", "ends at t = 0.9 s, not at 1 s"),
        ("[[heap]]\nradius = 0.1\nbase = 3\n[time]\nh = 2\nend = 1\n", "the only step of 2 s ends at t = 2 s"),
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
    let scene = |text: &str| Scene::from_text(text).unwrap_or_else(|e| panic!("{e}"));
    let paddle = scene(
        "dimension = 2\n[[body]]\nshape.box.size = [2, 0.02]\ndrive.spin = 3000\n[[body]]\nshape.disc.radius = 0.01\nat = [0, 1]\n",
    );
    assert!(paddle.check().unwrap().iter().any(|f| f.severity == Severity::Problem && f.what.contains("in a step")));
    // a wheel that turns as fast sweeps nothing
    let wheel = scene(
        "dimension = 2\ngravity = [0, 0]\n[[body]]\nshape.disc.radius = 1\ndrive.spin = 3000\n[[body]]\nshape.disc.radius = 0.01\nat = [0, 2]\n",
    );
    assert!(wheel.check().unwrap().iter().all(|f| !f.what.contains("in a step")), "{:?}", wheel.check());
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
    write("main.toml", "dimension = 3\ninclude = [\".\"]\n");
    let said = read();
    assert!(said.contains("main.toml:2:12") && said.contains("is a folder"), "{said}");
}

#[test]
fn what_the_world_refuses_has_its_place() {
    let place = |text: &str| {
        let e = Scene::from_text(text).unwrap_or_else(|e| panic!("{e}")).check().map(drop).unwrap_err();
        (e.place, e.to_string())
    };
    let (at, said) = place("dimension = 3\n[[body]]\nshape.sphere.radius = 1\n[[body]]\nshape.sphere.radius = 1e150\n");
    assert_eq!(at, Some((4, 1)), "{said}");
    assert!(said.contains("body.1") && said.contains("^^^") && said.contains("check its sizes"), "{said}");
    // an included file has bodies of its own numbers
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.toml"), "\n[[body]]\nshape.sphere.radius = 1e150\n").unwrap();
    std::fs::write(
        dir.path().join("b.toml"),
        "include = [\"a.toml\"]\ndimension = 3\n[[body]]\nshape.sphere.radius = 1\n",
    )
    .unwrap();
    let e = Scene::read(&dir.path().join("b.toml")).unwrap().check().map(drop).unwrap_err();
    assert!(e.file.ends_with("a.toml") && e.place == Some((2, 1)), "{e}");
}
