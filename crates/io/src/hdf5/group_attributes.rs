//! The numeric attributes of a group.
//!
//! The library reads numeric attributes of datasets, but of groups only text. So this follows the links from the root
//! to the group itself, and hands each attribute message to the library's decoder. What it does not understand (newer
//! group indices, other address sizes) it leaves out; the caller tells the user.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use rust_hdf5::DatatypeMessage;
use rust_hdf5::format::FormatContext;
use rust_hdf5::format::messages::attribute::AttributeMessage;
use rust_hdf5::format::messages::link::{LinkMessage, LinkTarget};

use super::{Attribute, AttributeData};

/// No object header, heap or node that concerns us is larger.
const WINDOW: usize = 1 << 16;
/// More blocks than any of our groups has; a loop in a damaged file ends here.
const BLOCKS: usize = 64;

const LINK: u16 = 0x06;
const ATTRIBUTE: u16 = 0x0c;
const CONTINUATION: u16 = 0x10;
const SYMBOL_TABLE: u16 = 0x11;

/// The attributes of `group` that are plain numbers, or `None` when the group cannot be reached.
pub(super) fn read(path: &Path, group: &str) -> Option<Vec<Attribute>> {
    let mut file = File::open(path).ok()?;
    let mut address = root(&mut file)?;
    for name in group.split('/') {
        address = child(&mut file, address, name)?;
    }
    let messages = messages(&mut file, address)?;
    Some(messages.iter().filter(|m| m.0 == ATTRIBUTE).filter_map(|m| attribute(&m.1)).collect())
}

fn context() -> FormatContext {
    FormatContext { sizeof_addr: 8, sizeof_size: 8 }
}

/// Up to `length` bytes from `address` on, fewer at the end of the file.
fn window(file: &mut File, address: u64, length: usize) -> Option<Vec<u8>> {
    file.seek(SeekFrom::Start(address)).ok()?;
    let mut bytes = Vec::new();
    file.take(length.min(WINDOW) as u64).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

fn uint(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let mut word = [0; 8];
    word[..length].copy_from_slice(bytes.get(at..at.checked_add(length)?)?);
    Some(u64::from_le_bytes(word))
}

/// The object header of the root group, for files without a user block and with 8-byte addresses.
fn root(file: &mut File) -> Option<u64> {
    let b = window(file, 0, 96)?;
    match *b.get(8)? {
        version @ (0 | 1) if b.get(13..15) == Some(&[8, 8]) => {
            // four addresses follow the header, then the entry of the root: name offset, header address
            let start = if version == 0 { 24 } else { 28 };
            uint(&b, start + 4 * 8 + 8, 8)
        }
        2 | 3 if b.get(9..11) == Some(&[8, 8]) => uint(&b, 12 + 3 * 8, 8),
        _ => None,
    }
}

/// The header messages (type, body) of the object at `address`, through all its continuation blocks.
fn messages(file: &mut File, address: u64) -> Option<Vec<(u16, Vec<u8>)>> {
    let head = window(file, address, WINDOW)?;
    let (version_2, envelope, start, length) = match head.get(..4)? {
        b"OHDR" => {
            let flags = *head.get(5)?;
            let times = if flags & 0x20 != 0 { 16 } else { 0 };
            let limits = if flags & 0x10 != 0 { 4 } else { 0 };
            let width = 1 << (flags & 3);
            let at = 6 + times + limits;
            let envelope = if flags & 0x04 != 0 { 6 } else { 4 };
            (true, envelope, at + width, uint(&head, at, width)? as usize)
        }
        [1, ..] => (false, 8, 16, uint(&head, 8, 4)? as usize),
        _ => return None,
    };
    let mut found = Vec::new();
    let mut pending = vec![head.get(start..start.checked_add(length)?.min(head.len()))?.to_vec()];
    for _ in 0..BLOCKS {
        let Some(block) = pending.pop() else { break };
        for (kind, body) in split(&block, version_2, envelope) {
            if kind == CONTINUATION {
                let (at, length) = (uint(&body, 0, 8)?, uint(&body, 8, 8)? as usize);
                let next = window(file, at, length)?;
                // version 2 blocks carry a signature and a checksum
                pending.push(if version_2 { next.get(4..next.len().checked_sub(4)?)?.to_vec() } else { next });
            } else {
                found.push((kind, body));
            }
        }
    }
    Some(found)
}

/// The messages of one block.
fn split(block: &[u8], version_2: bool, envelope: usize) -> Vec<(u16, Vec<u8>)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at + envelope <= block.len() {
        let (kind, length) = if version_2 {
            (u16::from(block[at]), u16::from_le_bytes([block[at + 1], block[at + 2]]))
        } else {
            (u16::from_le_bytes([block[at], block[at + 1]]), u16::from_le_bytes([block[at + 2], block[at + 3]]))
        };
        at += envelope;
        let Some(body) = block.get(at..at + usize::from(length)) else { break };
        found.push((kind, body.to_vec()));
        at += body.len();
        if !version_2 {
            at = at.next_multiple_of(8);
        }
    }
    found
}

