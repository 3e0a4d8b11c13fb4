// The requirements of e-mail and of the ladder: which places tell a person of a question, and when.

export const emailSections = [
  {
    source: "design §5, e-mail",
    claims: {
      "email.content": "A mail says who asks for what and until when, and has one link, to the page of the question.",
      "email.no-answer-content": "No mail contains an answer, nor which answer it was.",
      "email.hostile-text": "Nothing that an asker writes becomes a link, markup or a hidden character in a mail.",
      "email.header-injection": "Nothing that an asker or an address contains becomes a header or a recipient.",
      "email.one-message-id":
        "All attempts of one delivery have one Message-ID, and after an accepted attempt there is no other.",
      "email.retried": "A temporary refusal of the mail server is tried again, and says nothing about the address.",
      "email.dead-address":
        "An address that the mail server does not know, at once or by a bounce to a return address, gets no more mails.",
      "email.no-withdrawal": "When a mailed question ends, nothing is sent unless the operator asked for it.",
      "email.unsubscribe":
        "Mails of one kind can be stopped in one click without signing in; that stops mails, and answers nothing.",
    },
  },
  {
    source: "design §5, the ladder",
    claims: {
      "ladder.in-order": "Each place tells a person of a question at its time, if the question is still open then.",
      "ladder.answered": "An answer in one place withdraws the question everywhere, and nothing later is sent.",
      "ladder.moves-up":
        "When no place before can show a question to a person, or the last one failed, the next one does so at once.",
      "ladder.own-choice":
        "A person's own times and kinds of question come before the configured ones, and apply to what was not sent yet.",
      "ladder.survives": "The order holds over a restart, and with several processes each message is sent once.",
      "ladder.quiet-hours":
        "Nothing is sent in a person's quiet hours, by their own clock, but what would end before they do, unless they want that kept back, too.",
      "ladder.off-answers-nothing": "Turning messages off ends no open question.",
    },
  },
] as const
