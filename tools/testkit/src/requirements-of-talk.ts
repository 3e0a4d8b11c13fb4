// The requirements on talking to agents in Slack. Part of requirements.ts.

export const talkSections = [
  {
    source: "docs/slack.md, talk to an agent",
    claims: {
      "slack.talk": "A mention or a direct message begins a run, and its reply streams into the thread.",
      "slack.talk-pauses":
        "A reply pauses at a question and continues after the answer, and depends on no timer of Slack.",
      "slack.talk-own":
        "A run belongs to the person who wrote the message, even in a thread that another person began.",
      "slack.talk-stop": "A person can stop their own replies in Slack, and no other person's.",
      "slack.talk-once": "A message that is delivered again, to any process, is answered once.",
      "slack.talk-whole":
        "A reply appears in Slack once and whole, even after lost connections, limits, and the death of its process.",
      "slack.talk-harmless": "The text of a model mentions no person, group or channel.",
      "slack.talk-limits": "Fifty concurrent conversations are answered within Slack's limits.",
    },
  },
] as const
