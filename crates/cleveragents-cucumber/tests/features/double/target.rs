//! A target that is not alone.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use cleveragents_domain::{Blobs, Conflict, NetChange};
use cleveragents_runtime::{Check, Target, TargetError};

/// A target beneath which something else spoils a file after every write and before it is read back.
pub(crate) struct Corrupting<T> {
    pub(crate) inner: T,
    pub(crate) file: PathBuf,
}

#[async_trait]
impl<T: Target> Target for Corrupting<T> {
    async fn check(&self, changes: &[NetChange], check: Check) -> Result<Vec<Conflict>, TargetError> {
        self.inner.check(changes, check).await
    }
    async fn write(
        &self,
        changes: &[NetChange],
        accept: Check,
        blobs: Arc<dyn Blobs>,
        token: &str,
    ) -> Result<(), TargetError> {
        self.inner.write(changes, accept, blobs, token).await?;
        Ok(std::fs::write(&self.file, "spoilt between write and read-back\n")?)
    }
    async fn read_back(&self, changes: &[NetChange]) -> Result<Vec<Conflict>, TargetError> {
        self.inner.read_back(changes).await
    }
}
