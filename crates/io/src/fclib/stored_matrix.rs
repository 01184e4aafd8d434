//! A sparse matrix as FCLIB stores it, after CSparse.

use stickslip_contact::matrix::{Csc, Csr, Triplet};

use crate::error::IoError;
use crate::hdf5::{Attribute, Text};

/// The three ways to store a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// `nz >= 0`: `i` rows, `p` columns, `x` values; repeated entries add up.
    Triplet,
    /// `nz = -1`: compressed columns.
    Csc,
    /// `nz = -2`: compressed rows.
    Csr,
}

/// What the author says of a matrix. Everything is optional.
#[derive(Debug, Clone, Default)]
pub struct MatrixInfo {
    /// A remark.
    pub comment: Option<Text>,
    /// Condition number.
    pub conditioning: Option<f64>,
    /// Determinant.
    pub determinant: Option<f64>,
    /// Rank.
    pub rank: Option<i32>,
    /// Numbers attached to the group.
    pub attributes: Vec<Attribute>,
}

/// A matrix as stored. Equality is bit for bit.
#[derive(Debug, Clone)]
pub struct StoredMatrix {
    /// Rows.
    pub m: i32,
    /// Columns.
    pub n: i32,
    /// Room for entries; may exceed their number.
    pub nzmax: i32,
    /// Storage code: the number of triplets, or -1 for compressed columns, or -2 for compressed rows.
    pub nz: i32,
    /// Column of each triplet, or pointers.
    pub p: Vec<i32>,
    /// Row of each triplet, or row (column) of each entry.
    pub i: Vec<i32>,
    /// Values.
    pub x: Vec<f64>,
    /// The author's words.
    pub info: MatrixInfo,
}

impl StoredMatrix {
    /// The storage that the code `nz` stands for.
    pub fn storage(&self) -> Option<Storage> {
        match self.nz {
            0.. => Some(Storage::Triplet),
            -1 => Some(Storage::Csc),
            -2 => Some(Storage::Csr),
            _ => None,
        }
    }

    /// Stores a matrix.
    ///
    /// # Errors
    /// When it has more rows, columns or entries than 32-bit integers can count.
    pub fn from_csr(a: &Csr, storage: Storage) -> Result<Self, IoError> {
        let limit = i32::MAX as usize;
        if a.rows() > limit || a.cols() > limit || a.nnz() > limit {
            let what = format!("a matrix of {} x {} with {} entries", a.rows(), a.cols(), a.nnz());
            return Err(IoError::Unstorable { what, remedy: "FCLIB counts with 32-bit integers".into() });
        }
        let ints = |x: &[u32]| x.iter().map(|&k| k as i32).collect::<Vec<_>>();
        let pointers = |x: &[usize]| x.iter().map(|&k| k as i32).collect::<Vec<_>>();
        let (nz, p, i, x) = match storage {
            Storage::Csr => (-2, pointers(a.pointers()), ints(a.columns()), a.values().to_vec()),
            Storage::Csc => {
                let c = Csc::from(a);
                (-1, pointers(c.pointers()), ints(c.row_indices()), c.values().to_vec())
            }
            Storage::Triplet => {
                let rows = (0..a.rows()).flat_map(|i| std::iter::repeat_n(i as i32, a.row(i).count())).collect();
                (a.nnz() as i32, ints(a.columns()), rows, a.values().to_vec())
            }
        };
        let info = MatrixInfo::default();
        Ok(Self { m: a.rows() as i32, n: a.cols() as i32, nzmax: a.nnz() as i32, nz, p, i, x, info })
    }

    /// The matrix, when it has the given shape. `place` names it in errors; notes say what is unusual.
    pub(crate) fn to_csr(
        &self,
        place: &str,
        rows: usize,
        cols: usize,
        notes: &mut Vec<String>,
    ) -> Result<Csr, IoError> {
        // a shape that the vectors confirm is bounded by the size of the file
        if usize::try_from(self.m) != Ok(rows) || usize::try_from(self.n) != Ok(cols) {
            let what = format!("m x n = {} x {} found, {rows} x {cols} expected from the vectors", self.m, self.n);
            return Err(IoError::content(format!("{place}/m"), what, "check which of them is wrong"));
        }
        let Some(storage) = self.storage() else {
            let what = format!("unknown storage code {}", self.nz);
            let remedy = "use -2 (compressed rows), -1 (compressed columns) or the number of triplets";
            return Err(IoError::content(format!("{place}/nz"), what, remedy));
        };
        let entries = self.entries(place, storage, rows, cols)?;
        if usize::try_from(self.nzmax).is_ok_and(|room| room > entries) {
            notes.push(format!(
                "{place} has room for {} entries and holds {entries}; spare room is harmless",
                self.nzmax
            ));
        }
        let a = match storage {
            Storage::Triplet => {
                let i = indices(&self.i[..entries], place, "i")?;
                let j = indices(&self.p[..entries], place, "p")?;
                Triplet::new(rows, cols, i, j, self.x[..entries].to_vec()).map(|t| Csr::from(&t))
            }
            Storage::Csc => {
                let i = indices(&self.i[..entries], place, "i")?;
                Csc::new(rows, cols, pointers(&self.p, place)?, i, self.x[..entries].to_vec()).map(|c| Csr::from(&c))
            }
            Storage::Csr => {
                let j = indices(&self.i[..entries], place, "i")?;
                Csr::new(rows, cols, pointers(&self.p, place)?, j, self.x[..entries].to_vec())
            }
        }
        .map_err(|e| IoError::matrix(place, e))?;
        if a.nnz() < entries {
            notes.push(format!(
                "{} entries of {place} are stored more than once; they were added up",
                entries - a.nnz()
            ));
        }
        Ok(a)
    }

