@actor
Feature: RuntimeExecuteActor
  The actor carries decisions out as tool calls, every one through the runner, and captures what really changed.

  Background:
    Given a fresh in-memory changeset store
    And a valid plan ID

  Scenario: RuntimeExecuteActor executes with stub decisions
    Given a PlanExecutionContext
    And a ToolRunner with an empty registry
    And a RuntimeExecuteActor
    When I execute with a list of two stub decisions
    Then the runtime execute result should be a RuntimeExecuteResult
    And the runtime execute result changeset_id should be a valid ULID
    And the runtime execute result decision_ids_processed should have two entries

  Scenario: RuntimeExecuteActor with streaming callback
    Given a PlanExecutionContext
    And a ToolRunner with an empty registry
    And a RuntimeExecuteActor
    And a stream callback collector
    When I execute with one stub decision and the stream callback
    Then the callback should have received runtime_execute_started event
    And the callback should have received runtime_execute_step event
    And the callback should have received runtime_execute_complete event
    And the callback should have received these events, in this order:
      | runtime_execute_started  |
      | runtime_execute_step     |
      | runtime_execute_complete |

  Scenario: RuntimeExecuteActor records sandbox_refs when sandbox_root is set
    Given a PlanExecutionContext with sandbox_root "/tmp/sandbox"
    And a ToolRunner with an empty registry
    And a RuntimeExecuteActor
    When I execute with one stub decision
    Then the runtime execute result sandbox_refs should contain "/tmp/sandbox"

  Scenario: RuntimeExecuteActor rejects None tool_runner
    Given a PlanExecutionContext
    When I attempt to create a RuntimeExecuteActor with None tool_runner
    Then the plan execution context should raise a ValidationError

  Scenario: RuntimeExecuteActor rejects None execution_context
    Given a ToolRunner with an empty registry
    When I attempt to create a RuntimeExecuteActor with None execution_context
    Then the plan execution context should raise a ValidationError

  Scenario: RuntimeExecuteActor really runs the tools
    Given the toy tools:
      | tool | needs   | does    |
      | peek | nothing | nothing |
    And a PlanExecutionContext
    And a RuntimeExecuteActor
    When I execute with a decision that calls:
      | tool | input           |
      | peek | {"path": "one"} |
      | peek | {"path": "two"} |
    Then the runtime execute result tool_call_count should be 2
    And "peek" should have run 2 times
    And the callback should have received these events, in this order:
      | runtime_execute_started  |
      | runtime_execute_step     |
      | tool_call_started        |
      | tool_call_finished       |
      | tool_call_started        |
      | tool_call_finished       |
      | runtime_execute_complete |

  Scenario: RuntimeExecuteActor stops at the first call that fails
    Given the toy tools:
      | tool  | needs   | does    |
      | peek  | nothing | nothing |
      | break | nothing | fails   |
    And a PlanExecutionContext
    And a RuntimeExecuteActor
    When I execute with a decision that calls:
      | tool  | input |
      | peek  | {}    |
      | break | {}    |
      | peek  | {}    |
    Then the attempt should fail with "call_failed"
    And the message should contain "the toy broke"
    And "peek" should have run 1 time

  Scenario: RuntimeExecuteActor refuses a tool that is not there
    Given a PlanExecutionContext
    And a ToolRunner with an empty registry
    And a RuntimeExecuteActor
    When I execute with a decision that calls:
      | tool    | input |
      | nothere | {}    |
    Then the attempt should fail with "call_failed"
    And the message should contain "unknown tool"
