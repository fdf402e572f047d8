@context
Feature: PlanExecutionContext
  The context bridges a plan's metadata and its resources to the actors. A bad one is refused when it is made, by an
  error that names the field.

  Background:
    Given a fresh in-memory changeset store
    And a valid plan ID

  Scenario: Create PlanExecutionContext with required plan_id
    When I create a PlanExecutionContext with a valid plan_id
    Then the context plan_id should match the provided value
    And the context should say that it is not durable

  Scenario: Create PlanExecutionContext with all optional fields
    When I create a PlanExecutionContext with all optional fields
    Then the context should have the correct decision_root_id
    And the context should have the correct sandbox_root
    And the context should have the correct automation_profile
    And the context should have the correct project_resources

  Scenario: PlanExecutionContext rejects empty plan_id
    When I attempt to create a PlanExecutionContext with empty plan_id
    Then the plan execution context should raise a ValidationError containing "plan_id"
    And it should raise a ValidationError about "plan_id"

  Scenario: PlanExecutionContext rejects None plan_id
    When I attempt to create a PlanExecutionContext with None plan_id
    Then the plan execution context should raise a ValidationError containing "plan_id"
    And it should raise a ValidationError about "plan_id"

  Scenario Outline: PlanExecutionContext rejects a plan_id that is no ULID: <why>
    When I attempt to create a PlanExecutionContext with the plan_id "<id>"
    Then it should raise a ValidationError about "plan_id"

    Examples:
      | id                          | why                      |
      | plan-1                      | a name                   |
      | 01HGZ0000000000000000000000 | a character too many     |
      | 8ZZZZZZZZZZZZZZZZZZZZZZZZZ  | more than 128 bits       |
      | 01HGZ00000000000000000000U  | a letter outside the set |

  Scenario: PlanExecutionContext rejects an unknown automation_profile and lists the choices
    When I attempt to create a PlanExecutionContext with the automation_profile "reckless"
    Then it should raise a ValidationError about "automation_profile"
    And the message should contain "manual, review, supervised, cautious, trusted, auto, ci, full-auto"

  Scenario: PlanExecutionContext defaults to InMemoryChangeSetStore
    When I create a PlanExecutionContext without specifying a changeset store
    Then the context changeset_store should be an InMemoryChangeSetStore

  Scenario: PlanExecutionContext accepts custom changeset store
    When I create a PlanExecutionContext with a custom changeset store
    Then the context changeset_store should be the provided store

  Scenario: PlanExecutionContext defaults project_resources to empty dict
    When I create a PlanExecutionContext with a valid plan_id
    Then the context project_resources should be an empty dict

  Scenario: PlanExecutionContext defaults resource_bindings to empty dict
    When I create a PlanExecutionContext with a valid plan_id
    Then the context resource_bindings should be an empty dict
