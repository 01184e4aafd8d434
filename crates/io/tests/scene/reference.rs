//! The page of the book is the one that the schema gives.

use stickslip_io::scene::{reference, schema};

#[test]
fn the_scene_reference_of_the_book_is_up_to_date() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/scene-reference.md");
    let stored = std::fs::read_to_string(path).unwrap_or_default();
    let remedy = "make it again: stickslip schema --markdown > book/src/scene-reference.md";
    assert!(stored.trim_end() == reference().trim_end(), "{remedy}");
}

#[test]
fn every_key_of_the_schema_is_explained() {
    fn walk(value: &serde_json::Value, path: &str, bare: &mut Vec<String>) {
        if let Some(properties) = value.get("properties").and_then(|p| p.as_object()) {
            for (key, inner) in properties {
                // the single key of a choice is explained by the choice itself
                if inner.get("description").is_none() && value.get("description").is_none() {
                    bare.push(format!("{path}.{key}"));
                }
            }
        }
        match value {
            serde_json::Value::Object(map) => map.iter().for_each(|(k, v)| walk(v, &format!("{path}.{k}"), bare)),
            serde_json::Value::Array(list) => list.iter().for_each(|v| walk(v, path, bare)),
            _ => {}
        }
    }
    let mut bare = Vec::new();
    walk(&schema(), "", &mut bare);
    assert!(bare.is_empty(), "{bare:?}");
}
