//! Loops compiled for the widest registers of the processor.

use pulp::Arch;

/// Runs `f`, compiled a second time for AVX2 and called so where the processor has it.
///
/// The same operations in the same order, so the same bits everywhere: the compiler neither reorders sums nor fuses a
/// product with an addition. What `f` calls must be `inline(always)` to be compiled with it, and so must `f`; as a
/// closure handed to this function it is called by value, without a shim in between that would not be.
#[inline(always)]
pub(crate) fn wide<R>(arch: Arch, f: impl FnOnce() -> R) -> R {
    arch.dispatch(f)
}
