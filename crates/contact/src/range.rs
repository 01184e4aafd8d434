//! The values that an option may take.

use serde_json::Value;
use std::fmt;

/// An interval of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Range {
    /// Larger than this.
    Above(f64),
    /// This or more.
    From(f64),
    /// Between these, neither of them.
    Inside(f64, f64),
    /// Between these, or one of them.
    Between(f64, f64),
    /// Below another option.
    Below(&'static str),
    /// A list of numbers that grow.
    Ascending,
}

/// The range of an option; parts of it are named as in `freezing.below`, and every number of a list is meant.
pub type OptionRange = (&'static str, Range);

impl Range {
    /// Whether a number lies in it.
    pub fn holds(&self, x: f64) -> bool {
        match *self {
            Range::Above(a) => x > a && x.is_finite(),
            Range::From(a) => x >= a && x.is_finite(),
            Range::Inside(a, b) => a < x && x < b,
            Range::Between(a, b) => a <= x && x <= b,
            Range::Below(_) | Range::Ascending => x.is_finite(),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Range::Above(a) => write!(f, "above {a}"),
            Range::From(a) => write!(f, "{a} or more"),
            Range::Inside(a, b) => write!(f, "above {a} and below {b}"),
            Range::Between(a, b) => write!(f, "{a} to {b}"),
            Range::Below(other) => write!(f, "below {other}"),
            Range::Ascending => write!(f, "in ascending order"),
        }
    }
}

/// The first option out of its range, in words; `defaults` tells numbers from what may be absent.
pub fn fault(what: &str, options: &Value, defaults: &Value, ranges: &[OptionRange]) -> Option<String> {
    ranges.iter().find_map(|(path, range)| {
        let value = at(options, path)?;
        let bad = match value {
            // a struct made in code may hold what JSON cannot
            Value::Null => at(defaults, path).is_some_and(Value::is_number).then(|| "not a finite number".to_string()),
            _ => outside(value, range).or_else(|| unordered(options, value, range)),
        }?;
        Some(format!("option '{path}' of {what} is {bad}; it must be {range}"))
    })
}

/// The value at `a.b.c`.
fn at<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(value, |value, key| value.get(key))
}

/// A number, or a number of a list, that is not in the range.
fn outside(value: &Value, range: &Range) -> Option<String> {
    match value {
        Value::Number(n) => n.as_f64().filter(|x| !range.holds(*x)).map(|x| x.to_string()),
        Value::Array(list) if list.is_empty() => Some("an empty list".into()),
        Value::Array(list) => list.iter().find_map(|v| outside(v, range)),
        _ => None,
    }
}

/// A number that is not below the other option, or a list that does not grow.
fn unordered(options: &Value, value: &Value, range: &Range) -> Option<String> {
    match range {
        Range::Below(other) => {
            let (x, limit) = (value.as_f64()?, at(options, other)?.as_f64()?);
            (x >= limit).then(|| format!("{x}, and {other} is {limit}"))
        }
        Range::Ascending => {
            let list: Vec<f64> = value.as_array()?.iter().filter_map(Value::as_f64).collect();
            (!list.is_sorted_by(|a, b| a < b)).then(|| value.to_string())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn ends_belong_or_do_not() {
        for (range, inside, outside) in [
            (Range::Above(0.0), [1e-300, 7.0], [0.0, f64::INFINITY]),
            (Range::From(1.0), [1.0, 1e9], [0.999, f64::NAN]),
            (Range::Inside(0.0, 2.0), [0.1, 1.99], [0.0, 2.0]),
            (Range::Between(1.0, 20.0), [1.0, 20.0], [0.0, 20.5]),
        ] {
            assert!(inside.iter().all(|x| range.holds(*x)) && !outside.iter().any(|x| range.holds(*x)), "{range}");
        }
    }

    #[test]
    fn faults_name_the_option_the_value_and_the_range() {
        let ranges = [("a", Range::Above(0.0)), ("b.c", Range::Between(1.0, 3.0)), ("d", Range::From(0.0))];
        let find = |v: Value| fault("x", &v, &json!({"a": 1.0, "d": null}), &ranges);
        assert_eq!(find(json!({"a": 1.0, "b": {"c": 3}, "d": null})), None);
        assert_eq!(find(json!({"a": -1.5})).unwrap(), "option 'a' of x is -1.5; it must be above 0");
        assert_eq!(find(json!({"b": {"c": 0}})).unwrap(), "option 'b.c' of x is 0; it must be 1 to 3");
        assert_eq!(find(json!({"d": [[1.0], [-2.0]]})).unwrap(), "option 'd' of x is -2; it must be 0 or more");
        assert!(find(json!({"d": []})).unwrap().contains("empty list"));
        assert!(find(json!({"a": null})).unwrap().contains("finite"));
        let order = [("a", Range::Below("b")), ("c", Range::Ascending)];
        let find = |v: Value| fault("x", &v, &json!({}), &order);
        assert_eq!(find(json!({"a": 1.0, "b": 2.0, "c": [1.0, 2.0]})), None);
        assert_eq!(find(json!({"a": 2.0, "b": 2.0})).unwrap(), "option 'a' of x is 2, and b is 2; it must be below b");
        assert!(find(json!({"c": [2.0, 1.0]})).unwrap().contains("ascending"));
    }
}
