//! A thousand scenes with something wrong in them: an error that names its place, or a scene that runs; never a panic.

use stickslip_contact::generate::Random;
use stickslip_io::run::Simulation;
use stickslip_io::scene::{Scene, SceneError};

/// One mutation of a text.
fn mutate(text: &str, dice: &mut Random) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let at = dice.below(lines.len());
    let with = |line: String| {
        let mut lines: Vec<String> = lines.iter().map(|l| l.to_string()).collect();
        lines[at] = line;
        lines.join("\n") + "\n"
    };
    let place = |dice: &mut Random| text.char_indices().nth(dice.below(text.chars().count())).map_or(0, |c| c.0);
    match dice.below(10) {
        // a number becomes an odd one
        0..=3 => {
            let odd = [
                "0",
                "-1",
                "nan",
                "inf",
                "1e308",
                "-1e-308",
                "1e-320",
                "4294967295",
                "\"\"",
                "\"5 parsec\"",
                "[]",
                "true",
            ];
            let starts: Vec<usize> = text
                .char_indices()
                .zip(text.chars().skip(1))
                .filter(|((_, a), b)| !a.is_ascii_alphanumeric() && !".-_".contains(*a) && b.is_ascii_digit())
                .map(|((i, a), _)| i + a.len_utf8())
                .collect();
            if starts.is_empty() {
                return text.into();
            }
            let start = starts[dice.below(starts.len())];
            let end = text[start..].find(|c: char| !c.is_ascii_digit() && c != '.').map_or(text.len(), |i| start + i);
            format!("{}{}{}", &text[..start], odd[dice.below(odd.len())], &text[end..])
        }
        // a line goes, comes twice, or changes its place
        4 => with(String::new()),
        5 => with(format!("{0}\n{0}", lines[at])),
        6 => {
            let mut lines = lines.clone();
            let line = lines.remove(at);
            lines.insert(dice.below(lines.len() + 1), line);
            lines.join("\n") + "\n"
        }
        // a character goes or comes
        7 => {
            let i = place(dice);
            text.char_indices().filter(|c| c.0 != i).map(|c| c.1).collect()
        }
        8 => {
            let new = ["x", "=", "[", "}", "\"", "\0", "é", "\n", "#", "."];
            let i = place(dice);
            format!("{}{}{}", &text[..i], new[dice.below(new.len())], &text[i..])
        }
        // the file is cut off
        _ => text[..place(dice)].into(),
    }
}

/// What is read can be built, looked at and stepped.
fn looked_at_and_stepped(mut scene: Scene) -> Result<(), SceneError> {
    if scene.bodies.len() > 1000 {
        return Ok(());
    }
    scene.check()?;
    scene.options.max_iterations = scene.options.max_iterations.min(20);
    let mut simulation = Simulation::new(&scene)?;
    for _ in 0..3 {
        simulation.step();
    }
    Ok(())
}

#[test]
fn a_thousand_mutated_scenes() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::copy(super::folder().join("materials.toml"), dir.path().join("materials.toml")).unwrap();
    let texts: Vec<String> = super::scenes().iter().map(|p| std::fs::read_to_string(p).unwrap()).collect();
    let mut dice = Random::new(2026);
    let (mut refused, mut taken) = (0, 0);
    let path = dir.path().join("mutated.toml");
    for k in 0..1000 {
        let text = mutate(&texts[k % texts.len()], &mut dice);
        std::fs::write(&path, &text).unwrap();
        match Scene::read(&path).and_then(looked_at_and_stepped) {
            Ok(()) => taken += 1,
            Err(e) => {
                refused += 1;
                let said = e.to_string();
                // what is missing has no place
                let missing = e.place.is_none() && ["dimension", "body"].contains(&e.key.as_str());
                assert!(e.place.is_some() || missing, "{said}\n{text}");
                assert!(said.contains(".toml") && !e.what.is_empty(), "{said}");
            }
        }
    }
    println!("{refused} refused, {taken} still scenes");
    assert!(refused > 400 && taken > 50, "{refused} {taken}");
}
