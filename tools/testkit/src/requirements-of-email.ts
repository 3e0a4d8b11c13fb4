// The requirements of e-mail and of the ladder: which outlets notify a person of a question, and when.

export const emailSections = [
  {
    source: "design §5, e-mail",
    claims: {
      "email.content": "A mail says who asks for what and until when, and has one link, to the page of the question.",
      "email.no-answer-content": "No mail contains an answer or reveals which answer was given.",
      "email.hostile-text": "Nothing that an asker writes becomes a link, markup or a hidden character in a mail.",
      "email.header-injection": "Nothing that an asker or an address contains becomes a header or a recipient.",
      "email.one-message-id":
        "All attempts of one delivery have the same Message-ID, and no attempt follows an accepted one.",
      "email.retried":
        "A mail that the mail server refuses temporarily can be sent again, and its address is not marked as dead.",
      "email.dead-address":
        "An address that the mail server rejects as unknown, immediately or by a bounce to a return address, gets no more mails.",
      "email.no-withdrawal": "When a mailed question ends, nothing is sent unless the operator asked for it.",
      "email.unsubscribe":
        "A person can unsubscribe from mails of one kind in one click without signing in; that stops mails, and answers nothing.",
    },
  },
  {
    source: "design §5, the ladder",
    claims: {
      "ladder.in-order": "Each outlet notifies a person of a question at its time, if the question is still open then.",
      "ladder.answered":
        "An answer through one outlet withdraws the question everywhere, and no later message is sent.",
      "ladder.moves-up":
        "When no earlier outlet can show a question to a person, or the last one failed, the next one shows it immediately.",
      "ladder.own-choice":
        "A person's own times and kinds of question take precedence over the configured ones, and apply to messages not sent yet.",
      "ladder.survives": "The order survives a restart, and with several processes each message is sent once.",
      "ladder.quiet-hours":
        "In a person's quiet hours, by their own clock, only questions that would end before the quiet hours do are sent, and none if the person wants silence.",
      "ladder.off-answers-nothing": "Turning messages off ends no open question.",
    },
  },
] as const
