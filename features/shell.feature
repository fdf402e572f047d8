@shell
Feature: The shell
  A command runs in the private copy. What it really changed is captured, whatever it says, and nothing else is
  believed.

  Background:
    Given a project with the files:
      | path         | content | mode |
      | greeting.txt | hello   | 644  |
      | old.txt      | old     | 644  |
    And the built-in tools with the best confinement of this machine

  Scenario: What a command changed is captured, and the project is untouched until apply
    Given a plan of a person, strategized, from the file:
      """
      name: command
      definition_of_done: it has run
      automation_profile: full-auto
      decisions:
        - title: run
          calls:
            - tool: shell
              with: { command: "echo welcome > greeting.txt; mkdir docs; echo new > docs/new.md; rm old.txt; chmod 755 greeting.txt" }
      """
    When execute runs
    Then the attempt should succeed
    And the changeset should have the changes:
      | operation | path         |
      | create    | docs         |
      | create    | docs/new.md  |
      | modify    | greeting.txt |
      | delete    | old.txt      |
    And the project should be exactly as it was
    And every command should say how it was confined
    When apply runs
    Then the plan should be in "apply/applied"
    And the project file "greeting.txt" should say "welcome"
    And the project file "greeting.txt" should have the mode 755
    And there should be no "old.txt" in the project
    When rollback runs
    Then the project should be exactly as it was

  Scenario: A command that fails is taken back
    Given a plan of a person, strategized, from the file:
      """
      name: failing command
      definition_of_done: it has failed
      automation_profile: full-auto
      decisions:
        - title: run
          calls:
            - { tool: shell, with: { command: "echo kept > kept.txt" } }
            - { tool: shell, with: { command: "echo gone > gone.txt; rm greeting.txt; exit 3" } }
      """
    When execute runs
    Then the attempt should fail with "call_failed"
    And the plan should be in "execute/errored"
    And the changeset should have the changes:
      | operation | path     |
      | create    | kept.txt |
    And the failed call should have discarded:
      | operation | path         |
      | create    | gone.txt     |
      | delete    | greeting.txt |
    And the sandbox file "greeting.txt" should say "hello"
    And there should be no "gone.txt" in the sandbox
    And the project should be exactly as it was

  @confined
  Scenario: A confined command cannot write outside the project
    Given a plan of a person, strategized, from the file:
      """
      name: escape
      definition_of_done: nothing is left of it
      automation_profile: auto
      decisions:
        - title: run
          calls:
            - { tool: shell, with: { command: "cd .. && echo escaped > escaped.txt" } }
      """
    When execute runs
    Then every command should have been "confined"
    And there should be nothing beside the project but what belongs there
    And the project should be exactly as it was

  @confined
  Scenario: A confined command needs no more than the shell gate, and its record says that it was confined
    Given a plan of a person, strategized, from the file:
      """
      name: confined
      definition_of_done: it has run
      automation_profile: supervised
      decisions:
        - title: run
          calls:
            - { tool: shell, with: { command: "echo welcome > greeting.txt" } }
      """
    When execute runs
    Then the attempt should succeed
    And every command should have been "confined"
    And the changeset should have the changes:
      | operation | path         |
      | modify    | greeting.txt |

  @confined
  Scenario: What a confined command leaves running is gone when the call ends
    Given a plan of a person, strategized, from the file:
      """
      name: background
      definition_of_done: it has run
      automation_profile: supervised
      decisions:
        - title: run
          calls:
            - tool: shell
              with: { command: "(sleep 0.5; echo late > late.txt) > /dev/null 2>&1 < /dev/null & echo now > now.txt" }
      """
    When execute runs
    And 1 second passes
    Then every command should have been "confined"
    And there should be no "late.txt" in the sandbox
    And the changeset should have the changes:
      | operation | path    |
      | create    | now.txt |
