//! The contract of `Journal` and `Blobs`.
