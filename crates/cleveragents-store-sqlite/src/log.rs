//! One plan's log as it is stored: its end and its records.

use cleveragents_domain::{Digest, Head, JournalError, PlanId, PlanRow, Record, Seq};
use rusqlite::{Connection, OptionalExtension, params};

use crate::error;
use crate::plans::parse_row;

pub(crate) fn position(seq: Seq) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}

pub(crate) fn corrupt(plan: &PlanId, seq: Seq, what: &str) -> JournalError {
    JournalError::Corrupt { plan_id: *plan, seq, what: what.to_owned() }
}

/// The last record, and the plan's row; the two must agree, else the log has lost its end.
pub(crate) fn end(
    connection: &Connection,
    plan: &PlanId,
) -> Result<(Option<Head>, Option<PlanRow>), JournalError> {
    let found = connection
        .prepare_cached(
            "SELECT (SELECT row FROM plans WHERE plan = ?1), r.seq, r.digest
             FROM (SELECT 1) LEFT JOIN (SELECT seq, digest FROM records WHERE plan = ?1 ORDER BY seq DESC LIMIT 1) r",
        )
        .and_then(|mut statement| {
            statement.query_row([plan.as_str()], |row| {
                Ok((row.get::<_, Option<String>>(0)?, row.get::<_, Option<i64>>(1)?, row.get::<_, Option<[u8; 32]>>(2)?))
            })
        })
        .map_err(error::journal)?;
    let (row, seq, digest) = found;
    let head = match (seq, digest) {
        (Some(seq), Some(digest)) => {
            Some(Head { seq: seq.cast_unsigned(), digest: Digest::from_bytes(digest) })
        }
        _ => None,
    };
    let row = row.map(|text| parse_row(plan, &text)).transpose()?;
    if let (None, Some(head)) = (&row, &head) {
        return Err(corrupt(plan, head.seq, "the table of plans lacks the plan that it belongs to"));
    }
    if let Some(row) = &row
        && Some(row.head) != head
    {
        return Err(corrupt(
            plan,
            row.head.seq,
            "the table of plans names it as the last record, and the log ends elsewhere",
        ));
    }
    Ok((head, row))
}

/// The last record of a plan.
pub(crate) fn head(connection: &Connection, plan: &PlanId) -> Result<Option<Head>, JournalError> {
    Ok(end(connection, plan)?.0)
}

/// Records from a position on. Each is checked against its digest and against the one before it.
pub(crate) fn read(
    connection: &Connection,
    plan: &PlanId,
    from: Seq,
    max: usize,
) -> Result<Vec<Record>, JournalError> {
    let mut expected = from.max(1);
    let mut prev = before(connection, plan, expected)?;
    let limit = i64::try_from(max).unwrap_or(i64::MAX);
    let mut statement = connection
        .prepare_cached(
            "SELECT seq, digest, payload FROM records WHERE plan = ?1 AND seq >= ?2 ORDER BY seq LIMIT ?3",
        )
        .map_err(error::journal)?;
    let mut rows =
        statement.query(params![plan.as_str(), position(expected), limit]).map_err(error::journal)?;
    let mut records = Vec::new();
    while let Some(row) = rows.next().map_err(error::journal)? {
        let (seq, digest) = (row.get::<_, i64>(0), row.get::<_, [u8; 32]>(1));
        let (seq, digest) =
            (seq.map_err(error::journal)?, Digest::from_bytes(digest.map_err(error::journal)?));
        if seq.cast_unsigned() != expected {
            return Err(corrupt(plan, expected, "it is missing"));
        }
        let payload = row.get_ref(2).and_then(|v| Ok(v.as_blob()?)).map_err(error::journal)?;
        let record = Record::decode(plan, expected, payload, &digest)?;
        if prev.is_some_and(|prev| prev != record.prev) {
            return Err(corrupt(plan, expected, "it does not follow the record before it"));
        }
        prev = Some(digest);
        expected += 1;
        records.push(record);
    }
    Ok(records)
}

/// The digest that the record at `seq` must name as its predecessor; `None` when that one is not there.
fn before(connection: &Connection, plan: &PlanId, seq: Seq) -> Result<Option<Digest>, JournalError> {
    if seq <= 1 {
        return Ok(Some(Digest::of(b"")));
    }
    let digest: Option<[u8; 32]> = connection
        .prepare_cached("SELECT digest FROM records WHERE plan = ?1 AND seq = ?2")
        .and_then(|mut s| s.query_row(params![plan.as_str(), position(seq - 1)], |row| row.get(0)).optional())
        .map_err(error::journal)?;
    Ok(digest.map(Digest::from_bytes))
}
