@apply
Feature: Apply
  The sealed changes go to the real project in one step and are read back. A path that is not what was recorded is a
  conflict: all conflicts are listed and nothing at all is written.

  Background:
    Given a project with the files:
      | path         | content    | mode |
      | greeting.txt | hello      | 644  |
      | bin/run.sh   | echo hello | 755  |
      | old.txt      | old        | 600  |
      | other.txt    | not ours   | 644  |
    And the built-in tools
    And a plan of a person, strategized, from the file:
      """
      name: change three files
      definition_of_done: they are changed
      decisions:
        - title: reword
          calls:
            - { tool: edit_file, with: { path: greeting.txt, edits: [{ old: hello, new: welcome }] } }
            - { tool: edit_file, with: { path: bin/run.sh, edits: [{ old: hello, new: welcome }] } }
        - title: tidy up
          calls:
            - { tool: write_file, with: { path: docs/new.md, content: "new\n" } }
            - { tool: delete_path, with: { path: old.txt } }
      """

  Scenario: Sealed changes are applied and read back
    When execute runs
    Then the plan should be in "apply/queued"
    And the project should be exactly as it was
    When apply runs
    Then apply should have written:
      | operation | path         |
      | modify    | bin/run.sh   |
      | create    | docs         |
      | create    | docs/new.md  |
      | modify    | greeting.txt |
      | delete    | old.txt      |
    And the plan should be in "apply/applied"
    And the project file "greeting.txt" should say "welcome"
    And the project file "bin/run.sh" should say "echo welcome"
    And the project file "bin/run.sh" should have the mode 755
    And the project file "docs/new.md" should say "new"
    And there should be no "old.txt" in the project
    And the project file "other.txt" should say "not ours"
    And there should be nothing beside the project but what belongs there

  Scenario: A plan is applied once
    When execute runs
    And apply runs
    And the project is remembered as it is
    And apply runs again
    Then the attempt should fail with "state"
    And the message should contain "a changeset is applied once"
    And the plan should be in "apply/applied"
    And the project should be exactly as it was remembered

  Scenario: A file that was edited by hand is a conflict, and nothing is written
    When execute runs
    And somebody edits "greeting.txt" to say "edited by hand"
    And somebody edits "docs/new.md" to say "written by hand"
    And the project is remembered as it is
    And apply runs
    Then the attempt should fail with "conflict"
    And it should list exactly the conflicts "docs, docs/new.md, greeting.txt"
    And the project should be exactly as it was remembered
    And the plan should be in "apply/queued"
    And the plan should remember the conflicts "docs, docs/new.md, greeting.txt"
    And the plan should never have been applied

  Scenario: When the conflict is settled the plan can be applied
    When execute runs
    And somebody edits "greeting.txt" to say "edited by hand"
    And apply runs
    Then the attempt should fail with "conflict"
    When somebody edits "greeting.txt" to say "hello"
    And apply runs again
    Then the attempt should succeed
    And the plan should be in "apply/applied"
    And the project file "greeting.txt" should say "welcome"

  Scenario: A file that the plan does not touch may be edited
    When execute runs
    And somebody edits "other.txt" to say "edited by hand"
    And apply runs
    Then the attempt should succeed
    And the plan should be in "apply/applied"
    And the project file "other.txt" should say "edited by hand"

  Scenario: A file that does not read back as it was written is an error, never a success
    Given something spoils "greeting.txt" after each write of the project
    When execute runs
    And apply runs
    Then the attempt should fail with "target_differs"
    And it should list exactly "greeting.txt" as differing
    And the plan should be in "apply/errored"
    And its failure should be of kind "target_differs"
    And the plan should never have been applied
    When apply runs again
    Then the attempt should fail with "state"
    And the message should contain "roll back"

  Scenario: Only an executed plan can be applied
    When apply runs
    Then the attempt should fail with "state"
    And the message should contain "execute it first"
    And the plan should be in "execute/queued"
    And the project should be exactly as it was

  Scenario: A cancelled plan cannot be applied
    When execute runs
    And the plan is cancelled
    And apply runs
    Then the attempt should fail with "state"
    And the plan should be in "apply/cancelled"
    And the project should be exactly as it was
