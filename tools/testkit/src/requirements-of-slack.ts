// The requirements of Slack, in the form of requirements.ts.

export const slackSections = [
  {
    source: "issue: Slack",
    claims: {
      "slack.requests-verified":
        "A request that Slack did not sign within five minutes, or that is of another app or workspace, is refused.",
      "slack.answered-by-a-press":
        "A yes-or-no question is answered in Slack by one press of a button that names the act.",
      "slack.only-the-addressee":
        "A press by a person who may not answer changes nothing, and is refused where only they see it.",
      "slack.late-press": "A press at a question that has ended is answered in words with how the question ended.",
      "slack.every-field":
        "A form is filled in in Slack with an input for every kind of field; the hub checks the answer.",
      "slack.within-limits":
        "Every valid question is shown in Slack within its documented limits, in full or with a link to its page.",
      "slack.text-is-text": "Text of askers mentions no person in Slack, links nowhere and formats nothing.",
      "slack.once-each-through-limits":
        "200 concurrent questions reach their people once each, at the pace that Slack allows.",
      "slack.survives-restarts":
        "A question that one process posted is answered through another and ended by a third, even after a crash.",
      "slack.linked-then-asked":
        "A question for a person whose Slack account is not linked invites them, and is asked there once it is.",
      "slack.link-binds-no-stranger":
        "A link that is forwarded or stolen binds no Slack account to another person, in either direction.",
      "slack.event-handled-once": "An event that Slack sends again, to any process, is handled once.",
      "slack.event-survives-a-death":
        "An event is stored before it is acknowledged, and handled by another process when the first one dies.",
    },
  },
] as const
