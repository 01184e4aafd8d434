//! The messages of the parser in the words of those who write scenes.

use stickslip_contact::solvers::catalog::edit_distance;

/// Words that are not ours, behind ours.
const SYNONYMS: &[(&str, &[&str])] = &[
    ("at", &["position", "pos", "x", "x0", "location", "origin", "center", "centre", "place", "translation"]),
    ("angle", &["rotation", "orientation", "rotate", "theta", "tilt"]),
    ("spin", &["omega", "w", "angular_velocity", "rotation_speed"]),
    ("velocity", &["v", "v0", "vel", "speed", "initial_velocity", "linear_velocity"]),
    ("fixed", &["static", "kinematic", "immovable"]),
    ("drive", &["motion", "motor", "prescribed", "move"]),
    ("name", &["id", "tag", "label", "title"]),
    ("h", &["dt", "step", "timestep", "time_step", "delta_t"]),
    ("end", &["duration", "t_end", "tend", "tmax", "t_max", "until", "stop", "final"]),
    ("coulomb", &["friction", "mu", "friction_coefficient"]),
    ("mu", &["friction", "friction_coefficient", "coefficient", "f"]),
    ("e_n", &["restitution", "e", "en", "normal_restitution", "cor"]),
    ("e_t", &["et", "tangential_restitution"]),
    ("radius", &["r", "diameter", "d"]),
    ("size", &["edges", "dimensions", "sides", "extents", "half_extents", "half"]),
    ("vertices", &["points", "corners", "nodes"]),
    ("sphere", &["ball"]),
    ("disc", &["disk", "circle"]),
    ("box", &["cube", "cuboid", "rectangle", "square", "brick"]),
    ("half_space", &["plane", "floor", "ground"]),
    ("half_plane", &["line", "floor", "ground"]),
    ("inside_circle", &["drum"]),
    ("tolerance", &["tol", "precision", "accuracy"]),
    ("max_iterations", &["maxiter", "max_iter", "itermax", "iterations"]),
    ("dimension", &["dim", "dimensions", "ndim"]),
    ("gravity", &["g"]),
    ("density", &["rho"]),
    ("material", &["materials"]),
    ("body", &["bodies", "object", "objects"]),
    ("law", &["laws", "contact", "contacts", "interaction"]),
    ("force", &["forces", "load"]),
    ("outlet", &["bounds", "region", "sink", "keep_within"]),
    ("count", &["n", "number", "amount"]),
    ("every", &["interval", "period"]),
];

/// Keys that exist in another table: a key of the table at hand, the words, and where they belong.
const ELSEWHERE: &[(&str, &[&str], &str)] = &[
    (
        "shape",
        &["radius", "diameter", "size", "length", "height", "vertices", "r"],
        "it belongs to the shape, such as shape.sphere.radius = \"5 cm\" or shape.box.size = [1, 1, 1]",
    ),
    ("shape", &["density", "rho"], "it belongs to a material: [material.stone] with density = 2600, or give a mass"),
    ("shape", &["mu", "friction", "restitution"], "it belongs to a law: [[law]] with coulomb = { mu = 0.5 }"),
    ("density", &["mu", "friction", "restitution"], "it belongs to a law: [[law]] with coulomb = { mu = 0.5 }"),
    ("dimension", &["h", "dt", "end", "theta", "timestep", "duration"], "it belongs to the table [time]: h, end"),
    ("dimension", &["tolerance", "tol", "max_iterations", "measure"], "it belongs to the table [solver]"),
    ("dimension", &["density", "rho"], "it belongs to a material: [material.stone] with density = 2600"),
];

/// One way to fill a key that takes one word of several.
const EXAMPLES: [(&str, &str); 6] = [
    ("shape", "shape.sphere.radius = \"5 cm\""),
    ("radius", "radius.equal = \"5 mm\""),
    ("force", "constant = { body = \"ball\", force = [0, 0, 1] }"),
    ("activation", "activation = \"speculative\""),
    ("stabilisation", "stabilisation = { push = { beta = 0.2 } }"),
    ("on_failure", "on_failure = \"continue\""),
];

/// Tables that a file has once.
const SINGLE: [&str; 4] = ["time", "solver", "output", "outlet"];

/// What the parser means; `key` leads to the place, and `found` is the text there.
pub(super) fn explain(message: &str, key: &str, found: &str) -> String {
    let message = message.trim().replace('\n', "; ");
    unknown(&message).or_else(|| mistyped(&message, key, found)).unwrap_or(message)
}

