//! HDF5 objects as bytes: groups, datasets, attributes.
//!
//! The library behind [`crate::hdf5`] writes a file as a whole. Here the data are on the disk already, and only the
//! objects that point at them are made: version 2 object headers with links inside, version 1 trees of chunks. Every
//! HDF5 library since 1.8 reads these.
//!
//! # Reference
//! HDF5 File Format Specification, version 3.0, The HDF Group.

use super::checksum::lookup3;
use super::columns::Number;

/// The address of nothing.
const NOWHERE: u64 = u64::MAX;
/// Children of a node of a tree of chunks: twice the default rank of superblock version 2.
const CHILDREN: usize = 64;

const DATASPACE: u8 = 0x01;
const LINK_INFO: u8 = 0x02;
const DATATYPE: u8 = 0x03;
const FILL: u8 = 0x05;
const LINK: u8 = 0x06;
const LAYOUT: u8 = 0x08;
const GROUP_INFO: u8 = 0x0a;
const ATTRIBUTE: u8 = 0x0c;

/// Objects under construction; `base` is where they will lie in the file.
pub(super) struct Objects {
    base: u64,
    pub bytes: Vec<u8>,
}

/// A named value attached to a group.
pub(super) enum Attribute<'a> {
    Int(&'a str, i64),
    Ints(&'a str, &'a [i64]),
    Float(&'a str, f64),
    Text(&'a str, &'a str),
}

/// A member of a group.
pub(super) enum Link<'a> {
    Hard(&'a str, u64),
    Soft(&'a str, &'a str),
}

/// The type of the elements of a dataset.
#[derive(Clone, Copy)]
pub(super) enum Type {
    Number(Number),
    /// So many bytes of UTF-8.
    Text(u32),
}

impl Type {
    fn encode(self) -> Vec<u8> {
        let mut b = match self {
            Self::Number(Number::F64) => vec![0x11, 0x20, 63, 0],
            Self::Number(Number::I64) => vec![0x10, 0x08, 0, 0],
            Self::Number(Number::U32 | Number::U8) => vec![0x10, 0, 0, 0],
            Self::Text(_) => vec![0x13, 0x11, 0, 0],
        };
        match self {
            Self::Number(n) => {
                let bits = (8 * n.bytes()) as u16;
                b.extend((n.bytes() as u32).to_le_bytes());
                b.extend([0, 0]);
                b.extend(bits.to_le_bytes());
                if n == Number::F64 {
                    // exponent: place, bits; mantissa: place, bits; bias
                    b.extend([52, 11, 0, 52]);
                    b.extend(1023u32.to_le_bytes());
                }
            }
            Self::Text(size) => b.extend(size.to_le_bytes()),
        }
        b
    }

    fn bytes(self) -> u32 {
        match self {
            Self::Number(n) => n.bytes() as u32,
            Self::Text(size) => size,
        }
    }
}

impl Objects {
    pub(super) fn at(base: u64) -> Self {
        Self { base, bytes: Vec::new() }
    }

    fn here(&self) -> u64 {
        self.base + self.bytes.len() as u64
    }

    /// A dataset whose values are put beside it.
    pub(super) fn dataset(&mut self, number: Number, shape: &[u64], values: &[u8]) -> u64 {
        let data = self.here();
        self.bytes.extend(values);
        self.placed(Type::Number(number), shape, data, values.len() as u64)
    }

    /// A dataset whose values lie in one piece somewhere in the file.
    pub(super) fn placed(&mut self, kind: Type, shape: &[u64], data: u64, length: u64) -> u64 {
        let mut layout = vec![3, 1];
        layout.extend((if length == 0 { NOWHERE } else { data }).to_le_bytes());
        layout.extend(length.to_le_bytes());
        self.dataset_header(kind, shape, &layout)
    }

    /// A dataset of rows that lie in chunks, whose addresses are given in order.
    pub(super) fn chunked(&mut self, number: Number, width: usize, chunk_rows: usize, rows: u64, at: &[u64]) -> u64 {
        let size = (chunk_rows * width * number.bytes()) as u32;
        let (shape, chunk) = match width {
            1 => (vec![rows], vec![chunk_rows as u32]),
            _ => (vec![rows, width as u64], vec![chunk_rows as u32, width as u32]),
        };
        let tree = self.tree(size, chunk_rows as u64, chunk.len(), at);
        let mut layout = vec![3, 2, chunk.len() as u8 + 1];
        layout.extend(tree.to_le_bytes());
        for d in chunk.iter().copied().chain([number.bytes() as u32]) {
            layout.extend(d.to_le_bytes());
        }
        self.dataset_header(Type::Number(number), &shape, &layout)
    }

    fn dataset_header(&mut self, kind: Type, shape: &[u64], layout: &[u8]) -> u64 {
        debug_assert!(kind.bytes() > 0);
        let messages =
            [(DATASPACE, dataspace(shape)), (DATATYPE, kind.encode()), (FILL, vec![3, 0x0a]), (LAYOUT, layout.into())];
        self.header(&messages)
    }

    /// A group with its attributes and members.
    pub(super) fn group(&mut self, attributes: &[Attribute<'_>], links: &[Link<'_>]) -> u64 {
        // links are stored in the header itself: no heap, no index; in order, because vtk asks for it
        let mut info = vec![0, 1];
        info.extend((links.len() as u64).to_le_bytes());
        info.extend([0xff; 16]);
        let mut messages = vec![(LINK_INFO, info), (GROUP_INFO, vec![0, 0])];
        messages.extend(attributes.iter().map(|a| (ATTRIBUTE, attribute(a))));
        messages.extend((0..).zip(links).map(|(k, l)| (LINK, link(l, k))));
        self.header(&messages)
    }

    /// An object header.
    fn header(&mut self, messages: &[(u8, Vec<u8>)]) -> u64 {
        let address = self.here();
        let start = self.bytes.len();
        let length: usize = messages.iter().map(|m| 4 + m.1.len()).sum();
        self.bytes.extend(b"OHDR");
        // the length of what follows takes four bytes
        self.bytes.extend([2, 0x02]);
        self.bytes.extend((length as u32).to_le_bytes());
        for (kind, body) in messages {
            self.bytes.push(*kind);
            self.bytes.extend((body.len() as u16).to_le_bytes());
            self.bytes.push(0);
            self.bytes.extend(body);
        }
        self.seal_from(start);
        address
    }

    fn seal_from(&mut self, start: usize) {
        let checksum = lookup3(&self.bytes[start..]);
        self.bytes.extend(checksum.to_le_bytes());
    }

    /// The tree over chunks of a dataset of `rank` dimensions, chunks following each other along the first.
    fn tree(&mut self, size: u32, step: u64, rank: usize, chunks: &[u64]) -> u64 {
        if chunks.is_empty() {
            return NOWHERE;
        }
        let mut level = 0;
        // (first chunk, address) of every child of the level being built
        let mut children: Vec<(u64, u64)> = (0..).zip(chunks.iter().copied()).collect();
        loop {
            let ends: Vec<u64> = children[1..].iter().map(|c| c.0).chain([chunks.len() as u64]).collect();
            let mut parents = Vec::new();
            let nodes = children.len().div_ceil(CHILDREN);
            let node_bytes = 24 + 8 * CHILDREN + (CHILDREN + 1) * (8 + 8 * (rank + 1));
            let first = self.here();
            for (k, (node, ends)) in children.chunks(CHILDREN).zip(ends.chunks(CHILDREN)).enumerate() {
                parents.push((node[0].0, self.here()));
                let start = self.bytes.len();
                let neighbour = |k: usize| if k < nodes { first + (k * node_bytes) as u64 } else { NOWHERE };
                self.bytes.extend(b"TREE");
                self.bytes.extend([1, level]);
                self.bytes.extend((node.len() as u16).to_le_bytes());
                self.bytes.extend(neighbour(k.wrapping_sub(1)).to_le_bytes());
                self.bytes.extend(neighbour(k + 1).to_le_bytes());
                for &(chunk, address) in node {
                    self.key(size, chunk * step, rank);
                    self.bytes.extend(address.to_le_bytes());
                }
                self.key(size, ends.last().map_or(0, |e| e * step), rank);
                self.bytes.resize(start + node_bytes, 0);
            }
            if let [root] = parents[..] {
                return root.1;
            }
            children = parents;
            level += 1;
        }
    }

    fn key(&mut self, size: u32, row: u64, rank: usize) {
        self.bytes.extend(size.to_le_bytes());
        // no filter is skipped, because there is none
        self.bytes.extend([0; 4]);
        self.bytes.extend(row.to_le_bytes());
        self.bytes.extend([0; 8].repeat(rank));
    }
}

/// The first bytes of the file, naming the root group and the end of what belongs to HDF5.
pub(super) fn superblock(root: u64, end: u64) -> [u8; 48] {
    let mut b = Vec::with_capacity(48);
    b.extend(crate::hdf5::SIGNATURE);
    // version 2, addresses and lengths of 8 bytes, consistent
    b.extend([2, 8, 8, 0]);
    for address in [0, NOWHERE, end, root] {
        b.extend(address.to_le_bytes());
    }
    let checksum = lookup3(&b);
    b.extend(checksum.to_le_bytes());
    std::array::from_fn(|i| b[i])
}

fn dataspace(shape: &[u64]) -> Vec<u8> {
    let mut b = vec![2, shape.len() as u8, 0, u8::from(!shape.is_empty())];
    b.extend(shape.iter().flat_map(|d| d.to_le_bytes()));
    b
}

fn attribute(a: &Attribute<'_>) -> Vec<u8> {
    let (name, kind, shape, data) = match *a {
        Attribute::Int(name, x) => (name, Type::Number(Number::I64), vec![], x.to_le_bytes().to_vec()),
        Attribute::Ints(name, x) => {
            (name, Type::Number(Number::I64), vec![x.len() as u64], x.iter().flat_map(|x| x.to_le_bytes()).collect())
        }
        Attribute::Float(name, x) => (name, Type::Number(Number::F64), vec![], x.to_le_bytes().to_vec()),
        Attribute::Text(name, x) => (name, Type::Text(x.len().max(1) as u32), vec![], x.as_bytes().to_vec()),
    };
    let mut kind = kind.encode();
    if let Attribute::Text(..) = a {
        // vtk asks for ASCII
        kind[1] = 0x01;
    }
    let space = dataspace(&shape);
    let mut b = vec![3, 0];
    for length in [name.len() + 1, kind.len(), space.len()] {
        b.extend((length as u16).to_le_bytes());
    }
    b.push(0);
    b.extend(name.as_bytes());
    b.push(0);
    b.extend(kind);
    b.extend(space);
    b.extend(data);
    b
}

fn link(l: &Link<'_>, order: u64) -> Vec<u8> {
    let (name, mut head, value) = match *l {
        Link::Hard(name, address) => (name, vec![1, 0x04], address.to_le_bytes().to_vec()),
        Link::Soft(name, target) => {
            let mut value = (target.len() as u16).to_le_bytes().to_vec();
            value.extend(target.as_bytes());
            (name, vec![1, 0x0c, 1], value)
        }
    };
    head.extend(order.to_le_bytes());
    head.push(name.len() as u8);
    head.extend(name.as_bytes());
    head.extend(value);
    head
}
