//! A list of jobs that a few threads empty, each of which may add more.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

struct Shared<T, E> {
    jobs: Vec<T>,
    busy: usize,
    error: Option<E>,
}

/// As many threads as pay for file system work on this machine.
pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).clamp(1, 4)
}

/// Does every job, and every job that jobs add, one thread for each of `states`; gives the states back. After the
/// first error no further job is started.
pub(crate) fn drain<T: Send, S: Send, E: Send>(
    jobs: Vec<T>,
    states: Vec<S>,
    work: impl Fn(&mut S, T, &mut Vec<T>) -> Result<(), E> + Sync,
) -> Result<Vec<S>, E> {
    let shared = Mutex::new(Shared { jobs, busy: 0, error: None });
    let wake = Condvar::new();
    let run = |mut state: S| {
        while let Some(job) = next(&shared, &wake) {
            let mut more = Vec::new();
            let result = work(&mut state, job, &mut more);
            let mut inner = lock(&shared);
            inner.busy -= 1;
            inner.jobs.append(&mut more);
            if let Err(error) = result {
                inner.error.get_or_insert(error);
            }
            wake.notify_all();
        }
        state
    };
    let mut states = states;
    let own = states.pop();
    let states: Vec<S> = std::thread::scope(|scope| {
        let run = &run;
        let others: Vec<_> = states.into_iter().map(|state| scope.spawn(move || run(state))).collect();
        let mut done: Vec<S> = own.map(run).into_iter().collect();
        done.extend(others.into_iter().filter_map(|thread| thread.join().ok()));
        done
    });
    match lock(&shared).error.take() {
        Some(error) => Err(error),
        None => Ok(states),
    }
}

fn next<T, E>(shared: &Mutex<Shared<T, E>>, wake: &Condvar) -> Option<T> {
    let mut inner = lock(shared);
    loop {
        if inner.error.is_some() {
            return None;
        }
        if let Some(job) = inner.jobs.pop() {
            inner.busy += 1;
            return Some(job);
        }
        if inner.busy == 0 {
            return None;
        }
        inner = wake.wait(inner).unwrap_or_else(PoisonError::into_inner);
    }
}

fn lock<T, E>(shared: &Mutex<Shared<T, E>>) -> MutexGuard<'_, Shared<T, E>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
