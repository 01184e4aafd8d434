//! Writing datasets by name: contiguous, little-endian, without filters, in the oldest file format.

use std::path::{Path, PathBuf};

use rust_hdf5::{DatatypeMessage, H5File, H5FileOptions, H5Type, LibverBound};

use super::{Attribute, AttributeData, Text, guarded};
use crate::error::IoError;

/// An HDF5 file being written. Nothing counts until [`finish`](Writer::finish).
pub(crate) struct Writer {
    file: H5File,
    path: PathBuf,
}

impl Writer {
    /// Creates the file.
    pub(crate) fn create(path: &Path) -> Result<Self, IoError> {
        let file = guarded(|| H5FileOptions::new().best_effort_locking().libver(LibverBound::Earliest).create(path))
            .map_err(|e| fault(path, "create", e))?;
        Ok(Self { file, path: path.to_owned() })
    }

    /// Creates a group; its parent exists.
    pub(crate) fn group(&self, path: &str) -> Result<(), IoError> {
        self.guarded(|| {
            let root = self.file.root_group();
            match path.rsplit_once('/') {
                Some((parent, name)) => root.group(parent)?.create_group(name),
                None => root.create_group(path),
            }
            .map(drop)
        })
    }

    /// Integers of shape (n).
    pub(crate) fn ints(&self, dataset: &str, x: &[i32]) -> Result<(), IoError> {
        self.numbers(dataset, x)
    }

    /// Floating-point numbers of shape (n).
    pub(crate) fn floats(&self, dataset: &str, x: &[f64]) -> Result<(), IoError> {
        self.numbers(dataset, x)
    }

    /// A scalar string of fixed length, terminated by NUL.
    pub(crate) fn text(&self, dataset: &str, text: &Text) -> Result<(), IoError> {
        if text.0.contains(&0) {
            let remedy = "a stored text ends at its first NUL; remove it".into();
            return Err(IoError::Unstorable { what: format!("the text of {dataset}"), remedy });
        }
        let mut bytes = text.0.clone();
        bytes.push(0);
        let charset = u8::from(!bytes.is_ascii() && std::str::from_utf8(&bytes).is_ok());
        let datatype = DatatypeMessage::FixedString { size: bytes.len() as u32, padding: 0, charset };
        self.guarded(|| {
            let (group, name) = self.place(dataset)?;
            group.new_dataset::<u8>().datatype(datatype).scalar().create(name)?.write_raw_bytes(&bytes)
        })
    }

    /// A numeric attribute of a group.
    pub(crate) fn attribute(&self, group: &str, a: &Attribute) -> Result<(), IoError> {
        self.guarded(|| {
            let group = self.file.root_group().group(group)?;
            match &a.data {
                AttributeData::I32(x) => group.set_attr_array_numeric_nd(&a.name, x, &a.shape),
                AttributeData::I64(x) => group.set_attr_array_numeric_nd(&a.name, x, &a.shape),
                AttributeData::F64(x) => group.set_attr_array_numeric_nd(&a.name, x, &a.shape),
            }
        })
    }

    /// Writes what is still in memory and closes the file.
    pub(crate) fn finish(self) -> Result<(), IoError> {
        let Self { file, path } = self;
        guarded(|| file.close()).map_err(|e| fault(&path, "write", e))
    }

    fn numbers<T: H5Type>(&self, dataset: &str, x: &[T]) -> Result<(), IoError> {
        self.guarded(|| {
            let (group, name) = self.place(dataset)?;
            let d = group.new_dataset::<T>().shape([x.len()]).create(name)?;
            if x.is_empty() { Ok(()) } else { d.write_raw(x) }
        })
    }

    fn place<'a>(&self, dataset: &'a str) -> rust_hdf5::Result<(rust_hdf5::H5Group, &'a str)> {
        let root = self.file.root_group();
        match dataset.rsplit_once('/') {
            Some((parent, name)) => Ok((root.group(parent)?, name)),
            None => Ok((root, dataset)),
        }
    }

    fn guarded<T>(&self, call: impl FnOnce() -> rust_hdf5::Result<T>) -> Result<T, IoError> {
        guarded(call).map_err(|e| fault(&self.path, "write", e))
    }
}

fn fault(path: &Path, doing: &'static str, error: String) -> IoError {
    IoError::system(path, doing, std::io::Error::other(error))
}
