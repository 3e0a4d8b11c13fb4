// `holdpoint cancel`: the asker withdraws a question.

import type { Command } from "../command.ts"
import { findQuestion } from "../find.ts"
import { readReason } from "../reason.ts"
import { printResult } from "../result.ts"
import { withHub } from "../session.ts"

export const cancel: Command = {
  name: "cancel",
  summary: "Withdraw a question that you asked.",
  usage: "ID [flags]",
  words: { least: 1, most: 1 },
  usesDatabase: true,
  flags: { reason: { value: "TEXT", help: "why; shown to the person who was asked" } },
  notes: ["To close a question that you were asked: holdpoint answer ID --cancel."],
  run: (call) =>
    withHub(call, { mustExist: true }, async ({ hub, settings }) => {
      const reason = readReason(call.args, "reason", "asker_cancelled")
      const { id } = await findQuestion(hub, settings.me.tenant, call.args.words[0] ?? "")
      return printResult(call, id, await hub.cancel(id, reason), {
        changedWords: () => "Withdrawn.",
        unchangedWords: "It was already withdrawn.",
      })
    }),
}
