// `holdpoint bounce`: reads a bounced mail, and records that its address does not exist.

import type { Command } from "../command.ts"
import { withStorage } from "../session.ts"

export const bounce: Command = {
  name: "bounce",
  summary: "Read a bounced e-mail from standard input, so that no more e-mails are sent to its address.",
  usage: "< MESSAGE",
  words: { least: 0, most: 0 },
  usesDatabase: true,
  flags: {},
  notes: [
    "Have your mail server run this command for each e-mail to the address in email.bounces.",
    "Each e-mail has a random return address. Only bounces to one of these addresses count; everything else is ignored.",
  ],
  run: (call) =>
    withStorage(call, { mustExist: true }, async ({ storage }) => {
      const { readBounce } = await import("@holdpoint/email")
      const result = await readBounce({ storage, runtime: call.io.runtime }, await beginningOf(call.io.stdin))
      if (call.args.has("json")) call.out.json({ bounce: result })
      else call.out.say(words[result])
      // A non-zero exit code would make the mail server send a bounce of the bounce.
      return 0 as const
    }),
}

/** The most bytes that are kept of a mail. */
const mostBytes = 1_000_000

/** The beginning of a mail. The rest is read too: a mail server that cannot write it would send a bounce of the bounce. */
async function beginningOf(stdin: AsyncIterable<Uint8Array | string>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stdin) {
    if (size >= mostBytes) continue
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    size += bytes.length
  }
  return Buffer.concat(chunks).toString("utf8")
}

const words = {
  dead: "Recorded: no more e-mails are sent to this address.",
  delayed: "Nothing was recorded: the e-mail may still arrive, or the address exists.",
  unknown: "Nothing was recorded: this is not a bounce of an e-mail from this server.",
} as const
