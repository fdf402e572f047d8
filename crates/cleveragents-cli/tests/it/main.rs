//! The binary, as users and scripts meet it.
