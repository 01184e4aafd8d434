//! The schema takes every scene there is, and refuses what the reader refuses. A validator for the part of JSON Schema
//! that ours is written in.

use serde_json::Value;
use stickslip_io::scene::{Scene, schema};

/// What is wrong with a value, with the path to it; empty when all is well.
fn faults(value: &Value, rule: &Value, root: &Value, path: &str) -> Vec<String> {
    let wrong = |what: &str| vec![format!("{path}: {what}")];
    if let Some(name) = rule.get("$ref").and_then(Value::as_str) {
        let found = root.pointer(name.trim_start_matches('#'));
        return found.map_or_else(|| wrong("no such definition"), |inner| faults(value, inner, root, path));
    }
    if let Some(word) = rule.get("const") {
        return if value == word { Vec::new() } else { wrong("another word is needed") };
    }
    if let Some(choices) = rule.get("oneOf").or(rule.get("anyOf")).and_then(Value::as_array) {
        let fits = choices.iter().filter(|c| faults(value, c, root, path).is_empty()).count();
        // one of several words must be the one
        let enough = if rule.get("oneOf").is_some() { fits == 1 } else { fits > 0 };
        return if enough { Vec::new() } else { wrong(&format!("{fits} of the choices fit")) };
    }
    if !of_type(value, rule) {
        return wrong(&format!("{value} is not a {}", rule["type"]));
    }
    let number = value.as_f64();
    if number.is_some_and(|x| rule["minimum"].as_f64().is_some_and(|m| x < m))
        || number.is_some_and(|x| rule["maximum"].as_f64().is_some_and(|m| x > m))
    {
        return wrong("out of range");
    }
    match value {
        Value::Array(list) => in_list(list, rule, root, path),
        Value::Object(map) => in_table(map, rule, root, path),
        _ => Vec::new(),
    }
}

fn of_type(value: &Value, rule: &Value) -> bool {
    let is = |kind: &Value| match kind.as_str().unwrap_or_default() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the schema has a type '{other}' that this validator does not know"),
    };
    match &rule["type"] {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(is),
        kind => is(kind),
    }
}

fn in_list(list: &[Value], rule: &Value, root: &Value, path: &str) -> Vec<String> {
    let n = list.len() as u64;
    if rule["minItems"].as_u64().is_some_and(|m| n < m) || rule["maxItems"].as_u64().is_some_and(|m| n > m) {
        return vec![format!("{path}: {n} entries")];
    }
    let Some(items) = rule.get("items") else { return Vec::new() };
    list.iter().enumerate().flat_map(|(k, v)| faults(v, items, root, &format!("{path}.{k}"))).collect()
}

fn in_table(map: &serde_json::Map<String, Value>, rule: &Value, root: &Value, path: &str) -> Vec<String> {
    let mut found = Vec::new();
    for key in rule["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !map.contains_key(key) {
            found.push(format!("{path}: no {key}"));
        }
    }
    for (key, inner) in map {
        let path = format!("{path}.{key}");
        match (rule["properties"].get(key), &rule["additionalProperties"]) {
            (Some(rule), _) => found.extend(faults(inner, rule, root, &path)),
            (None, Value::Bool(false)) => found.push(format!("{path}: no such key")),
            (None, Value::Object(_)) => found.extend(faults(inner, &rule["additionalProperties"], root, &path)),
            (None, _) => {}
        }
    }
    found
}

fn of_text(text: &str) -> Vec<String> {
    let value: Value = toml::from_str(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let schema = schema();
    faults(&value, &schema, &schema, "")
}

#[test]
fn every_scene_is_valid_by_the_schema() {
    let mut paths = super::scenes();
    paths.push(super::folder().join("materials.toml"));
    paths.push(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/src/commands/new.toml"));
    for path in paths {
        let found = of_text(&std::fs::read_to_string(&path).unwrap());
        assert!(found.is_empty(), "{}: {found:?}", path.display());
    }
}

#[test]
fn what_the_reader_refuses_for_its_form_the_schema_refuses() {
    let ball = "dimension = 3\n[[body]]\nshape.sphere.radius = 1\n";
    assert!(of_text(ball).is_empty());
    for wrong in [
        "dimension = 3\n[[bdy]]\nfixed = true\n",
        "dimension = 3\n[[body]]\nshape.sphere.radus = 1\n",
        "dimension = 3\n[[body]]\nshape.spere.radius = 1\n",
        "dimension = 3\n[[body]]\nshape = \"sphere\"\n",
        "dimension = 3\n[[body]]\nat = [0, 0, 1]\n",
        "dimension = 3\n[body]\nshape.sphere.radius = 1\n",
        &format!("{ball}position = [0, 0, 1]\n"),
        &format!("{ball}at = 1\n"),
        &format!("{ball}fixed = 1\n"),
        &format!("{ball}quaternion = [1, 0, 0]\n"),
        &format!("{ball}shape.box.size = [1, 1, 1]\n"),
        &format!("{ball}[time]\nactivation = \"early\"\n"),
        &format!("{ball}[solver]\nmeasure = \"none\"\n"),
        &format!("{ball}[outlet]\nlow = 1\n"),
        &format!("{ball}[[heap]]\nradius = 1\nbase = -1\n"),
        &format!("{ball}[[heap]]\nradius = 1\nbase = 1\nrepeat = {{ every = 1 }}\n"),
        &format!("{ball}[[force]]\nconstant = {{ body = \"a\" }}\n"),
        &format!("{ball}[[law]]\ncoulomb.friction = 1\n"),
    ] {
        assert!(Scene::from_text(wrong).is_err(), "{wrong}");
        assert!(!of_text(wrong).is_empty(), "{wrong}");
    }
}
