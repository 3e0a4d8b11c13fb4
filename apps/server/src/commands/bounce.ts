// `holdpoint bounce`: reads a mail that came back, and notes that its address does not exist.

import { text } from "node:stream/consumers"
import type { Command } from "../command.ts"
import { withStorage } from "../session.ts"

export const bounce: Command = {
  name: "bounce",
  summary: "Read a bounced mail from standard input, so that no more mails are sent to its address.",
  usage: "< MESSAGE",
  words: { least: 0, most: 0 },
  usesDatabase: true,
  flags: {},
  notes: [
    "A mail server runs it for each mail to the address of email.bounces.",
    "It counts only when it came to the return address of one mail, which is random. Anything else is read and ignored.",
  ],
  run: (call) =>
    withStorage(call, { mustExist: true }, async ({ storage }) => {
      const { readBounce } = await import("@holdpoint/sdk/email")
      const said = await readBounce({ storage, runtime: call.io.runtime }, await text(call.io.stdin))
      if (call.given.has("json")) call.out.json({ bounce: said })
      else call.out.say(words[said])
      // A mail server would return the mail once more if this failed.
      return 0 as const
    }),
}

const words = {
  dead: "Noted: no more mails are sent to this address.",
  delayed: "Nothing is noted: the mail may still arrive, or the address exists.",
  unknown: "Nothing is noted: this is not an answer to a mail of this server.",
} as const
