//! Pictures without a browser: a small rasteriser with a z-buffer, shadows and ambient occlusion.
//!
//! Bodies are scaled so that the scene has radius 1 about the origin, as in the page: a picture in mm looks as one in km.

mod canvas;
mod font;
mod legend;
mod light;
mod mesh;
mod projection;
mod scene;
mod tubes;

use crate::colour::{self, ColourBy};
use crate::{Frame, Info, Survey, ViewError};
use canvas::Canvas;
pub(crate) use legend::{few, scale_words};
pub(crate) use mesh::stadium;
use projection::Projection;
use scene::Things;
pub(crate) use scene::body_colours as colours;
pub(crate) use tubes::{forces, thickest};

/// How a picture is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// What colours stand for.
    pub colour_by: ColourBy,
    /// Draw the contact forces over pale bodies.
    pub forces: bool,
    /// A dark background.
    pub dark: bool,
    /// Title, time and the colour scale in the picture.
    pub legend: bool,
    /// Turns the camera around z from the first view (degrees).
    pub azimuth: f64,
    /// Raises the camera from the first view (degrees).
    pub elevation: f64,
}

impl Default for Look {
    fn default() -> Self {
        let (width, height, azimuth, elevation) = (1280, 960, 0.0, 0.0);
        Self { width, height, colour_by: ColourBy::Speed, forces: false, dark: false, legend: true, azimuth, elevation }
    }
}

/// The colours of a background.
pub(crate) struct Theme {
    pub low: [f64; 3],
    pub high: [f64; 3],
    pub floor: [f64; 3],
    pub fixed: [f64; 3],
    pub pale: [f64; 3],
    pub ink: [f64; 3],
    pub text: [f64; 3],
    pub sky: f64,
    pub ground: f64,
    pub sun: f64,
}

/// sRGB bytes as light.
fn light(hex: u32) -> [f64; 3] {
    colour::to_linear([16, 8, 0].map(|shift| f64::from(hex >> shift & 255) / 255.0))
}

impl Theme {
    pub fn new(dark: bool) -> Self {
        let of = |light_hex: u32, dark_hex: u32| light(if dark { dark_hex } else { light_hex });
        let (sky, ground, sun) = if dark { (0.52, 0.22, 0.76) } else { (0.66, 0.32, 0.58) };
        Self {
            low: of(0xe3e8ee, 0x191d22),
            high: of(0xfbfcfd, 0x2b3139),
            floor: of(0xd5d9de, 0x4a515a),
            fixed: of(0xb9bfc7, 0x7c858f),
            pale: of(0xd9dde2, 0x5a616a),
            ink: of(0x2a2f36, 0x0b0d10),
            text: of(0x20252b, 0xe8ebef),
            sky,
            ground,
            sun,
        }
    }
}

/// Pixels, three bytes each (sRGB), row by row from the top.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// The bytes.
    pub rgb: Vec<u8>,
}

impl Picture {
    /// As a PNG file.
    pub fn png(&self) -> Result<Vec<u8>, ViewError> {
        let mut bytes = Vec::new();
        let encode = |e: png::EncodingError| ViewError::Encode(e.to_string());
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        encoder.write_header().map_err(encode)?.write_image_data(&self.rgb).map_err(encode)?;
        Ok(bytes)
    }

    /// The colour of a pixel.
    pub fn pixel(&self, x: usize, y: usize) -> [u8; 3] {
        let at = 3 * (y * self.width + x);
        [self.rgb[at], self.rgb[at + 1], self.rgb[at + 2]]
    }
}

/// A picture of one frame, aimed and coloured by the survey.
///
/// # Errors
/// [`ViewError::Size`] for pictures of no pixels or of too many.
pub fn picture(info: &Info, frame: &Frame, survey: &Survey, look: &Look) -> Result<Picture, ViewError> {
    let (width, height) = (look.width, look.height);
    if width.min(height) < 16 || width.max(height) > 16_384 || width * height > 1 << 25 {
        return Err(ViewError::Size { width, height });
    }
    // four samples a pixel, unless the picture is so large that pixels are samples
    let fine = if width * height <= 1 << 23 { 2 } else { 1 };
    let theme = Theme::new(look.dark);
    let mut things = Things::new(info, frame, survey, look, &theme);
    let projection = Projection::camera(survey, look, width * fine, height * fine);
    let mut canvas = Canvas::new(&projection);
    canvas.draw(&things, &projection, &theme);
    let mut light = if projection.flat {
        light::flat(&canvas, &theme)
    } else {
        let shadow = light::Shadow::new(&things, survey.camera.azimuth);
        let mut light = light::shaded(&mut canvas, &things, &projection, &theme, &shadow);
        light::glass(&mut light, &canvas, &things, &projection, &theme);
        light
    };
    if look.forces {
        tubes::draw(&mut light, &mut canvas, &mut things, info, frame, survey, &projection);
    }
    let mut picture = develop(&light, width, height, fine);
    if look.legend {
        legend::draw(&mut picture, info, frame, survey, look, &theme);
    }
    Ok(picture)
}

/// Means over the samples of each pixel, as bytes.
fn develop(light: &[[f32; 3]], width: usize, height: usize, fine: usize) -> Picture {
    let mut rgb = Vec::with_capacity(3 * width * height);
    for y in 0..height {
        for x in 0..width {
            let mut sum = [0.0; 3];
            for k in 0..fine * fine {
                let sample = light[(y * fine + k / fine) * width * fine + x * fine + k % fine];
                (0..3).for_each(|c| sum[c] += f64::from(sample[c]).clamp(0.0, 1.0));
            }
            let mean = sum.map(|c| c / (fine * fine) as f64);
            rgb.extend(colour::to_srgb(mean).map(|c| (255.0 * c).round() as u8));
        }
    }
    Picture { width, height, rgb }
}
