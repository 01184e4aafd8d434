//! Loops compiled for the widest registers of the processor.

use pulp::Arch;
use std::hint::black_box;

/// Runs `f`, compiled a second time for AVX2 and called so where the processor has it.
///
/// The same operations in the same order, so the same bits everywhere: the compiler neither reorders sums nor fuses a
/// product with an addition. What `f` calls must be `inline(always)` to be compiled with it, and so must `f`; as a
/// closure handed to this function it is called by value, without a shim in between that would not be.
#[inline(always)]
pub(crate) fn wide<R>(arch: Arch, f: impl FnOnce() -> R) -> R {
    arch.dispatch(f)
}

/// Runs `f`, which calls faer, and leaves the registers as the rest of the program expects them.
///
/// The kernels behind faer's products end with the upper halves of the wide registers in use. Every instruction that writes a lower half
/// then waits for the upper one, and whatever is not compiled by [`wide`] takes two to three times as long, for as long as the process
/// lives. Any function that works on a wide register clears them at its end: one is called here.
pub(crate) fn through_faer<R>(f: impl FnOnce() -> R) -> R {
    let result = f();
    clear_upper_halves(Arch::new());
    result
}

fn clear_upper_halves(arch: Arch) {
    wide(
        arch,
        #[inline(always)]
        || {
            let x = black_box([1.0f64; 4]);
            black_box(x.map(|x| x * x));
        },
    );
}
