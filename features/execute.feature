@execute
Feature: Execute
  Calls act in a private copy. A call that fails is taken back at once and its outcome says what was taken back; the
  calls before it stay. Executing again goes on at the call that failed.

  Background:
    Given a project with the files:
      | path         | content | mode |
      | greeting.txt | hello   | 644  |
      | bin/run.sh   | echo hi | 755  |
    And the toy tools:
      | tool     | needs | does                   |
      | scribble | write | writes                 |
      | flaky    | write | writes then fails once |
      | broken   | write | writes then fails      |
      | thief    | shell | writes                 |
      | reader   | nothing | writes               |

  Scenario: What the tools write is recorded with its call, and the project is untouched
    Given a plan of a person, strategized, from the file:
      """
      name: write
      definition_of_done: two files are written
      decisions:
        - title: greet
          calls: [{ tool: scribble, with: { path: greeting.txt, content: "welcome\n" } }]
        - title: add
          calls: [{ tool: scribble, with: { path: docs/new.md, content: "new\n" } }]
      """
    When execute runs
    Then the attempt should succeed
    And the plan should be in "apply/queued"
    And the outcome should say that 2 tool calls were made
    And the changeset should have the changes:
      | operation | path         |
      | modify    | greeting.txt |
      | create    | docs         |
      | create    | docs/new.md  |
    And the changeset should be sealed by its own digest
    And the sandbox file "docs/new.md" should say "new"
    And the project should be exactly as it was

  Scenario Outline: A call that fails half-way is taken back, and execute goes on there (journal <journal>)
    Given a journal that is "<journal>"
    And a plan of a person, strategized, from the file:
      """
      name: half-way
      definition_of_done: four files are written
      decisions:
        - title: first
          calls:
            - { tool: scribble, with: { path: one.txt, content: "one\n" } }
            - { tool: scribble, with: { path: greeting.txt, content: "two\n" } }
        - title: second
          calls:
            - { tool: flaky, with: { path: greeting.txt, content: "three\n" } }
            - { tool: scribble, with: { path: four.txt, content: "four\n" } }
      """
    When execute runs
    Then the attempt should fail with "call_failed"
    And the plan should be in "execute/errored"
    And its failure should be of kind "failed"
    And its error_message should contain "the toy broke half-way"
    And its error_details should have the exception_type "ToolError" and the mode "runtime"
    And the changeset should have the calls:
      | tool     | outcome   |
      | scribble | succeeded |
      | scribble | succeeded |
      | flaky    | failed    |
    And the changeset should have the changes:
      | operation | path         |
      | create    | one.txt      |
      | modify    | greeting.txt |
    And the failed call should have discarded:
      | operation | path                 |
      | modify    | greeting.txt         |
      | create    | greeting.txt.partial |
    And the changeset should not be sealed
    And the sandbox file "greeting.txt" should say "two"
    And there should be no "greeting.txt.partial" in the sandbox
    And the project should be exactly as it was
    When execute runs again
    Then the attempt should succeed
    And the plan should be in "apply/queued"
    And it should have no failure
    And the plan should have 1 changeset
    And the plan should count 0 reversions and 1 retry
    And "scribble" should have run 3 times
    And "flaky" should have run 2 times
    And the changeset should have the calls:
      | tool     | outcome   |
      | scribble | succeeded |
      | scribble | succeeded |
      | flaky    | failed    |
      | flaky    | succeeded |
      | scribble | succeeded |
    And the changeset should have the changes:
      | operation | path         |
      | create    | one.txt      |
      | modify    | greeting.txt |
      | modify    | greeting.txt |
      | create    | four.txt     |
    And the changeset should be sealed by its own digest
    And there should be no "greeting.txt.partial" in the sandbox
    And the project should be exactly as it was

    Examples:
      | journal   |
      | in memory |
      | on disk   |

  Scenario: A call that fails again leaves what was recorded as it was
    Given a plan of a person, strategized, from the file:
      """
      name: broken
      definition_of_done: it is tried twice
      decisions:
        - title: try
          calls:
            - { tool: scribble, with: { path: one.txt } }
            - { tool: broken, with: { path: two.txt } }
      """
    When execute runs
    And execute runs again
    Then the attempt should fail with "call_failed"
    And the plan should be in "execute/errored"
    And "scribble" should have run 1 time
    And the changeset should have the changes:
      | operation | path    |
      | create    | one.txt |
    And there should be no "two.txt" in the sandbox
    And the project should be exactly as it was

  Scenario: A plan that is executed is not executed again
    Given a plan of a person, strategized, from the file:
      """
      name: once
      definition_of_done: it is done once
      decisions:
        - title: write
          calls: [{ tool: scribble, with: { path: one.txt } }]
      """
    When execute runs
    Then the plan should be in "apply/queued"
    When execute runs again
    Then the attempt should fail with "state"
    And the message should contain "executed already"
    And "scribble" should have run 1 time
    And the plan should be in "apply/queued"
    And the plan should have 1 changeset
    And the changeset should be sealed by its own digest

  Scenario Outline: A tool that was not granted the write gate cannot write through its files
    Given a plan of a person, strategized, from the file:
      """
      name: not granted
      definition_of_done: nothing is written
      automation_profile: full-auto
      decisions:
        - title: try
          calls: [{ tool: <tool>, with: { path: greeting.txt } }]
      """
    When execute runs
    Then the attempt should fail with "call_failed"
    And its error_message should contain "this call may only read"
    And the changeset should be empty
    And the sandbox file "greeting.txt" should say "hello"

    Examples:
      | tool   |
      | reader |
      | thief  |

  Scenario Outline: No path leads out of the project: <path>
    Given a plan of a person, strategized, from the file:
      """
      name: escape
      definition_of_done: it is refused
      automation_profile: full-auto
      decisions:
        - title: try
          calls: [{ tool: scribble, with: { path: "<path>" } }]
      """
    When execute runs
    Then the attempt should fail with "call_failed"
    And the plan should be in "execute/errored"
    And the changeset should be empty
    And there should be nothing beside the project but what belongs there
    And the project should be exactly as it was

    Examples:
      | path          |
      | ../escape.txt |
      | /escape.txt   |
      | a/../../b.txt |
      | .git/config   |
      | sub/.GIT/hook |

  Scenario: Decisions are carried out in an order that respects depends_on
    Given a plan of a person, strategized, from the file:
      """
      name: order
      definition_of_done: second things second
      decisions:
        - id: late
          title: late
          depends_on: [early]
          calls: [{ tool: scribble, with: { path: late.txt } }]
        - id: early
          title: early
          calls: [{ tool: scribble, with: { path: early.txt } }]
      """
    When execute runs
    Then the changeset should have the changes:
      | operation | path      |
      | create    | early.txt |
      | create    | late.txt  |
