//! The HDF5 metadata over the records written so far, in the VTKHDF layout.
//!
//! `/VTKHDF` is a partitioned dataset collection of two time-dependent blocks of points, `Bodies` and `Contacts`; a
//! step k has the rows `PointOffsets[k]` and following, `NumberOfPoints[k]` of them, of every array. `/stickslip` holds
//! what is the same in all frames.
//!
//! # Reference
//! VTKHDF file format 2.1, Kitware.

use super::columns::{BODIES, CONTACTS, Column, Number, Shape};
use super::objects::{Attribute, Link, Objects, Type};

/// A frame on the disk.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    /// Where its payload begins.
    pub at: u64,
    pub shape: Shape,
}

/// All that a seal points at.
pub(super) struct Contents<'a> {
    pub dimension: usize,
    pub h: f64,
    pub frames: &'a [Placed],
    /// Rows of a chunk of bodies, of contacts.
    pub chunks: [usize; 2],
    /// Where the numbers 0, 1, 2, ... are, in pieces of [`iota_rows`].
    pub iota: &'a [u64],
    /// Address and length of the JSON, of the scene.
    pub texts: [(u64, u64); 2],
}

/// Numbers in a piece of iota: the cells of small scenes fit one.
pub(super) fn iota_rows(chunks: [usize; 2]) -> usize {
    (chunks[0].max(chunks[1]) + 1).next_power_of_two().clamp(64, 1 << 16)
}

/// The metadata to be put at `base`, and the address of the root group.
pub(super) fn seal(c: &Contents<'_>, base: u64) -> (Vec<u8>, u64) {
    let mut o = Objects::at(base);
    let blocks = [block(&mut o, c, 0, &BODIES), block(&mut o, c, 1, &CONTACTS)];
    let assembly = o.group(&[], &[Link::Soft("Bodies", "/VTKHDF/Bodies"), Link::Soft("Contacts", "/VTKHDF/Contacts")]);
    let vtk = o.group(
        &[Attribute::Ints("Version", &[2, 1]), Attribute::Text("Type", "PartitionedDataSetCollection")],
        &[Link::Hard("Bodies", blocks[0]), Link::Hard("Contacts", blocks[1]), Link::Hard("Assembly", assembly)],
    );
    let [info, scene] = c.texts.map(|(at, length)| o.placed(Type::Text(length.max(1) as u32), &[], at, length));
    let steps: Vec<u8> = c.frames.iter().flat_map(|f| f.shape.step.to_le_bytes()).collect();
    let steps = o.dataset(Number::I64, &[c.frames.len() as u64], &steps);
    let ours = o.group(
        &[
            Attribute::Int("version", super::VERSION.into()),
            Attribute::Int("dimension", c.dimension as i64),
            Attribute::Float("h", c.h),
        ],
        &[Link::Hard("info", info), Link::Hard("scene", scene), Link::Hard("step", steps)],
    );
    let root = o.group(&[], &[Link::Hard("VTKHDF", vtk), Link::Hard("stickslip", ours)]);
    (o.bytes, root)
}

