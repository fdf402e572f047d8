@executor
Feature: PlanExecutor
  The executor drives plans through strategize and execute. With an execution context it runs tools, without one the
  stub; it never guesses a part that it needs.

  Background:
    Given a fresh in-memory changeset store
    And a valid plan ID

  Scenario: PlanExecutor has_runtime is True with tool_calling_runtime
    Given a mock lifecycle service
    And a PlanExecutionContext
    And a ToolRunner with an empty registry
    When I create a PlanExecutor with a mock tool_calling_runtime
    Then has_runtime should be True

  Scenario: PlanExecutor has_runtime is True with an execution_context alone
    Given a mock lifecycle service
    And a PlanExecutionContext
    When I create a PlanExecutor with the execution_context
    Then has_runtime should be True

  Scenario: PlanExecutor has_runtime is False without execution_context
    Given a mock lifecycle service
    When I create a PlanExecutor without execution_context
    Then has_runtime should be False

  Scenario: PlanExecutor changeset_store returns store from context
    Given a mock lifecycle service
    And a PlanExecutionContext with a known changeset store
    When I create a PlanExecutor with the execution_context
    Then changeset_store should be the same object as the context store

  Scenario: PlanExecutor changeset_store returns None without context
    Given a mock lifecycle service
    When I create a PlanExecutor without execution_context
    Then changeset_store should be None

  Scenario: PlanExecutor execution_context property returns context
    Given a mock lifecycle service
    And a PlanExecutionContext
    When I create a PlanExecutor with the execution_context
    Then execution_context property should return the context

  @error
  Scenario: PlanExecutor rejects None lifecycle_service
    When I attempt to create a PlanExecutor with None lifecycle_service
    Then the plan execution context should raise a ValidationError containing "lifecycle_service"

  @error
  Scenario: PlanExecutor run_execute rejects empty plan_id
    Given a mock lifecycle service
    And a PlanExecutor without execution_context
    When I attempt to run execute with an empty plan_id
    Then the plan execution context should raise a ValidationError containing "plan_id"

  @error
  Scenario: PlanExecutor run_execute rejects a plan_id that is no ULID
    Given a mock lifecycle service
    And a PlanExecutor without execution_context
    When I attempt to run execute with the plan_id "the first one"
    Then it should raise a ValidationError about "plan_id"

  @error
  Scenario: PlanExecutor run_execute does not know a plan that was never created
    Given a mock lifecycle service
    And a PlanExecutor without execution_context
    When I attempt to run execute with a plan_id that no plan has
    Then the attempt should fail with "unknown_plan"

  @error
  Scenario: PlanExecutor rejects a tool_calling_runtime without execution_context
    Given a mock lifecycle service
    When I attempt to create a PlanExecutor with a tool_calling_runtime and no execution_context
    Then it should raise a ValidationError about "execution_context"

  @error
  Scenario: PlanExecutor rejects the execution_context of another lifecycle service
    Given a mock lifecycle service
    When I attempt to create a PlanExecutor with the execution_context of another lifecycle service
    Then it should raise a ValidationError about "execution_context"
