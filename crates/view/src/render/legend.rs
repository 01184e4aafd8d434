//! Title, time and the colour scale, in the picture.

use super::{Look, Picture, Theme, font, scene};
use crate::colour::{self, ColourBy};
use crate::{Frame, Info, Survey};

/// A number in few digits.
pub fn few(v: f64) -> String {
    if v == 0.0 || !v.is_finite() {
        return if v == 0.0 { "0".into() } else { "-".into() };
    }
    if !(1e-3..1e5).contains(&v.abs()) {
        let text = format!("{v:.1e}");
        return text.replace(".0e", "e");
    }
    let digits = (2.0 - v.abs().log10().floor()).clamp(0.0, 6.0) as usize;
    let text = format!("{v:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

pub fn draw(picture: &mut Picture, info: &Info, frame: &Frame, survey: &Survey, look: &Look, theme: &Theme) {
    let size = (picture.height.min(picture.width) as f64 / 72.0).max(7.0);
    let ink = colour::to_srgb(theme.text).map(|c| (255.0 * c).round() as u8);
    let pad = 2.0 * size;
    font::draw(picture, pad, pad + size, size, &info.title, ink);
    font::draw(picture, pad, pad + 3.2 * size, 0.85 * size, &format!("t = {} s", few(frame.t)), ink);
    let Some((title, [low, high])) = scale_words(info, survey, look) else { return };
    let (wide, tall) = (16.0 * size, 0.9 * size);
    let left = picture.width as f64 - pad - wide;
    font::draw(picture, left, pad + size, 0.85 * size, title, ink);
    let top = pad + 1.7 * size;
    for y in top as usize..((top + tall) as usize).min(picture.height) {
        for x in left.max(0.0) as usize..((left + wide) as usize).min(picture.width) {
            let c = colour::viridis((x as f64 - left) / wide).map(|c| (255.0 * c).round() as u8);
            font::blend(picture, x, y, c, 1.0);
        }
    }
    let base = top + tall + 1.5 * size;
    font::draw(picture, left, base, 0.8 * size, &low, ink);
    font::draw(picture, left + wide - font::width(&high, 0.8 * size), base, 0.8 * size, &high, ink);
}

/// What the colour scale stands for, and the words at its ends; none for colours by id.
pub fn scale_words(info: &Info, survey: &Survey, look: &Look) -> Option<(&'static str, [String; 2])> {
    let per = if info.h > 0.0 { 1.0 / info.h } else { 1.0 };
    let (title, ends) = match (look.forces, look.colour_by) {
        (true, _) if info.h > 0.0 => ("normal force (N)", [0.0, survey.rln.usual(50) * per]),
        (true, _) => ("normal impulse (N s)", [0.0, survey.rln.usual(50)]),
        (false, ColourBy::Id) => return None,
        (false, by) => (by.title(info.h), scene::ends(info, survey, by)),
    };
    let open = if look.forces || look.colour_by != ColourBy::Size { "≥ " } else { "" };
    Some((title, [few(ends[0]), format!("{open}{}", few(ends[1]))]))
}

#[cfg(test)]
mod tests {
    #[test]
    fn few_digits() {
        let text: Vec<String> = [0.0, 1.0, 12.34, 1234.5, 0.01234, 1.5e-7, 2e9, -3.0].map(super::few).into();
        assert_eq!(text, ["0", "1", "12.3", "1234", "0.0123", "1.5e-7", "2e9", "-3"]);
    }
}