/// The object header of the child `name` of the group at `address`.
fn child(file: &mut File, address: u64, name: &str) -> Option<u64> {
    for (kind, body) in messages(file, address)? {
        if kind == LINK {
            let (link, _) = LinkMessage::decode(&body, &context()).ok()?;
            if let (true, LinkTarget::Hard { address }) = (link.name == name, link.target) {
                return Some(address);
            }
        } else if kind == SYMBOL_TABLE {
            let (tree, heap) = (uint(&body, 0, 8)?, uint(&body, 8, 8)?);
            return in_symbol_table(file, tree, heap, name);
        }
    }
    None
}

/// Looks `name` up in a group's B-tree of symbol nodes, whose names lie in a heap.
fn in_symbol_table(file: &mut File, tree: u64, heap: u64, name: &str) -> Option<u64> {
    let header = window(file, heap, 32)?;
    let names = window(file, uint(&header, 24, 8)?, uint(&header, 8, 8)? as usize)?;
    let mut pending = vec![tree];
    for _ in 0..BLOCKS {
        let node = window(file, pending.pop()?, WINDOW)?;
        let used = uint(&node, 6, 2)? as usize;
        match node.get(..4)? {
            b"TREE" => {
                // header 24, then key, child, key, child, ..., key of 8 bytes each
                for k in 0..used {
                    pending.push(uint(&node, 24 + 16 * k + 8, 8)?);
                }
            }
            b"SNOD" => {
                for k in 0..used {
                    let entry = 8 + 40 * k;
                    let text = names.get(uint(&node, entry, 8)? as usize..)?;
                    let end = text.iter().position(|&b| b == 0)?;
                    if &text[..end] == name.as_bytes() {
                        return uint(&node, entry + 8, 8);
                    }
                }
            }
            _ => return None,
        }
    }
    None
}

/// An attribute message, if it holds plain little-endian numbers.
fn attribute(body: &[u8]) -> Option<Attribute> {
    let (message, _) = AttributeMessage::decode(body, &context()).ok()?;
    let shape: Vec<usize> = message.dataspace.dims.iter().map(|&d| d as usize).collect();
    let count = shape.iter().try_fold(1usize, |n, &d| n.checked_mul(d))?;
    let words = |size: usize| {
        let exact = count.checked_mul(size) == Some(message.data.len()) && !message.dataspace.is_null();
        exact.then(|| message.data.chunks_exact(size))
    };
    let data = if message.datatype == DatatypeMessage::i32_type() {
        AttributeData::I32(words(4)?.map(|w| i32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect())
    } else if message.datatype == DatatypeMessage::i64_type() {
        AttributeData::I64(words(8)?.filter_map(|w| Some(i64::from_le_bytes(w.try_into().ok()?))).collect())
    } else if message.datatype == DatatypeMessage::f64_type() {
        AttributeData::F64(words(8)?.filter_map(|w| Some(f64::from_le_bytes(w.try_into().ok()?))).collect())
    } else {
        return None;
    };
    Some(Attribute { name: message.name, shape, data })
}
