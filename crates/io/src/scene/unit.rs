//! Units behind a number: `"5 mm"`, `"6 rpm"`, `"2500 kg/m3"`.

/// Exponents of metre, kilogram, second and radian.
pub type Dimension = [i8; 4];

/// (name, in SI, exponents)
const UNITS: [(&str, f64, Dimension); 37] = [
    ("m", 1.0, [1, 0, 0, 0]),
    ("km", 1e3, [1, 0, 0, 0]),
    ("dm", 1e-1, [1, 0, 0, 0]),
    ("cm", 1e-2, [1, 0, 0, 0]),
    ("mm", 1e-3, [1, 0, 0, 0]),
    ("um", 1e-6, [1, 0, 0, 0]),
    ("µm", 1e-6, [1, 0, 0, 0]),
    ("kg", 1.0, [0, 1, 0, 0]),
    ("g", 1e-3, [0, 1, 0, 0]),
    ("mg", 1e-6, [0, 1, 0, 0]),
    ("t", 1e3, [0, 1, 0, 0]),
    ("s", 1.0, [0, 0, 1, 0]),
    ("ms", 1e-3, [0, 0, 1, 0]),
    ("us", 1e-6, [0, 0, 1, 0]),
    ("µs", 1e-6, [0, 0, 1, 0]),
    ("min", 60.0, [0, 0, 1, 0]),
    ("h", 3600.0, [0, 0, 1, 0]),
    ("rad", 1.0, [0, 0, 0, 1]),
    ("deg", std::f64::consts::PI / 180.0, [0, 0, 0, 1]),
    ("°", std::f64::consts::PI / 180.0, [0, 0, 0, 1]),
    ("turn", std::f64::consts::TAU, [0, 0, 0, 1]),
    ("rpm", std::f64::consts::TAU / 60.0, [0, 0, -1, 1]),
    ("Hz", 1.0, [0, 0, -1, 0]),
    ("kHz", 1e3, [0, 0, -1, 0]),
    ("N", 1.0, [1, 1, -2, 0]),
    ("mN", 1e-3, [1, 1, -2, 0]),
    ("kN", 1e3, [1, 1, -2, 0]),
    ("MN", 1e6, [1, 1, -2, 0]),
    ("Pa", 1.0, [-1, 1, -2, 0]),
    ("kPa", 1e3, [-1, 1, -2, 0]),
    ("MPa", 1e6, [-1, 1, -2, 0]),
    ("GPa", 1e9, [-1, 1, -2, 0]),
    ("J", 1.0, [2, 1, -2, 0]),
    ("W", 1.0, [2, 1, -3, 0]),
    ("L", 1e-3, [3, 0, 0, 0]),
    ("%", 1e-2, [0, 0, 0, 0]),
    ("1", 1.0, [0, 0, 0, 0]),
];

/// No quantity has a higher power of a unit.
const MOST_POWER: i8 = 9;

/// The unit in SI of a dimension, such as `kg/m3`.
pub fn si(dimension: Dimension) -> String {
    let part = |sign: i8| {
        let one = |(name, &e): (&str, &i8)| {
            let e = e * sign;
            (e > 0).then(|| if e == 1 { name.to_string() } else { format!("{name}{e}") })
        };
        ["m", "kg", "s", "rad"].into_iter().zip(&dimension).filter_map(one).collect::<Vec<_>>().join(" ")
    };
    let (above, below) = (part(1), part(-1));
    match (above.is_empty(), below.is_empty()) {
        (true, true) => "no unit".into(),
        (false, true) => above,
        (true, false) => format!("1/{below}"),
        (false, false) => format!("{above}/{below}"),
    }
}

/// Reads a number and its unit, which must be of the dimension; the value in SI.
pub fn parse(text: &str, dimension: Dimension) -> Result<f64, String> {
    let text = text.trim();
    // the longest beginning that is a number: an "e" may be an exponent or begin a unit
    let split = text.char_indices().map(|(i, c)| i + c.len_utf8()).rev().find(|&i| {
        text[..i].trim_end() == &text[..i]
            && text[..i].bytes().all(|b| b"0123456789.eE+-".contains(&b))
            && text[..i].parse::<f64>().is_ok()
    });
    let Some(split) = split else {
        return Err(format!("'{text}' does not begin with a number; write for example \"5 {}\"", example(dimension)));
    };
    let (number, unit) = text.split_at(split);
    let value: f64 = number.parse().map_err(|_| format!("'{number}' is not a number"))?;
    let unit = unit.trim();
    if unit.is_empty() {
        return Ok(value);
    }
    if let Some(rest) = unit.strip_prefix(',') {
        return Err(format!("'{text}' has a comma in its number; write a point: \"{number}.{}\"", rest.trim_start()));
    }
    let (factor, found) = factor(unit)?;
    if found != dimension {
        return Err(format!(
            "the unit '{unit}' is {}, but {} is asked for; write for example \"5 {}\"",
            si(found),
            si(dimension),
            example(dimension)
        ));
    }
    Ok(value * factor)
}

