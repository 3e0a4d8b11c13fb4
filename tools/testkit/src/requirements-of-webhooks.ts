// The requirements on webhooks: events for programs, signed, in order, and sent only to their own addresses.

export const webhookSections = [
  {
    source: "webhooks for programs, signed as Standard Webhooks",
    claims: {
      "webhook.events":
        "A program's endpoint gets events about its questions and their ends, in the format of the HTTP API.",
      "webhook.signed":
        "A receiver with the library of Standard Webhooks refuses what is altered, replayed or foreign.",
      "webhook.rotated": "After a rotation events are signed with both secrets for a day.",
      "webhook.lasting": "No event is lost with a process: another one, or the next start, sends it.",
      "webhook.ordered": "The next event of a question is sent once the one before was accepted or abandoned.",
      "webhook.retried": "A failed attempt is retried with growing delays, the same id and a new time.",
      "webhook.fair": "A receiver that hangs has one place, so that it does not delay the events of other programs.",
      "webhook.sender":
        "Only `holdpoint serve` sends events: other processes on its database do not have its settings.",
      "webhook.disabled": "An endpoint that answers 410, or fails for days, is disabled and shows why.",
      "webhook.paused": "A paused endpoint is sent nothing; its events are kept until it is resumed.",
      "webhook.guarded": "Events go only to public addresses unless the operator allows more, and follow no redirect.",
      "webhook.own":
        "An endpoint gets only events about its own program's questions, unless it is configured to get others.",
      "webhook.rendering":
        "For questions of other programs an endpoint gets what is needed to show them, and no part of the answer.",
    },
  },
] as const
