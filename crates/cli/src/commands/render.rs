//! `stickslip render`.

use super::view;
use crate::Outcome;
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use stickslip::view::colour::ColourBy;
use stickslip::view::render::{Look, picture};
use stickslip::view::{ResultFile, Source, ViewError, survey, svg};

/// Frames that are read to aim the camera and to scale the colours.
const SURVEYED: usize = 400;

/// Draw frames of a result as PNG or SVG, without a browser.
#[derive(clap::Args)]
pub struct Arguments {
    /// The result, a .vtkhdf file that `stickslip run` has written
    result: PathBuf,
    /// The picture: .png, or .svg for scenes of the plane; of several frames, their numbers are put before the ending
    out: PathBuf,
    /// Frames: numbers, ranges and `last`, such as 0,10-20,last or 0-100:10
    #[arg(long, default_value = "last")]
    frames: String,
    /// Pixels across and down
    #[arg(long, default_value = "1280x960", value_name = "WxH")]
    size: String,
    /// What colours stand for
    #[arg(long, default_value = "speed", value_parser = ["speed", "force", "size", "id"])]
    colour: String,
    /// Draw contact forces over pale bodies
    #[arg(long)]
    forces: bool,
    /// A dark background
    #[arg(long)]
    dark: bool,
    /// Neither title nor colour scale
    #[arg(long)]
    plain: bool,
    /// Turn the camera around the vertical from the first view (degrees)
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    turn: f64,
    /// Raise the camera from the first view (degrees)
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    raise: f64,
}

/// Draws every frame that was asked for.
pub fn run(a: Arguments) -> Result<Outcome> {
    let vector = match a.out.extension().and_then(|e| e.to_str()) {
        Some("png") => false,
        Some("svg") => true,
        _ => bail!("{}: the name must end in .png or .svg", a.out.display()),
    };
    let look = look(&a)?;
    let result = view::open(&a.result)?;
    view::tell_notices(&result);
    let frames = frames(&a.frames, result.frames())?;
    let mut surveyed = (0..result.frames()).step_by(result.frames().div_ceil(SURVEYED)).collect();
    let survey = survey(&result, &mut surveyed)?;
    for &k in &frames {
        let frame = result.frame(k)?;
        let bytes = if vector {
            svg::drawing(result.info(), &frame, &survey, &look)?.into_bytes()
        } else {
            picture(result.info(), &frame, &survey, &look)?.png()?
        };
        let path = if frames.len() == 1 { a.out.clone() } else { numbered(&a.out, k, &result) };
        view::replace(&path, |out| Ok(out.write_all(&bytes)?))?;
        crate::say!("{} written", path.display());
    }
    Ok(Outcome::Done)
}

fn look(a: &Arguments) -> Result<Look> {
    let sides: Option<Vec<usize>> = a.size.split('x').map(|s| s.trim().parse().ok()).collect();
    let Some(&[width, height]) = sides.as_deref() else {
        bail!("--size {}: give pixels across and down, such as 1280x960", a.size);
    };
    if !(a.turn.is_finite() && a.raise.is_finite()) {
        bail!("--turn and --raise are angles in degrees");
    }
    let colour_by = ColourBy::from_name(&a.colour).unwrap_or_default();
    let (forces, dark, legend, azimuth, elevation) = (a.forces, a.dark, !a.plain, a.turn, a.raise);
    Ok(Look { width, height, colour_by, forces, dark, legend, azimuth, elevation })
}

/// `out.png` and frame 7 of 1000 make `out-007.png`, so that names sort.
fn numbered(out: &Path, k: usize, result: &ResultFile) -> PathBuf {
    let digits = result.frames().saturating_sub(1).to_string().len();
    let part = |p: Option<&std::ffi::OsStr>| p.unwrap_or_default().to_string_lossy().into_owned();
    out.with_file_name(format!("{}-{k:0digits$}.{}", part(out.file_stem()), part(out.extension())))
}

/// Frame numbers of a list such as `0,10-20,last` or `0-100:10`.
fn frames(list: &str, count: usize) -> Result<Vec<usize>> {
    let Some(last) = count.checked_sub(1) else { return Err(ViewError::NoFrames.into()) };
    let number = |word: &str| match word.trim() {
        "last" => Ok(last),
        w => w.parse::<usize>().map_err(|_| anyhow::anyhow!("--frames {list}: '{w}' is neither a number nor 'last'")),
    };
    let mut out = Vec::new();
    for item in list.split(',') {
        let (range, step) = item.split_once(':').unwrap_or((item, "1"));
        let (from, to) = range.split_once('-').unwrap_or((range, range));
        let (from, to, step) = (number(from)?, number(to)?, number(step)?.max(1));
        let asked = from.max(to);
        if asked > last {
            return Err(ViewError::NoSuchFrame { asked, last }.into());
        }
        if from > to {
            bail!("--frames {list}: {from}-{to} runs backwards");
        }
        out.extend((from..=to).step_by(step));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::frames;

    #[test]
    fn lists_of_frames() {
        assert_eq!(frames("0,3-5,last", 10).unwrap(), [0, 3, 4, 5, 9]);
        assert_eq!(frames("0-last:4", 10).unwrap(), [0, 4, 8]);
        for wrong in ["10", "x", "", "5-3", "1-", "0-99"] {
            assert!(frames(wrong, 10).is_err(), "{wrong}");
        }
        assert!(frames("0", 0).is_err());
    }
}
