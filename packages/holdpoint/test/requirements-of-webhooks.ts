// The requirements on webhooks: events for programs, signed, in order, and sent to no address that is not theirs.

export const webhookSections = [
  {
    source: "webhooks for programs, signed as Standard Webhooks",
    claims: {
      "webhook.events":
        "A program's endpoint is told of its questions and of their ends, in the shape of the HTTP API.",
      "webhook.signed":
        "A receiver with the library of Standard Webhooks refuses what is altered, replayed or foreign.",
      "webhook.rotated": "After a rotation events are signed with both secrets for a day.",
      "webhook.lasting": "No event is lost with a process: another one, or the next start, sends it.",
      "webhook.ordered": "The next event of a question is sent when the one before was accepted or given up.",
      "webhook.retried": "A failed attempt is repeated with growing pauses, the same id and a new time.",
      "webhook.disabled": "An endpoint that answers 410, or fails for days, is disabled and shows why.",
      "webhook.paused": "A paused endpoint is sent nothing; its events are kept until it is resumed.",
      "webhook.guarded": "Events go to public addresses alone unless the operator allows more, and follow no redirect.",
      "webhook.own": "An endpoint hears of its own program's questions alone, unless it is to hear of others.",
      "webhook.rendering":
        "Of others' questions an endpoint gets what is needed to show them, and nothing of the answer.",
    },
  },
] as const
