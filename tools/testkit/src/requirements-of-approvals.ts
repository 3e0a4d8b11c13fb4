// The requirements on questions that several people have to approve, and on reminders and escalations.

export const approvalSections = [
  {
    source: "decisions 79 and 80: approvals of several people",
    claims: {
      "votes.counted-once":
        "A question with n approvals completes with the Yes of n different people, and never with fewer.",
      "votes.survive-restart": "Votes are stored with the question: a restart between two of them loses none.",
      "votes.none-lost": "Concurrent votes through different processes are all counted.",
      "votes.one-end":
        "When the last Yes and a No arrive at the same time, one of them counts, and the other person is told which.",
      "votes.of-current-members":
        "A Yes no longer counts when its person has signed in since without the role in which they may answer.",
      "votes.no-declines": "The first No declines the question, with its reason, even after a Yes of the same person.",
      "votes.not-the-requester": "The person on whose behalf a question is asked cannot answer it.",
      "votes.checked-when-asked":
        "A question is refused when its approvals cannot be reached, or when its form is not a yes-or-no question.",
      "votes.told-to-asker":
        "The asker gets who voted, when and through which surface, and the reason for a No: in the outcome, over HTTP and in webhooks.",
      "votes.shown-on-pages":
        "Pages say how many people have approved, and who; a person who approved can still say No.",
      "votes.escalation-allowed": "A program may escalate only to a role that its key allows.",
      "caller.answers-with-token":
        "With a token that was issued to them for the API, a person can answer their own questions over HTTP, and no other person's.",
      "limit.per-program":
        "The open questions and the questions per minute of each program are limited as configured, across all processes.",
      "votes.part-of-the-key": "One key cannot be used with different approval rules.",
      "agenda.escalates-once":
        "After the given time another role may answer too; any process can escalate, and only one does.",
      "agenda.reminds-once": "Each reminder is sent once, to people who have not voted, even with several processes.",
      "agenda.delivers-later":
        "An escalation and a reminder reach people through lasting outlets, and are withdrawn with the question.",
    },
  },
] as const
