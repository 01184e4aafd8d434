//! Reading datasets by name.

use std::path::{Path, PathBuf};

use rust_hdf5::{DatatypeMessage, H5Dataset, H5File, H5FileOptions, LinkClass, ReadNumeric, StorageLayout};

use super::{Attribute, DAMAGED, Text, group_attributes, guarded};
use crate::error::IoError;

/// An HDF5 file open for reading.
pub(crate) struct Reader {
    file: H5File,
    path: PathBuf,
    bytes: u64,
}

impl Reader {
    /// Opens a file.
    pub(crate) fn open(path: &Path) -> Result<Self, IoError> {
        let bytes = std::fs::metadata(path).map_err(|e| IoError::system(path, "open", e))?.len();
        let file = guarded(|| H5FileOptions::new().best_effort_locking().open(path))
            .map_err(|e| IoError::content("file", format!("cannot be opened as HDF5: {e}"), DAMAGED).at(path))?;
        Ok(Self { file, path: path.to_owned(), bytes })
    }

    /// Whether the group exists; a name in its place that leads to no group is an error.
    pub(crate) fn has_group(&self, group: &str) -> Result<bool, IoError> {
        if !self.is_link(group) {
            return Ok(false);
        }
        guarded(|| self.file.root_group().group(group).map(|_| true)).map_err(|e| self.damaged(group, &e))
    }

    /// Whether the dataset exists.
    pub(crate) fn has_dataset(&self, dataset: &str) -> bool {
        self.is_link(dataset)
    }

    /// The names in a group, sorted.
    pub(crate) fn names(&self, group: &str) -> Vec<String> {
        guarded(|| self.file.root_group().group(group)?.link_names()).unwrap_or_default()
    }

    /// The names in the root group, sorted.
    pub(crate) fn root_names(&self) -> Vec<String> {
        guarded(|| self.file.root_group().link_names()).unwrap_or_default()
    }

    /// All integers of a dataset.
    pub(crate) fn ints(&self, dataset: &str) -> Result<Vec<i32>, IoError> {
        self.numbers(dataset, "32-bit integers")
    }

    /// All floating-point numbers of a dataset.
    pub(crate) fn floats(&self, dataset: &str) -> Result<Vec<f64>, IoError> {
        self.numbers(dataset, "floating-point numbers")
    }

    /// The one integer of a dataset of shape (1).
    pub(crate) fn int(&self, dataset: &str) -> Result<i32, IoError> {
        let found = self.ints(dataset)?;
        match found[..] {
            [x] => Ok(x),
            _ => Err(IoError::size(dataset, found.len(), 1, "a single number").at(&self.path)),
        }
    }

    /// The one floating-point number of a dataset of shape (1).
    pub(crate) fn float(&self, dataset: &str) -> Result<f64, IoError> {
        let found = self.floats(dataset)?;
        match found[..] {
            [x] => Ok(x),
            _ => Err(IoError::size(dataset, found.len(), 1, "a single number").at(&self.path)),
        }
    }

    /// A fixed-length string, up to its first NUL.
    pub(crate) fn text(&self, dataset: &str) -> Result<Text, IoError> {
        let d = self.dataset(dataset)?;
        let fixed = guarded(|| d.datatype()).map(|t| matches!(t, DatatypeMessage::FixedString { .. }));
        let mut bytes = if fixed == Ok(true) {
            guarded(|| d.read_raw_bytes()).map_err(|e| self.damaged(dataset, &e))?
        } else {
            // a foreign writer may have used strings of variable length
            let texts = guarded(|| d.read_strings_lossy()).map_err(|e| self.damaged(dataset, &e))?;
            texts.into_iter().next().unwrap_or_default().into_bytes()
        };
        let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
        bytes.truncate(end);
        Ok(Text(bytes))
    }

    /// The numeric attributes of a group, and the names of those that are not plain numbers.
    pub(crate) fn attributes(&self, group: &str) -> Result<(Vec<Attribute>, Vec<String>), IoError> {
        let names = guarded(|| self.file.root_group().group(group)?.attr_names())
            .map_err(|e| self.damaged(&format!("attributes of {group}"), &e))?;
        if names.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        let found = guarded(|| Ok(group_attributes::read(&self.path, group))).ok().flatten().unwrap_or_default();
        let (mut kept, mut lost) = (Vec::new(), Vec::new());
        for name in names {
            match found.iter().find(|a| a.name == name) {
                Some(a) => kept.push(a.clone()),
                None => lost.push(name),
            }
        }
        Ok((kept, lost))
    }

    fn numbers<T: ReadNumeric>(&self, dataset: &str, kind: &str) -> Result<Vec<T>, IoError> {
        let d = self.dataset(dataset)?;
        guarded(|| d.read_numeric_as::<T>())
            .map_err(|e| self.damaged(dataset, &format!("{kind} were expected here, but {e}")))
    }

    /// Opens a dataset whose size is believable.
    fn dataset(&self, dataset: &str) -> Result<H5Dataset, IoError> {
        if !self.is_link(dataset) {
            return Err(IoError::content(dataset, "not found in this file", DAMAGED).at(&self.path));
        }
        let d = guarded(|| self.file.dataset(dataset)).map_err(|e| self.damaged(dataset, &e))?;
        self.check_storage(dataset, &d)?;
        Ok(d)
    }

    /// Whether every link on the way stays in this file.
    fn is_link(&self, path: &str) -> bool {
        let mut group = String::new();
        path.split('/').all(|name| {
            let class = guarded(|| {
                let root = self.file.root_group();
                if group.is_empty() { root.link_class(name) } else { root.group(&group)?.link_class(name) }
            });
            if !group.is_empty() {
                group.push('/');
            }
            group.push_str(name);
            matches!(class, Ok(LinkClass::Hard | LinkClass::Soft { .. }))
        })
    }

    /// Refuses data outside this file and sizes that the file cannot hold, before any memory is taken for them.
    fn check_storage(&self, dataset: &str, d: &H5Dataset) -> Result<(), IoError> {
        let layout = guarded(|| d.storage_layout()).map_err(|e| self.damaged(dataset, &e))?;
        let external = guarded(|| d.external_files()).map_err(|e| self.damaged(dataset, &e))?;
        if layout == StorageLayout::Virtual || !external.is_empty() {
            let remedy = "copy the data into the file, for example with h5repack";
            return Err(IoError::content(dataset, "its data lie in another file", remedy).at(&self.path));
        }
        // compressed data may grow, but not without bound
        let limit = match layout {
            StorageLayout::Contiguous => self.bytes,
            _ => self.bytes.saturating_mul(64).saturating_add(1 << 20),
        };
        let element = d.element_size() as u64;
        let shapes = [Some(d.shape()), guarded(|| Ok(d.chunk_dims())).ok().flatten()];
        for shape in shapes.into_iter().flatten() {
            let size = shape.iter().try_fold(element, |n, &d| n.checked_mul(d as u64));
            if size.is_none_or(|n| n > limit) {
                let what = format!("claims {shape:?} entries of {element} bytes, more than this file can hold");
                return Err(IoError::content(dataset, what, DAMAGED).at(&self.path));
            }
        }
        Ok(())
    }

    fn damaged(&self, place: &str, what: &str) -> IoError {
        IoError::content(place, what, DAMAGED).at(&self.path)
    }
}