/// A unit of the dimension as one would write it.
fn example(dimension: Dimension) -> String {
    let found = UNITS.iter().find(|u| u.2 == dimension).map(|u| u.0.to_string());
    found.unwrap_or_else(|| si(dimension))
}

/// A product of units: names with exponents, separated by spaces, `*` or `.`; a slash divides by all that follows it up
/// to the next slash.
fn factor(text: &str) -> Result<(f64, Dimension), String> {
    let mut product = (1.0, [0i64; 4]);
    for (k, part) in text.split('/').enumerate() {
        let sign: i32 = if k == 0 { 1 } else { -1 };
        for word in part.split([' ', '*', '.', '·']).filter(|w| !w.is_empty()) {
            let (name, power) = exponent(word)?;
            let Some((_, value, dimension)) = UNITS.iter().find(|u| u.0 == name) else {
                let known = UNITS.iter().map(|u| u.0).filter(|u| *u != "1").collect::<Vec<_>>().join(", ");
                return Err(format!("there is no unit '{name}'; known are {known}"));
            };
            product.0 *= value.powi(sign * power);
            for i in 0..4 {
                product.1[i] += i64::from(dimension[i]) * i64::from(sign * power);
            }
        }
    }
    let mut powers = [0; 4];
    for (power, sum) in powers.iter_mut().zip(product.1) {
        *power = i8::try_from(sum)
            .ok()
            .filter(|p| p.abs() <= MOST_POWER)
            .ok_or_else(|| format!("a unit to the power {sum} measures nothing here; powers go up to {MOST_POWER}"))?;
    }
    Ok((product.0, powers))
}

/// `m3`, `m^3`, `m³`, `s-1`: a name and its exponent, from -9 to 9.
fn exponent(word: &str) -> Result<(&str, i32), String> {
    if word == "1" {
        return Ok((word, 1));
    }
    let at = word.find(|c: char| c.is_ascii_digit() || "^-+²³".contains(c)).unwrap_or(word.len());
    let (name, power) = word.split_at(at);
    let power = match power.trim_start_matches('^') {
        "" => 1,
        "²" => 2,
        "³" => 3,
        digits => match digits.parse::<i32>() {
            Ok(p) if (-9..=9).contains(&p) => p,
            _ => return Err(format!("the exponent of '{word}' is not a small whole number")),
        },
    };
    Ok((name, power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_units() {
        let close = |text: &str, d: Dimension, x: f64| {
            let found = parse(text, d).unwrap();
            assert!((found - x).abs() <= 1e-15 * x.abs(), "{text}: {found}");
        };
        close("5 mm", [1, 0, 0, 0], 5e-3);
        close("5e-3m", [1, 0, 0, 0], 5e-3);
        close("-2.5 cm", [1, 0, 0, 0], -2.5e-2);
        close("30 deg", [0, 0, 0, 1], std::f64::consts::PI / 6.0);
        close("6 rpm", [0, 0, -1, 1], 0.2 * std::f64::consts::PI);
        close("2.5 g/cm3", [-3, 1, 0, 0], 2500.0);
        close("2500 kg/m^3", [-3, 1, 0, 0], 2500.0);
        close("10 N s/m", [0, 1, -1, 0], 10.0);
        close("9.81 m/s/s", [1, 0, -2, 0], 9.81);
        close("9.81 m/s²", [1, 0, -2, 0], 9.81);
        close("1e3", [1, 0, 0, 0], 1e3);
        close("2 1/s", [0, 0, -1, 0], 2.0);
        // an e that begins no exponent
        assert!(parse("5 e", [1, 0, 0, 0]).unwrap_err().contains("no unit 'e'"));
    }

    #[test]
    fn wrong_units_are_named() {
        let length = |text: &str| parse(text, [1, 0, 0, 0]).unwrap_err();
        assert!(length("5 s").contains("is s, but m is asked for"));
        assert!(length("5 furlong").contains("no unit 'furlong'"));
        assert!(length("mm").contains("does not begin with a number"));
        assert!(length("5 m^99").contains("exponent"));
        assert!(length("1,5 m").contains("\"1.5 m\""));
        // 257 metres multiplied are not one
        assert!(length(&format!("1{} m5", " m9".repeat(28))).contains("power 257"));
        assert!(length("").contains("does not begin"));
    }
}
