@rollback
Feature: Rollback
  Rollback gives back the exact state before the plan, for the plan's paths and nothing else. A path that was edited
  since is a conflict, and the edit survives.

  Background:
    Given a project with the files:
      | path         | content    | mode |
      | greeting.txt | hello      | 644  |
      | bin/run.sh   | echo hello | 755  |
      | old.txt      | old        | 600  |
      | empty.txt    |            | 644  |
    And the built-in tools
    And a plan of a person, strategized, from the file:
      """
      name: change and take back
      definition_of_done: it is changed
      decisions:
        - title: change
          calls:
            - { tool: edit_file, with: { path: greeting.txt, edits: [{ old: hello, new: welcome }] } }
            - { tool: write_file, with: { path: docs/deep/new.md, content: "new\n" } }
            - { tool: write_file, with: { path: empty.txt, content: "full\n" } }
            - { tool: move_path, with: { from: bin/run.sh, to: bin/start.sh } }
            - { tool: delete_path, with: { path: old.txt } }
      """

  Scenario: The exact tree comes back
    When execute runs
    And apply runs
    Then the plan should be in "apply/applied"
    And the project file "bin/start.sh" should have the mode 755
    And there should be no "bin/run.sh" in the project
    When rollback runs
    Then rollback should have written:
      | operation | path             |
      | create    | bin/run.sh       |
      | delete    | bin/start.sh     |
      | delete    | docs             |
      | delete    | docs/deep        |
      | delete    | docs/deep/new.md |
      | modify    | empty.txt        |
      | modify    | greeting.txt     |
      | create    | old.txt          |
    And the project should be exactly as it was
    And the plan should be known as rolled back
    And the plan should be in "apply/applied"

  Scenario: A file that was edited since is a conflict, and the edit survives
    When execute runs
    And apply runs
    And somebody edits "greeting.txt" to say "edited by hand"
    And the project is remembered as it is
    And rollback runs
    Then the attempt should fail with "conflict"
    And it should list exactly the conflict "greeting.txt"
    And the project file "greeting.txt" should say "edited by hand"
    And the project should be exactly as it was remembered
    And the plan should be in "apply/applied"

  Scenario: A file of somebody else in a directory of the plan is not destroyed
    When execute runs
    And apply runs
    And somebody edits "docs/deep/mine.md" to say "mine"
    And the project is remembered as it is
    And rollback runs
    Then the attempt should fail with "conflict"
    And the project should be exactly as it was remembered

  Scenario: A plan is rolled back once
    When execute runs
    And apply runs
    And rollback runs
    And rollback runs again
    Then the attempt should fail with "state"
    And the message should contain "rolled back already"
    And the project should be exactly as it was

  Scenario: A plan that was not applied cannot be rolled back
    When execute runs
    And rollback runs
    Then the attempt should fail with "state"
    And the message should contain "it was not applied"
    And the plan should be in "apply/queued"
    And the project should be exactly as it was

  Scenario: Rollback is the way out of a write that did not read back
    Given something spoils "greeting.txt" after each write of the project
    When execute runs
    And apply runs
    Then the attempt should fail with "target_differs"
    When nothing spoils the project any more
    And the project is remembered as it is
    And rollback runs
    Then the attempt should fail with "conflict"
    And it should list exactly the conflict "greeting.txt"
    And the project should be exactly as it was remembered
    When somebody edits "greeting.txt" to say "welcome"
    And rollback runs again
    Then the attempt should succeed
    And the project should be exactly as it was
    And the plan should be in "apply/queued"
    When apply runs
    Then the attempt should succeed
    And the plan should be in "apply/applied"
    And the project file "greeting.txt" should say "welcome"
