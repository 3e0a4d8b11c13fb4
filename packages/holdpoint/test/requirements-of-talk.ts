// What is claimed of talking to agents in Slack. Part of requirements.ts.

export const talkSections = [
  {
    source: "docs/slack.md, talk to an agent",
    claims: {
      "slack.talk": "A mention or a direct message begins a run, and its reply streams into the thread.",
      "slack.talk-pauses": "A reply pauses at a question and goes on after the answer, on no timer of Slack's.",
      "slack.talk-own": "A run belongs to the person who wrote the message, also in a thread that another one began.",
      "slack.talk-stop": "A person stops their own replies in Slack, and no other person's.",
      "slack.talk-once": "A message that comes again, to any process, is answered once.",
      "slack.talk-whole":
        "A reply is in Slack once and whole, also after lost connections, limits, and the death of its process.",
      "slack.talk-harmless": "What a model says mentions no person, group or channel.",
      "slack.talk-limits": "Fifty conversations at once are answered within Slack's limits.",
    },
  },
] as const
