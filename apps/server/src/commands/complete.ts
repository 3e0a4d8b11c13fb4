// `holdpoint complete`: the program behind a link reports that the person has finished there, or that it failed.

import type { Command } from "../command.ts"
import { findQuestion } from "../find.ts"
import { toCommand } from "../instructions.ts"
import { readReason } from "../reason.ts"
import { tellResult } from "../result.ts"
import { withHub } from "../session.ts"

export const complete: Command = {
  name: "complete",
  summary: "Report that what a link was for is done.",
  usage: "ID [flags]",
  words: { least: 1, most: 1 },
  usesDatabase: true,
  flags: { failed: { value: "REASON", help: "report a failure instead, with this reason" } },
  notes: ["For the program behind the page of `holdpoint ask --url`, after the person has agreed to open it."],
  run: (call) =>
    withHub(call, { mustExist: true }, async ({ hub, settings }) => {
      const failure = readReason(call.given, "failed", "page_failed")
      const { id } = await findQuestion(hub, settings.me.tenant, call.given.words[0] ?? "")
      return tellResult(call, id, await (failure === undefined ? hub.complete(id) : hub.fail(id, failure)), {
        changed: ({ status }) => `It is ${status}.`,
        same: "It already was; nothing changed.",
        next: ({ code }) =>
          code === "not_accepted"
            ? [`The person has to accept first: ${toCommand(["answer", id, "--accept"], settings)}`]
            : [],
      })
    }),
}
