//! Names as people write them, and the nearest valid one.

/// What Siconos puts before the names of its solvers, bare.
const SICONOS: [&str; 6] = [
    "siconosfriction3d",
    "siconosfriction2d",
    "siconosrollingfriction3d",
    "siconosglobalrollingfriction3d",
    "siconosglobalfriction3d",
    "siconoslcp",
];

/// A name without what does not tell names apart: case, hyphens, underscores, blanks, the prefixes of Siconos.
pub fn bare(name: &str) -> String {
    let bare: String = name.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect();
    match SICONOS.iter().find_map(|prefix| bare.strip_prefix(prefix)) {
        Some(rest) if !rest.is_empty() => rest.into(),
        _ => bare,
    }
}

/// The word nearest to a misspelt one; empty when there are none.
///
/// Nearest is the fewest letters changed, left out, put in or swapped, of bare names. What begins with the word counts
/// as one letter off, and what holds it, or begins it, as two.
pub fn nearest<'a>(word: &str, all: impl Iterator<Item = &'a str>) -> &'a str {
    all.min_by_key(|name| rank(word, name)).unwrap_or("")
}

/// How far a name is from a word, and whether it begins otherwise; then by letters alone.
pub type Rank = (usize, bool, usize);

/// How far a name is from a word.
pub fn rank(word: &str, name: &str) -> Rank {
    let (word, name) = (bare(word), bare(name));
    let letters = edit_distance(&name, &word);
    let begins = word.len() >= 2 && name.starts_with(&word);
    let near = if begins {
        1
    } else if (word.len() >= 3 && name.contains(&word)) || (name.len() >= 3 && word.starts_with(&name)) {
        2
    } else {
        letters
    };
    (near.min(letters), !begins, letters)
}

/// Letters changed, left out, put in, or swapped with their neighbour (Damerau, Levenshtein; each letter once).
pub fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut next = vec![i + 1];
        for j in 0..b.len() {
            let mut least = (row[j] + usize::from(a[i] != b[j])).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(before[j - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_worked_by_hand() {
        for (a, b, d) in [("kitten", "sitting", 3), ("", "ab", 2), ("ipm", "imp", 1), ("abc", "abc", 0)] {
            assert_eq!((edit_distance(a, b), edit_distance(b, a)), (d, d), "{a} {b}");
        }
    }

    #[test]
    fn beginnings_count_more_than_letters() {
        let all = ["fb", "sbp", "ppn", "panagiotopoulos", "nsgs", "prox-nsgs"];
        for (word, expected) in [
            ("panagio", "panagiotopoulos"),
            ("NSGS-AC", "nsgs"),
            ("pp", "ppn"),
            ("sb", "sbp"),
            ("ngss", "nsgs"),
            ("prx-nsgs", "prox-nsgs"),
        ] {
            assert_eq!(nearest(word, all.into_iter()), expected, "{word}");
        }
        assert_eq!(nearest("x", std::iter::empty()), "");
    }

    #[test]
    fn bare_names_forget_case_hyphens_and_prefixes() {
        assert_eq!(bare("NSN_AC"), bare("nsn-ac"));
        assert_eq!(bare("SICONOS_GLOBAL_FRICTION_3D_ADMM"), "admm");
        assert_eq!(bare("SICONOS_LCP_"), "siconoslcp");
    }
}
