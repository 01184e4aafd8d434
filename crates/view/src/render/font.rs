//! A plain stroke font, so that pictures can carry words without any font file.
//!
//! A glyph is a few polylines on a grid: capitals 6 high, small letters 4, tails down to -2 (`a` is -1, `b` is -2).

use super::Picture;

/// Width of a glyph and of the gap behind it, in units of the grid.
const ADVANCE: f64 = 5.6;

/// Glyphs: strokes between bars, points as a digit for x and one for y.
const GLYPHS: &[(char, &str)] = &[
    ('0', "10 01 05 16 36 45 41 30 10"),
    ('1', "15 26 20|10 30"),
    ('2', "05 16 36 45 44 00 40"),
    ('3', "05 16 36 45 44 33 13|33 42 41 30 10 01"),
    ('4', "30 36 02 42"),
    ('5', "46 06 03 14 34 43 41 30 10 01"),
    ('6', "45 36 16 05 01 10 30 41 42 33 13 02"),
    ('7', "06 46 10"),
    ('8', "13 04 05 16 36 45 44 33 13 02 01 10 30 41 42 33"),
    ('9', "01 10 30 41 45 36 16 05 04 13 33 44"),
    ('.', "20 21"),
    (',', "21 20 1a"),
    (':', "20 21|23 24"),
    ('-', "03 43"),
    ('+', "03 43|21 25"),
    ('=', "02 42|04 44"),
    ('/', "0a 46"),
    ('(', "36 24 22 30"),
    (')', "16 24 22 10"),
    ('×', "01 45|05 41"),
    ('≥', "06 43 01|00 40"),
    ('_', "0a 4a"),
    ('A', "00 26 40|12 32"),
    ('B', "00 06 36 45 44 33 03|33 42 41 30 00"),
    ('C', "45 36 16 05 01 10 30 41"),
    ('D', "00 06 26 44 42 20 00"),
    ('E', "40 00 06 46|03 33"),
    ('F', "00 06 46|03 33"),
    ('G', "45 36 16 05 01 10 30 41 43 23"),
    ('H', "00 06|40 46|03 43"),
    ('I', "10 30|20 26|16 36"),
    ('J', "01 10 20 31 36"),
    ('K', "00 06|46 02|13 40"),
    ('L', "06 00 40"),
    ('M', "00 06 23 46 40"),
    ('N', "00 06 40 46"),
    ('O', "10 01 05 16 36 45 41 30 10"),
    ('P', "00 06 36 45 44 33 03"),
    ('Q', "10 01 05 16 36 45 41 30 10|22 40"),
    ('R', "00 06 36 45 44 33 03|23 40"),
    ('S', "45 36 16 05 04 13 33 42 41 30 10 01"),
    ('T', "06 46|26 20"),
    ('U', "06 01 10 30 41 46"),
    ('V', "06 20 46"),
    ('W', "06 10 24 30 46"),
    ('X', "00 46|06 40"),
    ('Y', "06 23 46|23 20"),
    ('Z', "06 46 00 40"),
    ('a', "03 14 34 43 40|42 12 01 10 30 41"),
    ('b', "06 00|03 14 34 43 41 30 10 01"),
    ('c', "43 34 14 03 01 10 30 41"),
    ('d', "46 40|43 34 14 03 01 10 30 41"),
    ('e', "02 42 43 34 14 03 01 10 30 41"),
    ('f', "36 26 15 10|04 34"),
    ('g', "44 4a 3b 1b 0a|43 34 14 03 01 10 30 41"),
    ('h', "06 00|03 14 34 43 40"),
    ('i', "14 24 20|10 30|26 26"),
    ('j', "14 24 2a 1b 0b|26 26"),
    ('k', "06 00|34 02|12 30"),
    ('l', "16 26 20|10 30"),
    ('m', "00 04|03 14 23 20|23 34 43 40"),
    ('n', "00 04|03 14 34 43 40"),
    ('o', "10 01 03 14 34 43 41 30 10"),
    ('p', "04 0b|03 14 34 43 41 30 10 01"),
    ('q', "44 4b|43 34 14 03 01 10 30 41"),
    ('r', "00 04|02 24 34"),
    ('s', "43 34 14 03 12 32 41 30 10 01"),
    ('t', "16 11 20 30|04 34"),
    ('u', "04 01 10 30 41|44 40"),
    ('v', "04 20 44"),
    ('w', "04 10 23 30 44"),
    ('x', "00 44|04 40"),
    ('y', "04 20|44 1b 0b"),
    ('z', "04 44 00 40"),
];

