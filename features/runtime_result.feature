@model
Feature: RuntimeExecuteResult
  A result that comes from raw input is checked before anybody uses it.

  Scenario: RuntimeExecuteResult validates with valid data
    When I create a RuntimeExecuteResult with valid fields
    Then the runtime execute result should have a correct changeset_id
    And the runtime execute result tool_call_count should be non-negative

  Scenario: RuntimeExecuteResult rejects negative tool_call_count
    When I attempt to create a RuntimeExecuteResult with negative tool_call_count
    Then the runtime result should fail validation
    And it should raise a ValidationError about "tool_call_count"

  Scenario: RuntimeExecuteResult rejects empty changeset_id
    When I attempt to create a RuntimeExecuteResult with empty changeset_id
    Then the runtime result should fail validation
    And it should raise a ValidationError about "changeset_id"

  Scenario: RuntimeExecuteResult rejects a changeset_id that is no ULID
    When I attempt to create a RuntimeExecuteResult with the changeset_id "not-a-ulid"
    Then the runtime result should fail validation
    And it should raise a ValidationError about "changeset_id"

  Scenario Outline: RuntimeExecuteResult rejects an execution_duration_ms of <duration>
    When I attempt to create a RuntimeExecuteResult with the execution_duration_ms <duration>
    Then the runtime result should fail validation
    And it should raise a ValidationError about "execution_duration_ms"

    Examples:
      | duration |
      | -0.5     |
      | NaN      |
      | inf      |
