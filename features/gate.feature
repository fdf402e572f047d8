@gate
Feature: The gate
  Every tool call passes one gate: lists, capability and phase, limits, approval. What is not clearly allowed is
  refused, and what is refused never runs.

  Background:
    Given the toy tools:
      | tool     | needs                    | does    |
      | peek     | nothing                  | nothing |
      | scribble | write                    | nothing |
      | sly      | write although read-only | nothing |
      | command  | shell                    | nothing |
      | fetch    | network                  | nothing |
      | escape   | unsafe                   | nothing |
      | bomb     | nothing                  | panics  |
      | sleeper  | nothing                  | sleeps  |
    And a person who types the commands

  Scenario: A tool that nobody knows does not run, and the known ones are named
    Given a plan file:
      """
      name: unknown tool
      definition_of_done: it is refused
      decisions:
        - title: try
          calls: [{ tool: peek }, { tool: teleport }, { tool: peek }]
      """
    And the plan is strategized
    When execute runs
    Then the attempt should fail with "call_failed"
    And the plan should be in "execute/errored"
    And its failure should be of kind "failed"
    And its error_message should contain "unknown tool"
    And its error_message should contain "peek"
    And "peek" should have run 1 time
    And the changeset should have the calls:
      | tool     | outcome   |
      | peek     | succeeded |
      | teleport | failed    |

  Scenario: An input that does not fit the schema does not reach the tool, and is not repeated in the message
    Given a plan file:
      """
      name: wrong input
      definition_of_done: it is refused
      decisions:
        - title: try
          calls: [{ tool: peek, with: { path: 7, password: "s3cret" } }]
      """
    And the plan is strategized
    When execute runs
    Then the attempt should fail with "call_failed"
    And the plan should be in "execute/errored"
    And its error_message should contain "does not fit peek"
    And its error_details should have the exception_type "ToolError" and the mode "runtime"
    And "peek" should have run 0 times

  Scenario Outline: The profile <profile> refuses <tool>
    Given a plan file:
      """
      name: profile
      definition_of_done: it is refused
      automation_profile: <profile>
      decisions:
        - title: try
          calls: [{ tool: peek }, { tool: <tool> }]
      """
    And the plan is strategized
    When execute runs
    Then the attempt should fail with "refused"
    And the plan should be in "execute/errored"
    And its failure should be of kind "refused"
    And its error_details should have the exception_type "Refusal" and the mode "runtime"
    And its error_message should contain "<words>"
    And "peek" should have run 1 time
    And "<tool>" should have run 0 times
    And the changeset should have the calls:
      | tool   | outcome   |
      | peek   | succeeded |
      | <tool> | refused   |
    And the changeset should be empty
    And the changeset should not be sealed

    Examples:
      | profile    | tool     | words                                            |
      | manual     | scribble | asks before write, and nobody is there to answer |
      | review     | scribble | asks before write, and nobody is there to answer |
      | manual     | command  | asks before shell, and nobody is there to answer |
      | cautious   | command  | open it for this plan with --allow shell         |
      | supervised | fetch    | profile supervised denies network                |
      | trusted    | fetch    | open it for this plan with --allow network       |
      | ci         | fetch    | profile ci denies network                        |
      | auto       | escape   | profile auto denies unsafe                       |

  Scenario Outline: The profile <profile> lets <tool> through
    Given a plan file:
      """
      name: profile
      definition_of_done: it runs
      automation_profile: <profile>
      decisions:
        - title: try
          calls: [{ tool: <tool> }]
      """
    And the plan is strategized
    When execute runs
    Then the attempt should succeed
    And the plan should be in "apply/queued"
    And "<tool>" should have run 1 time

    Examples:
      | profile    | tool     |
      | supervised | scribble |
      | supervised | command  |
      | cautious   | scribble |
      | auto       | fetch    |
      | full-auto  | escape   |

  Scenario Outline: --allow <gate> opens that gate for the plan, and no other
    Given a plan file:
      """
      name: allowed
      definition_of_done: one runs and one does not
      automation_profile: <profile>
      decisions:
        - title: try
          calls: [{ tool: <opened> }, { tool: <closed> }]
      """
    And the gate <gate> is opened for the plan
    And the plan is strategized
    When execute runs
    Then the attempt should fail with "refused"
    And "<opened>" should have run 1 time
    And "<closed>" should have run 0 times
    And its failure should be of kind "refused"

    Examples:
      | gate    | profile    | opened  | closed |
      | shell   | cautious   | command | fetch  |
      | network | supervised | fetch   | escape |
      | unsafe  | ci         | escape  | fetch  |

  Scenario Outline: --allow cannot open <gate>
    Given a plan file:
      """
      name: allowed
      definition_of_done: it is refused
      decisions: [{ title: try }]
      """
    When I attempt to open the gate <gate> for the plan
    Then it should raise a ValidationError about "allow"

    Examples:
      | gate    |
      | write   |
      | execute |
      | apply   |

  Scenario: Somebody who approves opens what asks
    Given a plan file:
      """
      name: approved
      definition_of_done: it runs
      automation_profile: review
      decisions:
        - title: try
          calls: [{ tool: scribble }]
      """
    And somebody who approves
    And the plan is strategized
    When execute runs
    Then the attempt should succeed
    And "scribble" should have run 1 time

  Scenario: Somebody who approves does not open what is denied
    Given a plan file:
      """
      name: denied all the same
      definition_of_done: it is refused
      decisions:
        - title: try
          calls: [{ tool: fetch }]
      """
    And somebody who approves
    And the plan is strategized
    When execute runs
    Then the attempt should fail with "refused"
    And "fetch" should have run 0 times

  Scenario: Somebody who denies is quoted
    Given a plan file:
      """
      name: denied
      definition_of_done: it is refused
      automation_profile: review
      decisions:
        - title: try
          calls: [{ tool: scribble }]
      """
    And somebody who denies because "not before lunch"
    And the plan is strategized
    When execute runs
    Then the attempt should fail with "refused"
    And its failure should be of kind "refused"
    And its error_message should contain "not before lunch"
    And "scribble" should have run 0 times

  Scenario: The deny list is stronger than any profile
    Given a plan file:
      """
      name: deny list
      definition_of_done: it is refused
      automation_profile: full-auto
      decisions:
        - title: try
          calls: [{ tool: peek }]
      """
    And the plan denies the tool "peek"
    And the plan is strategized
    When execute runs
    Then the attempt should fail with "refused"
    And its failure should be of kind "refused"
    And its error_message should contain "policy does not let this plan use peek"
    And "peek" should have run 0 times

  Scenario: An allow list lets nothing else through
    Given a plan file:
      """
      name: allow list
      definition_of_done: one runs and one does not
      automation_profile: full-auto
      decisions:
        - title: try
          calls: [{ tool: peek }, { tool: scribble }]
      """
    And the plan allows no other tool than "peek"
    And the plan is strategized
    When execute runs
    Then the attempt should fail with "refused"
    And "peek" should have run 1 time
    And "scribble" should have run 0 times

  Scenario: The limit of calls in the plan
    Given a plan file:
      """
      name: limit
      definition_of_done: two run
      limits: { tool_calls: 2 }
      decisions:
        - title: first
          calls: [{ tool: peek }]
        - title: second
          calls: [{ tool: peek }, { tool: peek }]
      """
    And the plan is strategized
    When execute runs
    Then the attempt should fail with "refused"
    And the plan should be in "execute/errored"
    And its failure should be of kind "limit"
    And its error_message should contain "the limit of 2 tool calls in the plan is used up"
    And "peek" should have run 2 times
    When execute runs again
    Then the attempt should fail with "refused"
    And "peek" should have run 2 times

  Scenario: The limit of calls in a decision begins anew with each decision
    Given a plan file:
      """
      name: limit
      definition_of_done: two and one run
      limits: { tool_calls_per_decision: 2 }
      decisions:
        - title: first
          calls: [{ tool: peek }, { tool: peek }]
        - title: second
          calls: [{ tool: peek }, { tool: peek }, { tool: peek }]
      """
    And the plan is strategized
    When execute runs
    Then the attempt should fail with "refused"
    And its failure should be of kind "limit"
    And "peek" should have run 4 times

  Scenario: A call that takes too long is stopped
    Given a plan file:
      """
      name: slow
      definition_of_done: it is stopped
      decisions:
        - title: try
          calls: [{ tool: sleeper }]
      """
    And a call of the plan may take 20 ms
    And the plan is strategized
    When execute runs
    Then the attempt should fail with "call_failed"
    And its error_message should contain "longer than 20 ms"
    And the changeset should have the calls:
      | tool    | outcome   |
      | sleeper | timed_out |

  Scenario: A tool that panics fails its call and nothing else
    Given a plan file:
      """
      name: panic
      definition_of_done: it is survived
      decisions:
        - title: try
          calls: [{ tool: bomb }]
      """
    And the plan is strategized
    When execute runs
    Then the attempt should fail with "call_failed"
    And the plan should be in "execute/errored"
    And its error_message should contain "the tool panicked"
    And the changeset should have the calls:
      | tool | outcome |
      | bomb | failed  |

  Scenario: A tool that says it only reads cannot ask to write
    Given a plan file:
      """
      name: sly
      definition_of_done: it is refused
      automation_profile: full-auto
      decisions:
        - title: try
          calls: [{ tool: sly }]
      """
    And the plan is strategized
    When execute runs
    Then the attempt should fail with "refused"
    And its error_message should contain "says it is read-only but asks for the write gate"
    And "sly" should have run 0 times

  Scenario Outline: The <phase> phase is read-only, whatever the profile says
    When "scribble" is called in the <phase> phase under the profile "full-auto"
    Then the call should be refused with "the <phase> phase is read-only"
    And "scribble" should have run 0 times
    When "peek" is called in the <phase> phase under the profile "full-auto"
    Then the call should have succeeded

    Examples:
      | phase      |
      | action     |
      | strategize |
      | apply      |

  Scenario: Execute itself asks, and nobody is a refusal
    Given a plan file:
      """
      name: alone
      definition_of_done: nothing runs
      automation_profile: supervised
      decisions:
        - title: try
          calls: [{ tool: peek }]
      """
    And the plan is strategized
    And nobody types the commands
    When execute runs
    Then the attempt should fail with "refused"
    And the message should contain "asks before execute, and nobody is there to answer"
    And the plan should be in "execute/queued"
    And "peek" should have run 0 times

  Scenario: Strategize itself asks, and nobody is a refusal
    Given a plan file:
      """
      name: alone
      definition_of_done: nothing runs
      automation_profile: manual
      decisions: [{ title: try }]
      """
    And the plan is created
    And nobody types the commands
    When strategize runs
    Then the attempt should fail with "refused"
    And the plan should be in "strategize/queued"

  Scenario: A profile that nobody knows is an error that lists the choices
    When I attempt to read a plan file:
      """
      name: reckless
      definition_of_done: it is refused
      automation_profile: reckless
      """
    Then it should raise a ValidationError about "automation_profile"
    And the message should contain "choose one of manual, review, supervised, cautious, trusted, auto, ci, full-auto"
