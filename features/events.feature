@events
Feature: Events
  Events are the records of a plan in words. Their names are stable, their positions have no gaps, and whoever comes
  late reads the same.

  Background:
    Given the toy tools:
      | tool | needs   | does    |
      | peek | nothing | nothing |
      | bomb | nothing | fails   |
    And a person who types the commands

  Scenario: The six names of a plan that runs stubs
    Given a plan file:
      """
      name: stub
      definition_of_done: |
        one thing
        another thing
      """
    And the stub is asked for
    And the plan is executed
    Then the listener should have heard these events, in this order:
      | strategize_started   |
      | strategize_decisions |
      | strategize_complete  |
      | execute_started      |
      | execute_step         |
      | execute_step         |
      | execute_complete     |
    And the listener should have heard execute_step 2 times
    And the listener should not have heard runtime_execute_started
    And the listener should not have heard tool_call_started

  Scenario: The six names of a plan that runs tools
    Given a plan file:
      """
      name: runtime
      definition_of_done: it is looked at
      decisions:
        - title: look
          calls: [{ tool: peek }, { tool: peek }]
        - title: look again
          calls: [{ tool: peek }]
      """
    And the plan is executed
    Then the listener should have heard these events, in this order:
      | strategize_started       |
      | strategize_decisions     |
      | strategize_complete      |
      | runtime_execute_started  |
      | changeset_started        |
      | runtime_execute_step     |
      | tool_call_started        |
      | tool_call_finished       |
      | tool_call_started        |
      | tool_call_finished       |
      | runtime_execute_step     |
      | tool_call_started        |
      | tool_call_finished       |
      | changeset_sealed         |
      | runtime_execute_complete |
    And the listener should have heard runtime_execute_step 2 times
    And the listener should not have heard execute_started

  Scenario Outline: Positions have no gaps, and a late reader sees the same (<journal>)
    Given a journal that is "<journal>"
    And a plan file:
      """
      name: positions
      definition_of_done: it is looked at
      decisions:
        - title: look
          calls: [{ tool: peek }, { tool: peek }]
      """
    And the plan is executed
    Then the positions should have no gaps
    And a late reader should see exactly what the listener heard
    And every event should name its plan, and be read back from one line of JSON

    Examples:
      | journal   |
      | in memory |
      | on disk   |

  Scenario: A phase that failed says so
    Given a plan file:
      """
      name: fails
      definition_of_done: it is tried
      decisions:
        - title: try
          calls: [{ tool: peek }, { tool: bomb }]
      """
    And the plan is strategized
    When execute runs
    Then the listener should have heard these events, in this order:
      | runtime_execute_started |
      | tool_call_finished      |
      | tool_call_finished      |
      | phase_failed            |
    And the listener should not have heard runtime_execute_complete
    And the listener should not have heard changeset_sealed
    And the positions should have no gaps
    And a late reader should see exactly what the listener heard
