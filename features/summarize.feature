@summarize
Feature: Summaries
  A context in numbers. Zero is shown as zero.

  Background:
    Given a fresh in-memory changeset store
    And a valid plan ID

  Scenario: summarize includes all expected fields
    Given a PlanExecutionContext with an active changeset and one recorded entry
    When I call summarize on the context
    Then the summary should contain plan_id
    And the summary should contain resource_binding_count of 0
    And the summary should contain decision_root_id

  Scenario: summarize with no changesets shows zero resource counts
    Given a PlanExecutionContext
    When I call summarize on the context
    Then the summary resource_binding_count should be 0
    And the summary should contain no changeset

  Scenario: summarize counts what a changeset holds
    Given a PlanExecutionContext with an active changeset
    When I record three ChangeEntry instances
    And I call summarize on the context
    Then the summary of the changeset should have entries of 3
    And the summary of the changeset should have paths of 3
    And the summary of the changeset should have lines_added of 6
    And the summary of the changeset should have lines_removed of 0
    And the summary of the changeset should have bytes of 24
    And the summary of the changeset should have outside of 0
    And the summary of the changeset should count 3 "create"

  Scenario: summarize shows an empty changeset as empty
    Given a PlanExecutionContext with an active changeset
    When I call summarize on the context
    Then the summary of the changeset should have entries of 0
    And the summary of the changeset should have paths of 0
