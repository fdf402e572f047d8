//! What the benches share: see `benches/*.rs`.
