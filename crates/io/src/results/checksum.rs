//! The checksum of HDF5 metadata.

/// Bob Jenkins' lookup3 hash of the bytes, started from zero.
///
/// # Reference
/// B. Jenkins, `lookup3.c`, 2006, public domain; HDF5 File Format Specification 3.0, section "Checksums".
pub(super) fn lookup3(bytes: &[u8]) -> u32 {
    let start = 0xdead_beef_u32.wrapping_add(bytes.len() as u32);
    let [mut a, mut b, mut c] = [start; 3];
    let word =
        |chunk: &[u8], at: usize| u32::from_le_bytes(std::array::from_fn(|i| chunk.get(at + i).copied().unwrap_or(0)));
    let blocks = bytes.len().div_ceil(12);
    for (k, chunk) in bytes.chunks(12).enumerate() {
        a = a.wrapping_add(word(chunk, 0));
        b = b.wrapping_add(word(chunk, 4));
        c = c.wrapping_add(word(chunk, 8));
        // the last block gets the other mixing
        if k + 1 < blocks {
            [a, b, c] = mix(a, b, c);
        } else {
            c = finish(a, b, c);
        }
    }
    c
}

fn mix(mut a: u32, mut b: u32, mut c: u32) -> [u32; 3] {
    for turn in [4, 6, 8, 16, 19, 4] {
        a = a.wrapping_sub(c) ^ c.rotate_left(turn);
        c = c.wrapping_add(b);
        // the three exchange their roles each time, and have them back after six
        [a, b, c] = [b, c, a];
    }
    [a, b, c]
}

fn finish(mut a: u32, mut b: u32, mut c: u32) -> u32 {
    c = (c ^ b).wrapping_sub(b.rotate_left(14));
    a = (a ^ c).wrapping_sub(c.rotate_left(11));
    b = (b ^ a).wrapping_sub(a.rotate_left(25));
    c = (c ^ b).wrapping_sub(b.rotate_left(16));
    a = (a ^ c).wrapping_sub(c.rotate_left(4));
    b = (b ^ a).wrapping_sub(a.rotate_left(14));
    (c ^ b).wrapping_sub(b.rotate_left(24))
}

#[cfg(test)]
mod tests {
    #[test]
    fn published_values() {
        assert_eq!(super::lookup3(b""), 0xdead_beef);
        assert_eq!(super::lookup3(b"Four score and seven years ago"), 0x1777_0551);
    }
}
