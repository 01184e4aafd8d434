//! A `NumericsMatrix` in text: full, blocks, or sparse.

use stickslip_contact::matrix::{Csr, Triplet};

use super::scanner::Scanner;
use crate::error::IoError;

/// Reads a matrix; `name` stands for it in errors.
pub(super) fn read(s: &mut Scanner, name: &str) -> Result<Triplet, IoError> {
    let storage = s.count(&format!("the storage of {name}"))?;
    let rows = s.count(&format!("the number of rows of {name}"))?;
    let cols = s.count(&format!("the number of columns of {name}"))?;
    // every row and column has at least one number elsewhere in the file
    s.room_for(rows.max(cols), name)?;
    let a = match storage {
        0 => dense(s, name)?,
        1 => blocks(s, name, (rows, cols))?,
        2 => sparse(s, name)?,
        other => return Err(s.fault(format!("unknown storage {other} of {name}; 0, 1 or 2 expected"))),
    };
    if a.shape() != (rows, cols) {
        let (m, n) = a.shape();
        return Err(s.fault(format!("{name} is announced as {rows} x {cols} but stored as {m} x {n}")));
    }
    Ok(a)
}

/// An entry that Siconos' indices may have put outside the matrix.
fn push(s: &Scanner, a: &mut Triplet, i: usize, j: usize, x: f64) -> Result<(), IoError> {
    let (rows, cols) = a.shape();
    if i >= rows || j >= cols {
        return Err(s.fault(format!("entry ({i}, {j}) lies outside the {rows} x {cols} matrix")));
    }
    a.push(i, j, x);
    Ok(())
}

/// Full, by columns; zeros are not kept.
fn dense(s: &mut Scanner, name: &str) -> Result<Triplet, IoError> {
    let (rows, cols) = (s.count("the number of rows")?, s.count("the number of columns")?);
    s.room_for(rows.saturating_mul(cols).max(rows).max(cols), name)?;
    let mut a = Triplet::empty(rows, cols);
    for j in 0..cols {
        for i in 0..rows {
            let x = s.float(name)?;
            if x != 0.0 {
                a.push(i, j, x);
            }
        }
    }
    Ok(a)
}

/// Blocks by rows of blocks: the ends of block rows and columns, pointers, block columns, then each block by columns.
fn blocks(s: &mut Scanner, name: &str, (rows, cols): (usize, usize)) -> Result<Triplet, IoError> {
    let mut a = Triplet::empty(rows, cols);
    let count = s.count("the number of blocks")?;
    if count == 0 {
        return Ok(a);
    }
    let (block_rows, block_cols) = (s.count("the number of block rows")?, s.count("the number of block columns")?);
    let row_ends = s.counts(block_rows, "the end of a block row")?;
    let col_ends = s.counts(block_cols, "the end of a block column")?;
    let (pointers, filled) = (s.count("the number of pointers")?, s.count("the number of filled blocks")?);
    let pointer = s.counts(pointers, "a block pointer")?;
    let columns = s.counts(filled, "a block column")?;
    if pointers > block_rows + 1 || filled > count {
        let what = format!("{pointers} pointers and {filled} blocks for {block_rows} block rows and {count} blocks");
        return Err(s.fault(what));
    }
    let span = |ends: &[usize], k: usize| Some((if k == 0 { 0 } else { *ends.get(k - 1)? }, *ends.get(k)?));
    let mut next = 0;
    for block_row in 0..pointers.saturating_sub(1) {
        for block in pointer[block_row]..pointer[block_row + 1] {
            if s.count("the number of a block")? != next || block != next {
                return Err(s.fault(format!("block {next} of {name} expected")));
            }
            next += 1;
            let spans = columns.get(block).and_then(|&c| Some((span(&row_ends, block_row)?, span(&col_ends, c)?)));
            let Some(((top, bottom), (left, right))) = spans else {
                return Err(s.fault(format!("block {block} of {name} lies outside the matrix")));
            };
            for j in left..right {
                for i in top..bottom {
                    let x = s.float(name)?;
                    push(s, &mut a, i, j, x)?;
                }
            }
        }
    }
    Ok(a)
}

/// Sparse, as CSparse prints it: triplets (origin 1), columns (2) or rows (3).
fn sparse(s: &mut Scanner, name: &str) -> Result<Triplet, IoError> {
    let origin = s.count("the origin of a sparse matrix")?;
    // the name and version of CSparse fill a line
    s.skip_line();
    s.skip_line();
    let mut word = s.expect("the shape of a sparse matrix")?;
    let triplets = word == "triplet:";
    if triplets {
        word = s.expect("the shape of a sparse matrix")?;
    }
    let Some((rows, cols)) = word.trim_end_matches(',').split_once("-by-") else {
        return Err(s.fault(format!("the shape of {name}, such as 3-by-3, expected")));
    };
    let (rows, cols) = (s.parse_count(rows, "the rows")?, s.parse_count(cols, "the columns")?);
    s.room_for(rows.max(cols), name)?;
    s.literal("nzmax:")?;
    s.count("nzmax")?;
    s.literal("nnz:")?;
    let entries = s.expect("the number of entries")?.trim_end_matches(',');
    let entries = s.parse_count(entries, "the number of entries")?;
    s.skip_line();
    s.room_for(entries, name)?;
    let mut a = Triplet::empty(rows, cols);
    if triplets {
        for _ in 0..entries {
            let (i, j) = (s.count("a row")?, s.count("a column")?);
            s.literal(":")?;
            let x = s.float(name)?;
            push(s, &mut a, i, j, x)?;
        }
        return Ok(a);
    }
    if !(2..=3).contains(&origin) {
        return Err(
            s.fault(format!("unknown origin {origin} of {name}; 1 (triplets), 2 (columns) or 3 (rows) expected"))
        );
    }
    lines(s, name, &mut a, entries, origin == 3)?;
    Ok(a)
}

/// Compressed lines: `col 0 : locations 0 to 3`, then `row : value` for each location.
fn lines(s: &mut Scanner, name: &str, a: &mut Triplet, entries: usize, by_rows: bool) -> Result<(), IoError> {
    let (rows, cols) = a.shape();
    let mut read = 0;
    for line in 0..if by_rows { rows } else { cols } {
        s.literal("col")?;
        let found = s.count("the number of a column")?;
        s.literal(":")?;
        s.literal("locations")?;
        let first = s.count("the first location")?;
        s.literal("to")?;
        // the last location of an empty first column is -1
        let last = s.expect("the last location")?;
        let end = if last == "-1" { 0 } else { s.parse_count(last, "the last location")? + 1 };
        if found != line || first != read || end < first || end > entries {
            return Err(s.fault(format!("column {line} from location {read} of {name} expected")));
        }
        for _ in first..end {
            let k = s.count("an index")?;
            s.literal(":")?;
            let x = s.float(name)?;
            let (i, j) = if by_rows { (line, k) } else { (k, line) };
            push(s, a, i, j, x)?;
        }
        read = end;
    }
    Ok(())
}

/// The matrix in compressed rows, explicit zeros of full and block storage dropped.
pub(super) fn compressed(a: &Triplet) -> Csr {
    let (rows, cols) = a.shape();
    let mut kept = Triplet::empty(rows, cols);
    a.iter().filter(|e| e.2 != 0.0).for_each(|(i, j, x)| kept.push(i, j, x));
    Csr::from(&kept)
}
