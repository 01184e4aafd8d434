//! Whether so many bodies fit into memory.

/// Bytes that a body takes in a run, with its contacts.
const A_BODY: u64 = 2000;
/// Memory where the system does not tell its own: no machine for one run has more.
const UNKNOWN: u64 = 1 << 40;
/// Scenes of fewer bodies are not asked.
const FEW: u64 = 1_000_000;

/// Refuses, before any memory is taken, bodies that need more than the machine has.
pub(super) fn enough_for(bodies: u64) -> Result<(), String> {
    if bodies <= FEW {
        return Ok(());
    }
    let (needed, there) = (bodies.saturating_mul(A_BODY), total().unwrap_or(UNKNOWN));
    if needed <= there {
        return Ok(());
    }
    let giga = |bytes: u64| bytes as f64 / 1e9;
    Err(format!(
        "makes {bodies} bodies in all, which need about {:.0} GB of memory; there are {:.0} GB: ask for fewer",
        giga(needed),
        giga(there)
    ))
}

/// All memory of the machine (bytes), where Linux tells.
fn total() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("MemTotal:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::enough_for;

    #[test]
    fn thousands_fit_and_milliards_do_not() {
        assert!(enough_for(200_000).is_ok());
        let said = enough_for(1600 * 1600 * 1600).unwrap_err();
        assert!(said.contains("8192 GB"), "{said}");
    }
}
