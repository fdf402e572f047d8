@changeset
Feature: Changesets
  Changes go into the newest changeset of a context, in the order in which they happen, each exactly once.

  Background:
    Given a fresh in-memory changeset store
    And a valid plan ID

  Scenario: start_changeset creates a changeset with ULID
    Given a PlanExecutionContext
    When I call start_changeset
    Then the returned changeset_id should be a valid ULID string
    And the active_changeset_ids should contain the new ID
    And the changeset should contain exactly 0 entries

  Scenario: record_change persists an entry into the active changeset
    Given a PlanExecutionContext with an active changeset
    When I record a ChangeEntry into the context
    Then the changeset should contain the recorded entry

  Scenario: record_change without active changeset raises PlanError
    Given a PlanExecutionContext without an active changeset
    When I attempt to record a ChangeEntry
    Then a PlanError should be raised about no active changeset
    And the attempt should fail with "no_active_changeset"

  Scenario: Multiple changes recorded into same changeset
    Given a PlanExecutionContext with an active changeset
    When I record three ChangeEntry instances
    Then the changeset should contain exactly three entries

  Scenario: get_changeset retrieves existing changeset
    Given a PlanExecutionContext with an active changeset and one recorded entry
    When I call get_changeset with the active changeset_id
    Then the returned changeset should not be None
    And the changeset plan_id should match

  Scenario: get_changeset returns None for unknown ID
    Given a PlanExecutionContext
    When I call get_changeset with a nonexistent ID
    Then the returned changeset should be None

  Scenario: The newest changeset takes the changes
    Given a PlanExecutionContext with an active changeset and one recorded entry
    When I call start_changeset
    And I record three ChangeEntry instances
    Then the newest changeset should hold 3 entries and the one before it 1
    When I ask the store for the changesets of the plan
    Then they should be the active ones, oldest first

  Scenario: The same entry recorded twice is there once
    Given a PlanExecutionContext with an active changeset and one recorded entry
    When I record the same ChangeEntry again
    Then the attempt should succeed
    And the changeset should contain exactly 1 entry

  Scenario: An entry of another changeset is refused
    Given a PlanExecutionContext with an active changeset
    When I attempt to record a ChangeEntry
    Then it should raise a ValidationError about "changeset_id"
    And the changeset should contain exactly 0 entries

  Scenario: A change that changes nothing is refused
    Given a PlanExecutionContext with an active changeset
    When I attempt to record a ChangeEntry that changes nothing
    Then it should raise a ValidationError about "after"
    And the changeset should contain exactly 0 entries
