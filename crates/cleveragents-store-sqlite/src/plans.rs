//! The table of plans: one row a plan, folded from its records in the transaction that writes them.

use cleveragents_domain::{JournalError, PlanId, PlanQuery, PlanRow};
use rusqlite::{Connection, params};

use crate::error;
use crate::log::corrupt;

/// A row as it is stored.
pub(crate) fn parse_row(plan: &PlanId, text: &str) -> Result<PlanRow, JournalError> {
    let row: PlanRow = serde_json::from_str(text)
        .map_err(|e| corrupt(plan, 0, &format!("its row in the table of plans: {e}")))?;
    if row.plan_id == *plan {
        Ok(row)
    } else {
        Err(corrupt(plan, 0, "its row in the table of plans is another plan's"))
    }
}

/// Writes a plan's row.
pub(crate) fn write(connection: &Connection, row: &PlanRow) -> Result<(), rusqlite::Error> {
    let text =
        serde_json::to_string(row).map_err(|e| rusqlite::Error::ToSqlConversionFailure(Box::new(e)))?;
    connection
        .prepare_cached(
            "INSERT INTO plans (plan, state, row) VALUES (?1, ?2, ?3)
             ON CONFLICT (plan) DO UPDATE SET state = excluded.state, row = excluded.row",
        )?
        .execute(params![row.plan_id.as_str(), row.state.to_string(), text])?;
    Ok(())
}

/// The plans that match, newest first: ids sort by time.
pub(crate) fn list(connection: &Connection, query: &PlanQuery) -> Result<Vec<PlanRow>, JournalError> {
    let limit = query.limit.map_or(-1, |limit| i64::try_from(limit).unwrap_or(i64::MAX));
    let state = query.state.map(|state| state.to_string());
    let mut statement = connection
        .prepare_cached(if state.is_some() {
            "SELECT plan, row FROM plans WHERE state = ?1 ORDER BY plan DESC LIMIT ?2"
        } else {
            "SELECT plan, row FROM plans WHERE ?1 IS NULL ORDER BY plan DESC LIMIT ?2"
        })
        .map_err(error::journal)?;
    let mut rows = statement.query(params![state, limit]).map_err(error::journal)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().map_err(error::journal)? {
        let plan: String = row.get(0).map_err(error::journal)?;
        let plan = PlanId::parse(&plan).map_err(|e| {
            JournalError::Unusable(format!("the table of plans holds a key that is no plan id: {e}"))
        })?;
        let text = row.get_ref(1).and_then(|v| Ok(v.as_str()?)).map_err(error::journal)?;
        found.push(parse_row(&plan, text)?);
    }
    Ok(found)
}