/// The width of a text of that height of capitals, in pixels.
pub fn width(text: &str, size: f64) -> f64 {
    (text.chars().count() as f64 * ADVANCE - 1.6).max(0.0) * size / 6.0
}

/// Draws a text with its baseline at `y`; a character that is not known leaves a gap.
pub fn draw(picture: &mut Picture, x: f64, y: f64, size: f64, text: &str, colour: [u8; 3]) {
    let unit = size / 6.0;
    for (k, c) in text.chars().enumerate() {
        let Some((_, strokes)) = GLYPHS.iter().find(|g| g.0 == c) else { continue };
        let left = x + k as f64 * ADVANCE * unit;
        for stroke in strokes.split('|') {
            let points: Vec<[f64; 2]> = stroke.split(' ').filter_map(|p| point(p, left, y, unit)).collect();
            for pair in points.windows(2) {
                segment(picture, pair[0], pair[1], (0.105 * size).max(0.62), colour);
            }
        }
    }
}

fn point(text: &str, left: f64, y: f64, unit: f64) -> Option<[f64; 2]> {
    let (across, up) = (text.chars().next()?.to_digit(10)?, text.chars().nth(1)?);
    let up = up.to_digit(10).map_or(if up == 'a' { -1.0 } else { -2.0 }, f64::from);
    Some([left + f64::from(across) * unit, y - up * unit])
}

/// A line with round ends, smooth at its sides.
pub fn segment(picture: &mut Picture, a: [f64; 2], b: [f64; 2], radius: f64, colour: [u8; 3]) {
    let ends = |k: usize, n: usize| {
        let (low, high) = (a[k].min(b[k]) - radius - 1.0, a[k].max(b[k]) + radius + 1.0);
        (low.max(0.0) as usize)..((high.max(0.0) as usize + 1).min(n))
    };
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let square = dx * dx + dy * dy;
    for y in ends(1, picture.height) {
        for x in ends(0, picture.width) {
            let (u, v) = (x as f64 + 0.5 - a[0], y as f64 + 0.5 - a[1]);
            let t = if square > 0.0 { ((u * dx + v * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
            let away = (u - t * dx).hypot(v - t * dy);
            blend(picture, x, y, colour, (radius + 0.5 - away).clamp(0.0, 1.0));
        }
    }
}

/// Mixes a colour into a pixel.
pub fn blend(picture: &mut Picture, x: usize, y: usize, colour: [u8; 3], part: f64) {
    let at = 3 * (y * picture.width + x);
    for k in 0..3 {
        let old = f64::from(picture.rgb[at + k]);
        picture.rgb[at + k] = (old + part * (f64::from(colour[k]) - old)).round() as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_glyph_can_be_drawn_and_leaves_ink() {
        for (c, strokes) in GLYPHS {
            for p in strokes.split(['|', ' ']) {
                assert!(p.len() == 2 && point(p, 0.0, 0.0, 1.0).is_some(), "{c}: {p}");
            }
            let mut picture = Picture { width: 20, height: 30, rgb: vec![255; 1800] };
            draw(&mut picture, 4.0, 20.0, 12.0, &c.to_string(), [0; 3]);
            assert!(picture.rgb.iter().any(|&b| b < 100), "{c}");
        }
    }
}
