// `holdpoint complete`: whoever runs the page behind a link says that it is done, or that it did not work out.

import type { Command } from "../command.ts"
import { findQuestion } from "../find.ts"
import { toCommand } from "../instructions.ts"
import { readReason } from "../reason.ts"
import { tellResult } from "../result.ts"
import { withHub } from "../session.ts"

export const complete: Command = {
  name: "complete",
  summary: "Say that what a link was for is done.",
  usage: "ID [flags]",
  words: { least: 1, most: 1 },
  usesDatabase: true,
  flags: { failed: { value: "REASON", help: "it did not work out" } },
  notes: ["For the program behind the page of `holdpoint ask --url`. The person has agreed to open it before."],
  run: (call) =>
    withHub(call, { mustExist: true }, async ({ hub, settings }) => {
      const failure = readReason(call.given, "failed", "page_failed")
      const { id } = await findQuestion(hub, settings.me.tenant, call.given.words[0] ?? "")
      return tellResult(call, id, await (failure === undefined ? hub.complete(id) : hub.fail(id, failure)), {
        changed: ({ status }) => `It is ${status}.`,
        same: "It had been so before.",
        next: ({ code }) =>
          code === "not_accepted"
            ? [`The person says yes first: ${toCommand(["answer", id, "--accept"], settings)}`]
            : [],
      })
    }),
}
