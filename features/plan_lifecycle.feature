@lifecycle
Feature: Plan life cycle
  One table says which state follows which. Every entry point goes through it.

  Scenario Outline: A plan in <from> can <move>
    Given a plan state of "<from>"
    When it makes the move "<move>"
    Then the plan state should be "<to>"

    Examples:
      | from                  | move      | to                    |
      | action/queued         | complete  | action/complete       |
      | action/complete       | advance   | strategize/queued     |
      | strategize/queued     | start     | strategize/processing |
      | strategize/processing | complete  | strategize/complete   |
      | strategize/processing | fail      | strategize/errored    |
      | strategize/errored    | retry     | strategize/queued     |
      | strategize/complete   | advance   | execute/queued        |
      | execute/queued        | start     | execute/processing    |
      | execute/processing    | complete  | execute/complete      |
      | execute/processing    | fail      | execute/errored       |
      | execute/errored       | retry     | execute/queued        |
      | execute/complete      | advance   | apply/queued          |
      | apply/queued          | start     | apply/processing      |
      | apply/queued          | constrain | apply/constrained     |
      | apply/constrained     | release   | apply/queued          |
      | apply/processing      | conflict  | apply/queued          |
      | apply/processing      | fail      | apply/errored         |
      | apply/errored         | retry     | apply/queued          |

  Scenario Outline: A plan in <from> whose apply is committed can <move>
    Given a plan state of "<from>"
    And its apply is committed
    When it makes the move "<move>"
    Then the plan state should be "<to>"

    Examples:
      | from             | move     | to            |
      | apply/processing | apply    | apply/applied |
      | apply/processing | fail     | apply/errored |
      | apply/errored    | rollback | apply/queued  |

  Scenario: There is no other move
    Then exactly 18 moves should be legal before apply is committed, and 15 after it

  Scenario Outline: A plan in <from> cannot <move>
    Given a plan state of "<from>"
    When it attempts the move "<move>"
    Then the move should be refused
    And the message should contain "<from>"

    Examples:
      | from               | move     |
      | action/queued      | start    |
      | strategize/queued  | complete |
      | strategize/errored | start    |
      | execute/queued     | complete |
      | execute/complete   | start    |
      | execute/errored    | advance  |
      | execute/queued     | apply    |
      | apply/queued       | apply    |
      | apply/processing   | apply    |
      | apply/errored      | rollback |
      | apply/applied      | start    |
      | apply/cancelled    | retry    |

  Scenario Outline: A plan in <from> whose apply is committed cannot <move>
    Given a plan state of "<from>"
    And its apply is committed
    When it attempts the move "<move>"
    Then the move should be refused
    And the message should contain "only recovery or rollback moves it"

    Examples:
      | from             | move     |
      | apply/processing | conflict |
      | apply/processing | cancel   |
      | apply/errored    | retry    |
      | apply/errored    | revert   |
      | apply/errored    | cancel   |

  Scenario Outline: A plan in <from> can go back to strategize
    Given a plan state of "<from>"
    When it makes the move "revert"
    Then the plan state should be "strategize/queued"

    Examples:
      | from              |
      | execute/complete  |
      | execute/errored   |
      | apply/queued      |
      | apply/errored     |
      | apply/constrained |

  Scenario Outline: A plan in <from> cannot go back to strategize
    Given a plan state of "<from>"
    When it attempts the move "revert"
    Then the move should be refused

    Examples:
      | from                |
      | strategize/complete |
      | execute/processing  |
      | apply/processing    |
      | apply/applied       |
      | execute/cancelled   |

  Scenario: A plan goes back to strategize at most three times
    Given a plan state of "apply/queued"
    And it was reverted 2 times
    When it makes the move "revert"
    Then the plan state should be "strategize/queued"
    Given a plan state of "apply/queued"
    And it was reverted 3 times
    When it attempts the move "revert"
    Then the move should be refused
    And the message should contain "reverted 3 times already"

  Scenario Outline: A plan in <from> can be cancelled
    Given a plan state of "<from>"
    When it makes the move "cancel"
    Then the plan state should be "<to>"

    Examples:
      | from                  | to                   |
      | action/queued         | action/cancelled     |
      | strategize/processing | strategize/cancelled |
      | execute/errored       | execute/cancelled    |
      | apply/queued          | apply/cancelled      |
      | apply/processing      | apply/cancelled      |

  Scenario Outline: A plan in <from> is final
    Given a plan state of "<from>"
    When it attempts the move "cancel"
    Then the move should be refused
    And the message should contain "that state is final"

    Examples:
      | from              |
      | apply/applied     |
      | execute/cancelled |

  Rule: A real plan keeps to the table

    Background:
      Given a plan file:
        """
        name: go-back
        definition_of_done: it was tried more than once
        """
      And the stub is asked for
      And a person who types the commands

    Scenario: The third reversion of a plan is its last, and reversions are counted apart from retries
      Given the plan is executed
      And the plan is reverted
      When strategize runs
      And execute runs
      Then the plan should be in "apply/queued"
      Given the plan is reverted
      When strategize runs
      And execute runs
      Given the plan is reverted
      When strategize runs
      And execute runs
      Then the plan should count 3 reversions and 0 retries
      And the plan should have 4 changesets
      When the plan is reverted
      Then the move should be refused
      And the plan should be in "apply/queued"

    Scenario: A cancelled plan stays cancelled
      Given the plan is strategized
      When the plan is cancelled
      Then the plan should be in "execute/cancelled"
      When execute runs
      Then the attempt should fail with "state"
      When strategize runs
      Then the attempt should fail with "state"
      When the plan is cancelled
      Then the attempt should fail with "state"
      And the message should contain "that state is final"
      And the plan should be in "execute/cancelled"

    Scenario: A plan is strategized before it is executed
      Given the plan is created
      Then the plan should be in "strategize/queued"
      When execute runs
      Then the attempt should fail with "state"
      And the message should contain "strategize it first"
      And the plan should be in "strategize/queued"

    Scenario: A plan is strategized once
      Given the plan is strategized
      When strategize runs
      Then the attempt should fail with "state"
      And the plan should be in "execute/queued"
