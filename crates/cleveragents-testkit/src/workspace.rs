//! The contract of `Workspace`, and an oracle that shares no code with any implementation.
