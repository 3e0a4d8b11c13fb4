// `holdpoint complete`: the program behind a link reports that the person has finished there, or that it failed.

import { type Elicitation, paths } from "@holdpoint/hub"
import { toCompletionToken } from "@holdpoint/hub/internal"
import { createTokens } from "@holdpoint/hub/sealing"
import type { Call, Command, ExitCode } from "../command.ts"
import { findQuestion } from "../find.ts"
import { toCommand } from "../instructions.ts"
import { readReason } from "../reason.ts"
import { printResult } from "../result.ts"
import { type Session, withHub } from "../session.ts"
import { wrongUse } from "../wrong-use.ts"

export const complete: Command = {
  name: "complete",
  summary: "Report that a person has finished on the page that a question links to.",
  usage: "ID [flags]",
  words: { least: 1, most: 1 },
  usesDatabase: true,
  flags: {
    failed: { value: "REASON", help: "report a failure instead, with this reason" },
    token: {
      help: "report nothing; print a token with which another program can report completion at /hooks/complete",
    },
  },
  notes: [
    "The program behind the page of `holdpoint ask --url` runs this after the person has agreed to open the page.",
    "A service without access to the database reports to your server, with a token for this one question:",
    `  curl -H "Authorization: Bearer $TOKEN" -d '{"status": "completed"}' https://your.server${paths.completeHook}`,
    "Pass the token from program to program: a person who sees it can report their own question as done.",
  ],
  run: (call) =>
    withHub(call, { mustExist: true }, async (session) => {
      const { hub, settings } = session
      const failure = readReason(call.args, "failed", "page_failed")
      const question = await findQuestion(hub, settings.me.tenant, call.args.words[0] ?? "")
      if (call.args.has("token")) return printToken(call, session, question)
      const { id } = question
      return printResult(call, id, await (failure === undefined ? hub.complete(id) : hub.fail(id, failure)), {
        changedWords: ({ status }) => `It is ${status}.`,
        unchangedWords: "It was reported before; nothing changed.",
        nextSteps: ({ code }) =>
          code === "not_accepted"
            ? [`The person has to accept first: ${toCommand(["answer", id, "--accept"], settings)}`]
            : [],
      })
    }),
}

function printToken({ args, out }: Call, { keys, settings }: Session, { id, mode }: Elicitation): ExitCode {
  if (args.has("failed")) throw wrongUse("--token and --failed do not go together.", "Give one of them.")
  if (mode !== "url")
    throw wrongUse(
      "This question is answered in a form; another program cannot complete it.",
      "Use `holdpoint answer`.",
    )
  const token = toCompletionToken(createTokens(keys), id)
  if (args.has("json")) out.json({ id, token })
  else out.say(token)
  out.note(`Send it to ${settings.pages.publicUrl ?? "the server"}${paths.completeHook} when the person has finished.`)
  return 0
}