/// An unknown key or word, with the one that was meant.
fn unknown(message: &str) -> Option<String> {
    let (kind, wrong, known): (_, &str, Vec<&str>) =
        if let Some(rest) = message.strip_prefix("unexpected keys in table: ") {
            let (wrong, known) = rest.split_once(", available keys: ").unwrap_or((rest, ""));
            ("key", wrong, known.split(", ").filter(|k| !k.is_empty()).collect())
        } else if message.starts_with("unknown ") {
            let mut words = message.split('`').skip(1).step_by(2);
            let kind = if message.starts_with("unknown variant") { "word" } else { "key" };
            (kind, words.next().unwrap_or_default(), words.collect())
        } else {
            return None;
        };
    let plain = wrong.to_lowercase().replace('-', "_");
    let known_as = |(ours, theirs): &&(&str, &[&str])| known.contains(ours) && theirs.contains(&plain.as_str());
    let belongs = |(mark, words, _): &&(&str, &[&str], &str)| known.contains(mark) && words.contains(&plain.as_str());
    let meant = match SYNONYMS.iter().find(known_as) {
        Some((ours, _)) => format!("did you mean '{ours}'?"),
        None => match (ELSEWHERE.iter().find(belongs), known.iter().min_by_key(|k| edit_distance(k, wrong))) {
            (Some((.., place)), _) => format!("{place}."),
            (None, Some(nearest)) => format!("did you mean '{nearest}'?"),
            (None, None) => return Some(format!("there is no {kind} '{wrong}' here, which takes none")),
        },
    };
    Some(format!("there is no {kind} '{wrong}' here; {meant} Known are {}", known.join(", ")))
}

/// A value of the wrong kind, with what is needed.
fn mistyped(message: &str, key: &str, found: &str) -> Option<String> {
    let ends = |end: &str| message.ends_with(end);
    let last = key.rsplit('.').find(|k| k.parse::<usize>().is_err()).unwrap_or(key);
    let value = message.split('`').nth(1).unwrap_or(found);
    if let Some(table) = key.strip_suffix(".0").filter(|t| SINGLE.contains(t) && found.starts_with("[[")) {
        return Some(format!("there is one {table} only: write [{table}], with single brackets"));
    }
    if key.starts_with("material") && (ends("expected a map") || ends("expected struct MaterialEntry")) {
        return Some("materials have names: write [material.stone] and its density below".into());
    }
    if message.starts_with("wanted exactly 1 element") {
        let wrong = if ends("found 0 elements") { "nothing is given" } else { "several are given" };
        return Some(format!("{wrong}; give one, such as {}", example(key)));
    }
    if ends("expected struct variant") {
        let word = found.trim_matches('"');
        return Some(format!("'{word}' needs its keys: write {last}.{word} = {{ ... }}, such as {}", example(key)));
    }
    if message.contains("expected struct variant") || message == "wanted string or table" {
        return Some(format!("a word and its keys are needed here, such as {}", example(key)));
    }
    if let Some(field) = message.strip_prefix("missing field ") {
        return Some(format!("the key {} is missing; add it", field.replace('`', "'")));
    }
    if ["expected u8", "expected u32", "expected u64"].iter().any(|e| ends(e)) {
        return Some(whole(value));
    }
    if message == "invalid type: map, expected a sequence" && found.starts_with('[') && !key.contains('.') {
        return Some(format!("there can be several: write [[{key}]] with double brackets, once for each"));
    }
    if let Some(rest) = message.strip_prefix("invalid length ") {
        let (have, need) = rest.split_once(", expected an array of length ")?;
        return Some(format!("{have} found, {need} needed"));
    }
    let needed = match message.rsplit_once("expected ")?.1 {
        "a sequence" => "a list in brackets is needed, such as [0, 0, 1]; texts in quotes",
        "a boolean" => "true or false is needed, without quotes",
        "a string" => "a text in quotes is needed",
        "a map" => "a table is needed: keys and values in braces",
        _ => return None,
    };
    Some(needed.into())
}

/// One way to fill the innermost of the keys that takes one word of several.
fn example(key: &str) -> &'static str {
    let known = key.rsplit('.').find_map(|word| EXAMPLES.iter().find(|e| e.0 == word));
    known.map_or("word = { key = value }", |e| e.1)
}

/// What is wrong with a number that should be whole.
fn whole(value: &str) -> String {
    match value.parse::<f64>() {
        Ok(x) if x < 0.0 => format!("{value} is negative; a whole number of zero or more is needed"),
        Ok(x) if x.fract() == 0.0 && !value.contains('.') => format!("{value} is too large a number"),
        _ => format!("{value} is not a whole number; one of zero or more is needed, without quotes"),
    }
}
