//! The layers of the architecture, as data.

/// What a package may be built from, out of the packages of this workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Uses {
    /// These and no other.
    Only(&'static [&'static str]),
    /// Every crate of a lower layer.
    Below,
    /// Everything but the checks themselves: it builds no product.
    Anything,
}

pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// `None` for what is not shipped.
    pub(crate) layer: Option<u8>,
    pub(crate) uses: Uses,
}

const DOMAIN: &str = "cleveragents-domain";
const DIFF: &str = "cleveragents-diff";
const RUNTIME: &str = "cleveragents-runtime";
const APPLICATION: &str = "cleveragents-application";

/// The crate of fixtures that every product crate may use in its tests.
pub(crate) const TESTKIT: &str = "cleveragents-testkit";
/// The checks: they know nobody, and nobody knows them.
pub(crate) const XTASK: &str = "xtask";

/// Every package there may be; some of the names are reserved. Adapters (3) know one inner crate and not one another.
pub(crate) const TABLE: &[Row] = &[
    product(DOMAIN, 0, Uses::Only(&[])),
    product(DIFF, 0, Uses::Only(&[])),
    product(RUNTIME, 1, Uses::Only(&[DOMAIN, DIFF])),
    product(APPLICATION, 2, Uses::Only(&[DOMAIN, DIFF, RUNTIME])),
    product("cleveragents-workspace", 3, Uses::Only(&[RUNTIME])),
    product("cleveragents-tools", 3, Uses::Only(&[RUNTIME])),
    product("cleveragents-mcp", 3, Uses::Only(&[RUNTIME])),
    product("cleveragents-store-sqlite", 3, Uses::Only(&[DOMAIN])),
    product("cleveragents-store-postgres", 3, Uses::Only(&[DOMAIN])),
    product("cleveragents-llm", 3, Uses::Only(&[APPLICATION])),
    product("cleveragents-cli", 4, Uses::Below),
    unshipped(TESTKIT, Uses::Only(&[DOMAIN, DIFF, RUNTIME, APPLICATION])),
    unshipped("cleveragents-cucumber", Uses::Anything),
    unshipped("cleveragents-benches", Uses::Anything),
    unshipped(XTASK, Uses::Only(&[])),
];

/// Crates that bring I/O, a clock, randomness or an async runtime; none may be a direct dependency in layer 0.
pub(crate) const IMPURE: &[&str] = &[
    "async-io",
    "async-std",
    "chrono",
    "getrandom",
    "jiff",
    "libc",
    "mio",
    "nix",
    "rand",
    "rusqlite",
    "rustix",
    "smol",
    "socket2",
    "tempfile",
    "time",
    "tokio",
    "tokio-util",
    "uuid",
    "web-time",
];

pub(crate) fn row(name: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.name == name)
}

const fn product(name: &'static str, layer: u8, uses: Uses) -> Row {
    Row { name, layer: Some(layer), uses }
}

const fn unshipped(name: &'static str, uses: Uses) -> Row {
    Row { name, layer: None, uses }
}

#[cfg(test)]
mod tests {
    use super::{TABLE, Uses, row};

    #[test]
    fn the_table_points_downwards() {
        for from in TABLE {
            let Uses::Only(names) = from.uses else { continue };
            for name in names {
                let to = row(name).expect("every name is a row");
                assert!(from.layer.is_none() || to.layer < from.layer, "{} -> {name}", from.name);
                assert!(to.layer.is_some(), "{} -> {name}", from.name);
            }
        }
    }

    #[test]
    fn no_name_stands_twice() {
        for (index, row) in TABLE.iter().enumerate() {
            assert!(TABLE[..index].iter().all(|other| other.name != row.name), "{}", row.name);
        }
    }
}
