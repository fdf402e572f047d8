//! The transition table, every cell of it, against the contract's own words.

use cleveragents_domain::{MAX_REVERSIONS, Move, Phase, PlanState, ProcessingState};

/// The contract, line by line: `from  move  to  when`, `when` seen from *apply committed*.
const CONTRACT: &str = "
action/queued         complete  action/complete        always
action/complete       advance   strategize/queued      always
strategize/queued     start     strategize/processing  always
strategize/processing complete  strategize/complete    always
strategize/processing fail      strategize/errored     always
strategize/errored    retry     strategize/queued      always
strategize/complete   advance   execute/queued         always
execute/queued        start     execute/processing     always
execute/processing    complete  execute/complete       always
execute/processing    fail      execute/errored        always
execute/errored       retry     execute/queued         always
execute/complete      advance   apply/queued           always
apply/queued          start     apply/processing       before
apply/queued          constrain apply/constrained      before
apply/constrained     release   apply/queued           before
apply/processing      conflict  apply/queued           before
apply/processing      fail      apply/errored          always
apply/errored         retry     apply/queued           before
apply/processing      apply     apply/applied          after
apply/errored         rollback  apply/queued           after
execute/complete      revert    strategize/queued      before
execute/errored       revert    strategize/queued      before
apply/queued          revert    strategize/queued      before
apply/errored         revert    strategize/queued      before
apply/constrained     revert    strategize/queued      before
";

fn expected(from: PlanState, movement: Move, committed: bool, reversions: u32) -> Option<String> {
    let committed = committed && from.phase == Phase::Apply;
    if movement == Move::Cancel {
        let terminal = ["applied", "cancelled"].contains(&from.state.as_str());
        return (!terminal && !committed).then(|| format!("{}/cancelled", from.phase));
    }
    if movement == Move::Revert && reversions >= MAX_REVERSIONS {
        return None;
    }
    CONTRACT.lines().filter(|line| !line.is_empty()).find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let fits = words[0] == from.to_string() && words[1] == movement.as_str();
        let when = match words[3] {
            "always" => true,
            "before" => !committed,
            _ => committed,
        };
        (fits && when).then(|| words[2].to_owned())
    })
}

#[test]
fn every_cell_of_the_table_is_the_contracts() {
    let mut legal = 0;
    for &phase in Phase::ALL {
        for &state in ProcessingState::ALL {
            for &movement in Move::ALL {
                for committed in [false, true] {
                    for reversions in 0..=MAX_REVERSIONS + 1 {
                        let from = PlanState::new(phase, state);
                        let got = from.after(movement, committed, reversions);
                        let want = expected(from, movement, committed, reversions);
                        assert_eq!(
                            got.as_ref().ok().map(ToString::to_string),
                            want,
                            "{from} {movement} committed={committed} reversions={reversions}"
                        );
                        legal += usize::from(got.is_ok());
                    }
                }
            }
        }
    }
    assert!(legal > 100, "only {legal} legal cells: the table is not being walked");
}

#[test]
fn nothing_leads_out_of_a_terminal_state() {
    for state in [ProcessingState::Applied, ProcessingState::Cancelled] {
        for &phase in Phase::ALL {
            for &movement in Move::ALL {
                assert!(PlanState::new(phase, state).after(movement, false, 0).is_err());
            }
        }
    }
}

#[test]
fn a_refused_move_says_why() {
    let applied = PlanState::new(Phase::Apply, ProcessingState::Applied);
    let text = applied.after(Move::Start, true, 0).unwrap_err().to_string();
    assert!(text.contains("apply/applied") && text.contains("final"), "{text}");
    let errored = PlanState::new(Phase::Execute, ProcessingState::Errored);
    let text = errored.after(Move::Revert, false, 3).unwrap_err().to_string();
    assert!(text.contains("3 times"), "{text}");
}
