//! A numeric attribute of a group.

/// A named number, or array of numbers, attached to a group.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// Its dimensions; empty for a scalar.
    pub shape: Vec<usize>,
    /// Its values, as many as the shape says.
    pub data: AttributeData,
}

/// The values of an [`Attribute`].
#[derive(Debug, Clone)]
pub enum AttributeData {
    /// 32-bit integers.
    I32(Vec<i32>),
    /// 64-bit integers.
    I64(Vec<i64>),
    /// Floating-point numbers.
    F64(Vec<f64>),
}

impl Attribute {
    /// A 32-bit integer of shape (1), as fclib writes it.
    pub fn int(name: &str, value: i32) -> Self {
        Self { name: name.into(), shape: vec![1], data: AttributeData::I32(vec![value]) }
    }

    /// The first value as an integer, if it is one.
    pub fn as_int(&self) -> Option<i64> {
        match &self.data {
            AttributeData::I32(x) => x.first().map(|&x| x.into()),
            AttributeData::I64(x) => x.first().copied(),
            AttributeData::F64(_) => None,
        }
    }
}

/// Equal bit for bit, so that a NaN equals itself.
impl PartialEq for Attribute {
    fn eq(&self, other: &Self) -> bool {
        let values = match (&self.data, &other.data) {
            (AttributeData::I32(a), AttributeData::I32(b)) => a == b,
            (AttributeData::I64(a), AttributeData::I64(b)) => a == b,
            (AttributeData::F64(a), AttributeData::F64(b)) => crate::bits::same(a, b),
            _ => false,
        };
        values && self.name == other.name && self.shape == other.shape
    }
}
