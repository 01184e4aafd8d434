//! The schema as a page to read.

use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The scene reference of the book, in Markdown: every key with its type and meaning, made from the [schema](super::schema).
pub fn reference() -> String {
    let schema = super::schema();
    let mut page = String::from(
        "# Scene reference\n\n\
         <!-- made by: stickslip schema --markdown > book/src/scene-reference.md -->\n\n",
    );
    page += &text(&schema);
    page += "\n\nAn unknown key is an error that names the nearest known one. `stickslip schema` prints the same as a JSON \
             Schema; editors with TOML support complete and check keys with it.\n\n## The file\n\n";
    page += &keys(&schema);
    let empty = Map::new();
    let definitions = schema.get("$defs").and_then(Value::as_object).unwrap_or(&empty);
    for name in in_order(&schema, definitions) {
        if let Some(definition) = definitions.get(&name) {
            page += &format!("\n## {}\n\n{}\n\n{}", title(&name), text(definition), body(definition));
        }
    }
    page
}

/// The names of definitions as the file leads to them.
fn in_order(schema: &Value, definitions: &Map<String, Value>) -> Vec<String> {
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    let mut pending = Vec::new();
    referred(schema.get("properties").unwrap_or(&Value::Null), &mut pending);
    pending.reverse();
    while let Some(name) = pending.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let mut inner = Vec::new();
        referred(definitions.get(&name).unwrap_or(&Value::Null), &mut inner);
        pending.extend(inner.into_iter().rev());
        order.push(name);
    }
    order
}

fn referred(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            if let Some(name) = map.get("$ref").and_then(Value::as_str) {
                found.extend(name.rsplit('/').next().map(String::from));
            }
            map.values().for_each(|v| referred(v, found));
        }
        Value::Array(list) => list.iter().for_each(|v| referred(v, found)),
        _ => {}
    }
}

/// `BodyEntry` is called `body`.
fn title(name: &str) -> String {
    let mut words = String::new();
    for c in name.strip_suffix("Entry").unwrap_or(name).chars() {
        if c.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(c.to_lowercase());
    }
    words
}

fn text(value: &Value) -> String {
    value.get("description").and_then(Value::as_str).unwrap_or_default().replace('\n', " ").replace("  ", "\n\n")
}

/// The keys of a table, or the words to choose from.
fn body(definition: &Value) -> String {
    match definition.get("oneOf").or(definition.get("anyOf")).and_then(Value::as_array) {
        Some(choices) => choices.iter().map(choice).collect(),
        None if definition.get("enum").is_some() => format!("One of {}.\n", type_of(definition)),
        None => keys(definition),
    }
}

/// One word of a choice, with its keys.
fn choice(value: &Value) -> String {
    let about = text(value);
    if let Some(word) = value.get("const").and_then(Value::as_str) {
        return format!("### `\"{word}\"`\n\n{about}\n\n");
    }
    let Some((word, inner)) = value.get("properties").and_then(Value::as_object).and_then(|p| p.iter().next()) else {
        return format!("{}\n\n", type_of(value));
    };
    let table = keys(inner);
    let content = if table.is_empty() { format!("A {}.\n", type_of(inner)) } else { table };
    format!("### `{word}`\n\n{about}\n\n{content}\n")
}

/// The keys of a table as a Markdown table; empty when there are none.
fn keys(value: &Value) -> String {
    let Some(properties) = value.get("properties").and_then(Value::as_object) else { return String::new() };
    let required: Vec<&str> =
        value.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let mut table = String::from("| key | type | meaning |\n|---|---|---|\n");
    for (key, inner) in properties {
        let needed = if required.contains(&key.as_str()) { " Needed." } else { "" };
        let about = text(inner).replace("\n\n", " ").replace('|', "\\|");
        table += &format!("| `{key}` | {} | {about}{needed} |\n", type_of(inner));
    }
    table
}

/// A type in words.
fn type_of(value: &Value) -> String {
    if let Some(name) = value.get("$ref").and_then(Value::as_str).and_then(|n| n.rsplit('/').next()) {
        let title = title(name);
        return format!("[{title}](#{})", title.replace(' ', "-"));
    }
    if let Some(unit) = value.get("x-unit").and_then(Value::as_str) {
        return if unit == "no unit" { "number".into() } else { format!("number [{unit}]") };
    }
    if let Some(choices) = value.get("anyOf").and_then(Value::as_array) {
        let known = choices.iter().filter(|c| c.get("type").and_then(Value::as_str) != Some("null"));
        return known.map(type_of).collect::<Vec<_>>().join(" or ");
    }
    if let Some(words) = value.get("enum").and_then(Value::as_array) {
        return words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ");
    }
    let kind = match value.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().find_map(|k| k.as_str().filter(|k| *k != "null")),
        Some(Value::String(kind)) => Some(kind.as_str()),
        _ => None,
    };
    match kind.unwrap_or_default() {
        "array" => match (value.get("items"), value.get("maxItems").and_then(Value::as_u64)) {
            (Some(items), Some(n)) => format!("list of {n} of {}", type_of(items)),
            (Some(items), None) => format!("list of {}", type_of(items)),
            _ => "list".into(),
        },
        "object" => match value.get("additionalProperties").filter(|a| a.is_object()) {
            Some(inner) => format!("table of {}", type_of(inner)),
            None => "table".into(),
        },
        "boolean" => "true or false".into(),
        "integer" => "whole number".into(),
        "string" => "text".into(),
        kind => kind.into(),
    }
}
