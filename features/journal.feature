@journal
Feature: Journal
  The journal is the one truth about a plan. Whoever commits says after which record; who comes second is told so, and
  nothing is lost.

  Background:
    Given a plan file:
      """
      name: journaled
      definition_of_done: it is written down
      decisions:
        - title: look
          calls: [{ tool: peek }]
      """
    And the toy tools:
      | tool | needs   | does    |
      | peek | nothing | nothing |
    And a person who types the commands

  Scenario Outline: Of two writers at the same record only the first is committed (<journal>)
    Given a journal that is "<journal>"
    And the plan is created
    When two writers commit after the same record
    Then the second should fail with a conflict that names the head
    And only the first should be in the log
    And the records should be numbered without gaps, each chained to the one before it

    Examples:
      | journal   |
      | in memory |
      | on disk   |

  Scenario Outline: Many writers at once lose nothing (<journal>)
    Given a journal that is "<journal>"
    And the plan is created
    When 8 writers commit at once, each again until it is committed
    Then the notes of all 8 should be in the log, each once
    And the records should be numbered without gaps, each chained to the one before it

    Examples:
      | journal   |
      | in memory |
      | on disk   |

  Scenario Outline: A record cannot name content that is nowhere (<journal>)
    Given a journal that is "<journal>"
    And the plan is created
    When a record is committed that names content which is nowhere
    Then the commit should fail because content is missing
    And the records should be numbered without gaps, each chained to the one before it

    Examples:
      | journal   |
      | in memory |
      | on disk   |

  Scenario Outline: A process whose plan was moved by another commits nothing more (<journal>)
    Given a journal that is "<journal>"
    And the plan is strategized
    When the plan is cancelled by another process while execute runs
    Then the attempt should fail with "moved"
    And "peek" should have run 0 times
    And the plan should be in "execute/cancelled"
    And the last record should be the cancellation
    And the records should be numbered without gaps, each chained to the one before it

    Examples:
      | journal   |
      | in memory |
      | on disk   |

  Scenario: A journal on disk tells another process the same
    Given a journal that is "on disk"
    And the plan is executed
    When another process opens the journal
    Then the plan should be in "apply/queued"
    And the changeset should be sealed by its own digest
    And the changeset should have the calls:
      | tool | outcome   |
      | peek | succeeded |
    And the records should be numbered without gaps, each chained to the one before it
    And a late reader should see exactly what the listener heard