/// A block of points that change from step to step.
fn block(o: &mut Objects, c: &Contents<'_>, block: usize, columns: &[Column]) -> u64 {
    let n = c.frames.len() as u64;
    let first = if block == 0 { 0 } else { BODIES.len() };
    let rows: Vec<u64> = c.frames.iter().map(|f| f.shape.rows[block] as u64).collect();
    let padded: Vec<u64> = c.frames.iter().map(|f| f.shape.padded(block, c.chunks) as u64).collect();
    let arrays: Vec<(&str, u64)> = (first..)
        .zip(columns)
        .map(|(k, column)| (column.name, chunks_of(o, c, block, k, column, padded.iter().sum())))
        .collect();
    let (points, data) = arrays.split_at(1);
    let data_links: Vec<Link<'_>> = data.iter().map(|&(name, at)| Link::Hard(name, at)).collect();
    let point_data = o.group(&[], &data_links);

    let offsets = padded.iter().scan(0, |sum, p| {
        let here = *sum;
        *sum += p;
        Some(here)
    });
    let counts = integers(o, rows.iter().copied(), &[n]);
    let zeros = integers(o, rows.iter().map(|_| 0), &[n]);
    let offsets = integers(o, offsets, &[n]);
    let steps = steps(o, c, data, offsets);

    let rows_of_iota = (c.iota.len() * iota_rows(c.chunks)) as u64;
    let iota = o.chunked(Number::I64, 1, iota_rows(c.chunks), rows_of_iota, c.iota);
    let vertices = cells(o, counts, iota);
    let none = integers(o, std::iter::once(0), &[1]);
    let empty = cells(o, zeros, none);
    o.group(
        &[
            Attribute::Ints("Version", &[2, 1]),
            Attribute::Text("Type", "PolyData"),
            Attribute::Int("Index", block as i64),
        ],
        &[
            Link::Hard("NumberOfPoints", counts),
            Link::Hard("Points", points[0].1),
            Link::Hard("PointData", point_data),
            Link::Hard("Vertices", vertices),
            Link::Hard("Lines", empty),
            Link::Hard("Polygons", empty),
            Link::Hard("Strips", empty),
            Link::Hard("Steps", steps),
        ],
    )
}

/// An array over all frames: its chunks lie in the records.
fn chunks_of(o: &mut Objects, c: &Contents<'_>, block: usize, place: usize, column: &Column, rows: u64) -> u64 {
    let bytes = (c.chunks[block] * column.width * column.number.bytes()) as u64;
    let mut at = Vec::new();
    for f in c.frames {
        let start = f.at + f.shape.offsets(c.chunks)[place];
        let count = f.shape.padded(block, c.chunks) / c.chunks[block];
        at.extend((0..count as u64).map(|k| start + k * bytes));
    }
    o.chunked(column.number, column.width, c.chunks[block], rows, &at)
}

/// Times, and where each step begins in every array.
fn steps(o: &mut Objects, c: &Contents<'_>, data: &[(&str, u64)], offsets: u64) -> u64 {
    let n = c.frames.len() as u64;
    let times: Vec<u8> = c.frames.iter().flat_map(|f| f.shape.t.to_le_bytes()).collect();
    let values = o.dataset(Number::F64, &[n], &times);
    let parts = integers(o, 0..n, &[n]);
    let one = integers(o, (0..n).map(|_| 1), &[n]);
    // vertices, lines, polygons, strips: all steps share the same cells
    let four = integers(o, (0..4 * n).map(|_| 0), &[n, 4]);
    let data: Vec<Link<'_>> = data.iter().map(|&(name, _)| Link::Hard(name, offsets)).collect();
    let data = o.group(&[], &data);
    o.group(
        &[Attribute::Int("NSteps", n as i64)],
        &[
            Link::Hard("Values", values),
            Link::Hard("PointOffsets", offsets),
            Link::Hard("PartOffsets", parts),
            Link::Hard("NumberOfParts", one),
            Link::Hard("CellOffsets", four),
            Link::Hard("ConnectivityIdOffsets", four),
            Link::Hard("PointDataOffsets", data),
        ],
    )
}

/// Cells of one point each: offsets and connectivity are both 0, 1, 2, ...
fn cells(o: &mut Objects, counts: u64, iota: u64) -> u64 {
    o.group(
        &[],
        &[
            Link::Hard("NumberOfCells", counts),
            Link::Hard("NumberOfConnectivityIds", counts),
            Link::Hard("Offsets", iota),
            Link::Hard("Connectivity", iota),
        ],
    )
}

fn integers(o: &mut Objects, values: impl Iterator<Item = u64>, shape: &[u64]) -> u64 {
    let bytes: Vec<u8> = values.flat_map(u64::to_le_bytes).collect();
    o.dataset(Number::I64, shape, &bytes)
}
