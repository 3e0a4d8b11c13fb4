// Every word that people read in Slack. The callers escape the texts of askers and people.

export const words = {
  asks: (asker: string) => `${asker} asks`,
  reminder: "A reminder:",
  until: (time: string) => `Until ${time}`,
  approvals: (count: number) => `${count} people have to approve.`,
  goesOn: (page: string) => `The question is longer than Slack shows. <${page}|Read all of it>.`,
  answer: "Answer…",
  answerOnPage: "Answer on the page",
  decline: "Decline…",
  withReason: (noLabel: string) => `${noLabel}, because…`,
  open: (host: string) => `Open ${host}`,
  leadsTo: (host: string) => `The link leads to ${host}.`,
  notification: (asker: string, message: string) => `${asker} asks: ${message}`,

  modalTitle: "Your answer",
  declineTitle: "Decline",
  reason: "Reason",
  reasonHint: "If you give a reason, the program that asks is told.",
  send: "Send",
  close: "Back",
  tooLong: "Your answer is being saved. The message will show when it is done.",

  notYours: "This question is for somebody else, so your answer was not taken.",
  gone: "This question does not exist any more.",
  unlinked: "Link your Slack account first. You will be asked again here once it is linked.",
  counted: "Your answer was counted. The question stays open until enough people have answered.",
  failed: "Your answer could not be saved. Try again in a moment, or answer on the page.",
  missed: "Slack did not show the form in time. Press the button again.",
} as const

/** The end of a question, for people who see its message. `buttonLabel` and `reason` must be escaped. */
export interface Ending {
  readonly status: string
  readonly buttonLabel?: string
  readonly reason?: string
  readonly personName?: string
}

export function endingWords({ status, buttonLabel, reason, personName }: Ending): string {
  const by = personName === undefined ? "" : ` by ${personName}`
  const reasonText = reason === undefined ? "" : ` The reason: ${reason}`
  switch (status) {
    case "completed":
      return buttonLabel === undefined ? `Answered${by}.` : `Answered${by}: ${buttonLabel}.`
    case "accepted":
      return `Opened${by}, but not finished yet.`
    case "declined":
      return `Declined${by}.${reasonText}`
    case "cancelled":
      return "Not needed any more: the question was withdrawn."
    case "expired":
      return "Not answered in time."
    case "failed":
      return `It did not work.${reasonText}`
    default:
      return "This question has ended."
  }
}

/** The texts about linking a Slack account. */
export const linkWords = {
  invited: (asker: string) =>
    `${asker} has a question for you. Link your Slack account once, and you can answer it and all others here.`,
  link: "Link your account",
  onPage: "Answer on the page",
  ended: "The question that was waiting for you here has ended.",
  linkFirst: "I do not know who you are yet. Link your Slack account once, and I will continue with what you wrote.",
  begin: "Open the link, sign in, and agree. It is for you alone, and good for ten minutes.",
  open: (host: string) => `Open ${host}`,
  confirm: (name: string) =>
    `${name} signed in and wants to answer questions with this Slack account. If that is you, enter the code that the page shows. If it is somebody else, do nothing.`,
  enter: "Enter the code",
  code: "Code",
  codeTitle: "Link your account",
  wrong: "This is not the code on the page. Look again, or open the link once more.",
  over: "The link is no longer valid. Ask for a new one.",
  linked: (name: string) => `Your Slack account is linked to ${name}. You will get your questions here from now on.`,
  unlinked: "Your Slack account is no longer linked. You will not get questions here, and you cannot answer any here.",
  notLinked: "Your Slack account is not linked.",
  sent: "A link is in your direct messages with this app.",
  help: "Questions from programs reach you here. “/holdpoint link” links your Slack account, “/holdpoint unlink” unlinks it.",
} as const
