//! A results file as a [`Source`], with the ledger that lies beside it.

use crate::{Body, Frame, Info, Source, ViewError, curves, curves::Curve, form::Piece, shape};
use std::path::Path;
use stickslip_io::results::Reader;

/// Points of a curve beyond which peaks are kept and the rest is thinned.
const CURVE_POINTS: usize = 1500;

/// A results file that is open.
pub struct ResultFile {
    reader: Reader,
    info: Info,
    notices: Vec<String>,
    curves: Vec<Curve>,
}

impl ResultFile {
    /// Opens a results file and, if there is one of the same name that ends in `.csv`, its ledger.
    ///
    /// # Errors
    /// What the reader says: not a results file, of a newer version, damaged before its first frame; or a shape that
    /// cannot be drawn.
    pub fn open(path: &Path) -> Result<Self, ViewError> {
        let reader = Reader::open(path).map_err(|e| ViewError::Result(e.to_string()))?;
        let info = info(&reader)?;
        let notices = reader.notices().to_vec();
        let curves = match std::fs::read_to_string(path.with_extension("csv")) {
            Ok(text) => curves::from_ledger(&text, CURVE_POINTS),
            // a result without its ledger is still a result
            Err(_) => Vec::new(),
        };
        Ok(Self { reader, info, notices, curves })
    }

    /// Whether the run came to its end.
    pub fn finished(&self) -> bool {
        self.reader.finished()
    }
}

fn info(reader: &Reader) -> Result<Info, ViewError> {
    let run = reader.info();
    // an endless tube is drawn as long as the other bodies are large
    let length = 4.0 * run.bodies.iter().map(|b| b.size).filter(|s| s.is_finite()).fold(0.0, f64::max);
    let mut forms: Vec<Option<Vec<Piece>>> = vec![None; run.shapes.len()];
    let mut bodies = Vec::with_capacity(run.bodies.len());
    for (k, b) in run.bodies.iter().enumerate() {
        let place = b.shape as usize;
        let known = forms.get(place).and_then(Option::as_ref).cloned();
        let mut pieces = match known {
            Some(pieces) => pieces,
            None => {
                let pieces = shape::pieces(run.shape(k), run.dimension, length)
                    .map_err(|reason| ViewError::Shape { id: b.id, reason })?;
                if let Some(slot) = forms.get_mut(place) {
                    *slot = Some(pieces.clone());
                }
                pieces
            }
        };
        // frames speak of the centre of mass, shapes of their own origin
        pieces.iter_mut().for_each(|p| (0..3).for_each(|k| p.x[k] -= b.centre[k]));
        bodies.push(Body { id: b.id, pieces, fixed: b.fixed, size: b.size, material: run.material(k).to_owned() });
    }
    Ok(Info { title: run.name.clone(), dimension: run.dimension, h: run.h, bodies })
}

impl Source for ResultFile {
    fn info(&self) -> &Info {
        &self.info
    }
    fn frames(&self) -> usize {
        self.reader.frames()
    }
    fn frame(&self, k: usize) -> Result<Frame, ViewError> {
        self.reader.frame(k).map_err(|e| ViewError::Result(e.to_string()))
    }
    fn notices(&self) -> &[String] {
        &self.notices
    }
    fn curves(&self) -> &[Curve] {
        &self.curves
    }
}
