// The requirements on questions that several people have to approve, and on reminders and escalations.

export const approvalSections = [
  {
    source: "decisions 79 and 80: approvals of several people",
    claims: {
      "votes.counted-once":
        "A question with n approvals completes with the Yes of n different people, and never with fewer.",
      "votes.survive-restart": "Votes are stored with the question: a restart between two of them loses none.",
      "votes.none-lost": "People who vote at the same time through different processes are all counted.",
      "votes.one-end": "Of the last Yes and a No at the same time one counts, and the other person is told which.",
      "votes.no-declines": "The first No declines the question, with its reason, also after a Yes of the same person.",
      "votes.not-the-requester": "The person on whose behalf a question is asked cannot answer it.",
      "votes.checked-when-asked":
        "Approvals that cannot be reached, or of a form that is not a yes-or-no question, are refused when asked.",
      "votes.told-to-asker":
        "The asker gets who voted, when, through what and why not: in the outcome, over HTTP and in webhooks.",
      "votes.shown-on-pages":
        "Pages say how many people have approved, and who; a person who approved can still say No.",
      "votes.escalation-allowed": "A program may escalate only to a role that its key allows.",
      "caller.answers-with-token":
        "A person answers over HTTP with a token that was issued to them for the API, and no other person's questions.",
      "limit.per-program":
        "Open questions and questions in a minute are limited for each program, as configured, over all processes.",
      "votes.part-of-the-key": "One key cannot be used with different rules of approval.",
      "agenda.escalates-once": "After the given time another role may answer too; any process does it, once.",
      "agenda.reminds-once": "Each reminder is sent once, to people who have not voted, also with several processes.",
      "agenda.delivers-later":
        "An escalation and a reminder reach people through lasting outlets, and are withdrawn with the question.",
    },
  },
] as const