    /// The number of entries, after checking the lengths of the arrays.
    fn entries(&self, place: &str, storage: Storage, rows: usize, cols: usize) -> Result<usize, IoError> {
        let entries = match storage {
            Storage::Triplet => self.nz as usize,
            Storage::Csc | Storage::Csr => {
                let lines = if storage == Storage::Csc { cols } else { rows };
                if self.p.len() != lines + 1 {
                    return Err(IoError::size(format!("{place}/p"), self.p.len(), lines + 1, "one pointer a line"));
                }
                usize::try_from(self.p[lines]).map_err(|_| negative(place, "p", self.p[lines]))?
            }
        };
        let triplet_columns = (storage == Storage::Triplet).then_some(("p", self.p.len()));
        for (name, found) in [("i", self.i.len()), ("x", self.x.len())].into_iter().chain(triplet_columns) {
            if found < entries {
                return Err(IoError::size(format!("{place}/{name}"), found, entries, "one for every entry"));
            }
        }
        Ok(entries)
    }
}

fn negative(place: &str, name: &str, value: i32) -> IoError {
    IoError::content(format!("{place}/{name}"), format!("holds the negative index {value}"), "write the file again")
}

fn indices(x: &[i32], place: &str, name: &str) -> Result<Vec<u32>, IoError> {
    x.iter().map(|&k| u32::try_from(k).map_err(|_| negative(place, name, k))).collect()
}

fn pointers(x: &[i32], place: &str) -> Result<Vec<usize>, IoError> {
    x.iter().map(|&k| usize::try_from(k).map_err(|_| negative(place, "p", k))).collect()
}

impl PartialEq for StoredMatrix {
    fn eq(&self, other: &Self) -> bool {
        (self.m, self.n, self.nzmax, self.nz) == (other.m, other.n, other.nzmax, other.nz)
            && self.p == other.p
            && self.i == other.i
            && crate::bits::same(&self.x, &other.x)
            && self.info == other.info
    }
}

impl PartialEq for MatrixInfo {
    fn eq(&self, other: &Self) -> bool {
        let bits = |x: Option<f64>| x.map(f64::to_bits);
        self.comment == other.comment
            && bits(self.conditioning) == bits(other.conditioning)
            && bits(self.determinant) == bits(other.determinant)
            && self.rank == other.rank
            && self.attributes == other.attributes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Csr {
        let t = Triplet::new(3, 4, vec![0, 2, 1, 2], vec![1, 0, 2, 3], vec![1.5, 2.0, 0.0, -1.0]).unwrap();
        Csr::from(&t)
    }

    #[test]
    fn every_storage_gives_the_matrix_back() {
        for storage in [Storage::Triplet, Storage::Csc, Storage::Csr] {
            let s = StoredMatrix::from_csr(&sample(), storage).unwrap();
            assert_eq!(s.storage(), Some(storage));
            assert_eq!(s.to_csr("A", 3, 4, &mut Vec::new()).unwrap(), sample());
        }
    }

    #[test]
    fn repeated_triplets_and_spare_room_are_told() {
        let mut s = StoredMatrix::from_csr(&sample(), Storage::Triplet).unwrap();
        s.nzmax = 9;
        s.nz = 5;
        s.i.push(0);
        s.p.push(1);
        s.x.push(1.0);
        let mut notes = Vec::new();
        assert_eq!(s.to_csr("A", 3, 4, &mut notes).unwrap().get(0, 1), 2.5);
        assert_eq!(notes.len(), 2);
    }

    #[test]
    fn absurd_sizes_are_refused_by_name() {
        let good = StoredMatrix::from_csr(&sample(), Storage::Csr).unwrap();
        let break_it = |f: &dyn Fn(&mut StoredMatrix)| {
            let mut s = good.clone();
            f(&mut s);
            s.to_csr("A", 3, 4, &mut Vec::new()).unwrap_err().to_string()
        };
        assert!(break_it(&|s| s.m = -3).starts_with("A/m: m x n = -3 x 4 found, 3 x 4 expected"));
        assert!(break_it(&|s| s.nz = -7).starts_with("A/nz: unknown storage code -7"));
        assert!(break_it(&|s| s.p[3] = i32::MAX).starts_with("A/i: 4 entries found, 2147483647 expected"));
        assert!(break_it(&|s| s.p[1] = -1).contains("negative index -1"));
        assert!(break_it(&|s| s.i[0] = 4).contains("column index 4 is outside 0..4"));
        assert!(break_it(&|s| s.p.truncate(3)).starts_with("A/p: 3 entries found, 4 expected"));
        assert!(break_it(&|s| s.nz = 2_000_000_000).starts_with("A/i: 4 entries found, 2000000000 expected"));
    }
}
