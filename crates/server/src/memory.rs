//! Memory of the process.

/// Returns memory to the system that is not in use. The allocator would keep what only the start needed, a third of
/// what an idle server occupies.
#[expect(unsafe_code, reason = "a C function of the global allocator, without pointers")]
pub(crate) fn release_unused() {
    // SAFETY: it may be called at any time, from any thread.
    unsafe { libmimalloc_sys::mi_collect(true) }
}
