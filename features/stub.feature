@stub
Feature: The stub
  Without a model and without decisions a plan can be tried as a stub. It runs no tool, changes nothing, and says so.

  Background:
    Given the toy tools:
      | tool | needs   | does    |
      | peek | nothing | nothing |
    And a person who types the commands

  Scenario: A stub has one decision for each criterion, and runs nothing
    Given a plan file:
      """
      name: stub
      definition_of_done: |
        one thing

        another thing
      """
    And the stub is asked for
    And the plan is strategized
    Then the plan should have 3 decisions, the root first
    And no decision should have a call
    When execute runs
    Then the outcome should be the stub's, with 2 decisions and no sandbox
    And the outcome should say that 0 tool calls were made
    And the plan should be in "apply/queued"
    And the changeset should have no calls
    And the changeset should be empty
    And the changeset should be sealed by its own digest
    And the plan should be listed as a stub

  Scenario: The stub is never chosen silently
    Given a plan file:
      """
      name: no decisions
      definition_of_done: something
      """
    When I attempt to create the plan
    Then it should raise a ValidationError about "decisions"
    And the message should contain "ask for the stub"

  Scenario: A stub that was executed is not executed again
    Given a plan file:
      """
      name: stub
      definition_of_done: something
      """
    And the stub is asked for
    And the plan is executed
    When execute runs again
    Then the attempt should fail with "state"
    And the message should contain "executed already"
    And the plan should have 1 changeset

  Scenario: A plan that runs tools is not listed as a stub
    Given a plan file:
      """
      name: real
      definition_of_done: something
      decisions:
        - title: look
          calls: [{ tool: peek }]
      """
    And the plan is executed
    Then the plan should not be listed as a stub
    And the outcome should say that 1 tool call was made
