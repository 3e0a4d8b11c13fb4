// `holdpoint webhooks`: sets where the events of a program are sent, lists deliveries, and resends them.

import type { Call, Command, ExitCode } from "../command.ts"
import { didYouMean, wrongUse } from "../wrong-use.ts"

interface Action {
  readonly words: number
  readonly flags: readonly string[]
  readonly run: (call: Call) => Promise<ExitCode>
}

const load = () => import("../webhooks.ts")

const actions: Readonly<Record<string, Action>> = {
  set: { words: 3, flags: ["event", "all-questions"], run: async (call) => (await load()).setWebhook(call) },
  list: { words: 1, flags: [], run: async (call) => (await load()).listWebhooks(call) },
  deliveries: { words: 2, flags: ["limit"], run: async (call) => (await load()).listDeliveries(call) },
  test: { words: 2, flags: [], run: async (call) => (await load()).sendTest(call) },
  again: { words: 3, flags: [], run: async (call) => (await load()).sendAgain(call) },
  rotate: { words: 2, flags: [], run: async (call) => (await load()).rotateSecret(call) },
  pause: { words: 2, flags: [], run: async (call) => (await load()).pauseWebhook(call) },
  resume: { words: 2, flags: [], run: async (call) => (await load()).resumeWebhook(call) },
  remove: { words: 2, flags: [], run: async (call) => (await load()).removeWebhook(call) },
}

export const webhooks: Command = {
  name: "webhooks",
  summary: "Set where the events of a program are sent; list deliveries and resend them.",
  usage: "set PROGRAM URL | list | deliveries|test|rotate|pause|resume|remove PROGRAM | again PROGRAM ID [flags]",
  actions: Object.keys(actions),
  words: { least: 1, most: 3 },
  usesDatabase: true,
  flags: {
    event: { value: "EVENT", help: "set: an event to send (default all)", repeats: true },
    "all-questions": {
      help: "set: also send events, without answers, about other askers' questions to people whom it may ask",
    },
    limit: { value: "COUNT", help: "deliveries: how many, newest first (default 20)" },
  },
  notes: [
    "set         prints the secret of a new webhook on standard output, once. The receiver checks signatures with it.",
    "deliveries  lists the deliveries of the last 7 days: state, attempts, status of the last response, delivery id.",
    "test        sends a test event now.",
    "again       resends a delivery, with the same webhook-id.",
    "rotate      prints a new secret. For a day, events are signed with both secrets.",
    "pause       keeps events until resume, which also enables a webhook that the server has disabled.",
    "",
    "Events: question.asked, question.opened, question.voted, question.accepted, question.settled. They are sent by",
    "`holdpoint serve`.",
  ],
  async run(call) {
    const [word = "", ...otherWords] = call.args.words
    const action = Object.hasOwn(actions, word) ? actions[word] : undefined
    if (action === undefined) {
      const names = Object.keys(actions)
      const usage = `Write holdpoint webhooks ${names.join("|")}.`
      throw wrongUse(`“holdpoint webhooks” has no action “${word}”.`, didYouMean(word, names, usage))
    }
    const extraWord = otherWords[action.words - 1]
    if (extraWord !== undefined) throw wrongUse(`“${extraWord}” is one word too many for “webhooks ${word}”.`)
    const flag = Object.keys(webhooks.flags).find((name) => call.args.has(name) && !action.flags.includes(name))
    if (flag !== undefined) throw wrongUse(`--${flag} does nothing for “webhooks ${word}”.`)
    return action.run(call)
  },
}
