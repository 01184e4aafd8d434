//! Classes of problems: by name, by a table the user gives, and by size.

use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::Path;

/// The classes of size by number of contacts, each up to and including its bound.
pub const SIZES: [(&str, usize); 4] =
    [("1–10 contacts", 10), ("11–100 contacts", 100), ("101–1000 contacts", 1000), ("over 1000 contacts", usize::MAX)];

/// The class of size of a problem.
pub fn size_class(contacts: usize) -> &'static str {
    SIZES.iter().find(|(_, bound)| contacts <= *bound).map_or(SIZES[3].0, |(name, _)| name)
}

/// Problem classes read from a CSV with the columns `file` and `class`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Classes {
    given: BTreeMap<String, String>,
}

impl Classes {
    /// Reads the table; `file` may be a path, of which the stem counts.
    pub fn read(path: &Path) -> Result<Self> {
        let place = || format!("the classes in {}", path.display());
        let mut reader = csv::Reader::from_path(path).with_context(place)?;
        let headers = reader.headers().with_context(place)?.clone();
        let column = |name: &str| headers.iter().position(|h| h.trim() == name);
        let (Some(file), Some(class)) = (column("file"), column("class")) else {
            bail!("{}: the first line must name the columns 'file' and 'class'", path.display())
        };
        let mut given = BTreeMap::new();
        for row in reader.records() {
            let row = row.with_context(place)?;
            if let (Some(f), Some(c)) = (row.get(file), row.get(class)) {
                given.insert(stem(Path::new(f)), c.trim().to_string());
            }
        }
        Ok(Self { given })
    }

    /// The class of a file: as given, or its name up to the first digit or dash, or its folder.
    pub fn of(&self, path: &Path) -> String {
        let name = stem(path);
        if let Some(class) = self.given.get(&name) {
            return class.clone();
        }
        let end = name.find(|c: char| c.is_ascii_digit() || c == '-').unwrap_or(name.len());
        let prefix = name[..end].trim_end_matches('_');
        if !prefix.is_empty() {
            return prefix.to_string();
        }
        let folder = path.parent().and_then(Path::file_name).map(|f| f.to_string_lossy().into_owned());
        folder.unwrap_or_else(|| "unnamed".into())
    }
}

/// The name of a file without folder and ending.
pub fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| path.display().to_string(), |s| s.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_up_to_the_first_digit_or_dash() {
        let classes = Classes::default();
        for (path, class) in [
            ("a/Capsules-i100-1090.hdf5", "Capsules"),
            ("Rover4622.hdf5", "Rover"),
            ("fc2d_granularflowonwall_00667.hdf5", "fc"),
            ("rockfall_14_25792.hdf5", "rockfall"),
            ("walls/17.hdf5", "walls"),
            ("KaplasTower.hdf5", "KaplasTower"),
        ] {
            assert_eq!(classes.of(Path::new(path)), class, "{path}");
        }
    }

    #[test]
    fn a_table_overrides_names() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("classes.csv");
        std::fs::write(&path, "file,contacts,class\nx/a1.hdf5,3,\"walls, tall\"\n").unwrap();
        let classes = Classes::read(&path).unwrap();
        assert_eq!(classes.of(Path::new("y/a1.dat")), "walls, tall");
        assert_eq!(classes.of(Path::new("b1.dat")), "b");
        std::fs::write(&path, "name,kind\na,b\n").unwrap();
        assert!(format!("{:#}", Classes::read(&path).unwrap_err()).contains("'file' and 'class'"));
    }

    #[test]
    fn sizes_meet_at_their_bounds() {
        let names: Vec<&str> = [1, 10, 11, 100, 101, 1000, 1001].map(size_class).to_vec();
        assert_eq!(names[0], names[1]);
        assert_eq!(names[2], names[3]);
        assert_eq!(names[4], names[5]);
        assert_eq!(names[6], "over 1000 contacts");
    }
}
