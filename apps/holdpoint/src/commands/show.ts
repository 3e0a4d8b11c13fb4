// `holdpoint show`: one question in full, with its trail.

import type { Elicitation, Entry } from "@holdpoint/hub"
import { isSettled } from "@holdpoint/hub"
import { countApprovals } from "@holdpoint/hub/outlets"
import { plainJson, plainLines } from "@holdpoint/terminal"
import type { Command, ExitCode } from "../command.ts"
import type { Settings } from "../config.ts"
import { askerOf, audienceOf, endingOf, endingText, entryText, fieldsOf, nameOf } from "../describe.ts"
import { clockTime, inWords } from "../duration.ts"
import { findQuestion } from "../find.ts"
import { howToAnswer } from "../instructions.ts"
import { withIsoTimes } from "../iso-times.ts"
import { bold, dim } from "../output.ts"
import { withHub } from "../session.ts"

const maxEntries = 1_000

export const show: Command = {
  name: "show",
  summary: "Show a question and what happened to it.",
  usage: "ID [flags]",
  words: { least: 1, most: 1 },
  usesDatabase: true,
  flags: {},
  notes: [],
  run: (call) =>
    withHub(call, { mustExist: true }, async ({ hub, settings }): Promise<ExitCode> => {
      const { out, args, io } = call
      const question = await findQuestion(hub, settings.me.tenant, args.words[0] ?? "")
      const trail = await hub.trail({ id: question.id, limit: maxEntries })
      if (args.has("json")) {
        out.json(withIsoTimes({ question, trail }), 2)
        return 0
      }
      const now = io.runtime.now()
      for (const line of plainLines(question.message)) out.say(bold(line))
      out.say("")
      for (const [name, text] of factsOf(question, settings, now)) out.say(dim(name.padEnd(11)), text)
      out.say("")
      out.say(dim("trail"))
      for (const entry of trail) out.say("  ", timeOf(entry, now), "  ", entryText(entry, now))
      return 0
    }),
}

type Fact = readonly [name: string, text: string]

function factsOf(question: Elicitation, settings: Settings, now: number): readonly Fact[] {
  const { content, key, mode } = question
  const fields = mode === "form" ? fieldsOf(question.requestedSchema) : []
  const width = Math.max(0, ...fields.map(({ name }) => name.length))
  return [
    ["id", question.id],
    ["from", askerOf(question)],
    ["for", audienceOf(question.audience)],
    ["asked", clockTime(question.createdAt, now)],
    ["status", statusOf(question, now)],
    ...votesOf(question, now),
    ...(key === undefined ? [] : [["key", key] as const]),
    ...(mode === "url" ? [["address", question.url] as const] : []),
    ...(mode === "form" && fields.length === 0 ? [["fields", "none: yes or no"] as const] : []),
    ...fields.map(
      ({ name, expected }, index): Fact => [index === 0 ? "fields" : "", `${name.padEnd(width)}  ${expected}`],
    ),
    ...(content === undefined ? [] : [["answer", plainJson(content)] as const]),
    ...(isSettled(question.status) ? [] : [["to answer", howToAnswer(question, settings)] as const]),
  ]
}

/** Who has voted, when several people have to approve. */
function votesOf({ approvals, votes = [] }: Elicitation, now: number): readonly Fact[] {
  if (approvals === undefined) return []
  const facts = votes.map(({ by, said, at }): Fact => ["", `${nameOf(by)} said ${said} at ${clockTime(at, now)}`])
  return [["approvals", `${countApprovals({ votes })} of ${approvals}`], ...facts]
}

function statusOf(question: Elicitation, now: number): string {
  const ending = endingOf(question)
  if (ending !== undefined) return endingText(ending, now)
  const { status, expiresAt } = question
  const open = status === "accepted" ? "accepted, waits for completion" : "open"
  return now < expiresAt
    ? `${open}, expires in ${inWords(expiresAt - now)} (${clockTime(expiresAt, now)})`
    : `its time ran out at ${clockTime(expiresAt, now)}`
}

const timeOf = ({ at }: Entry, now: number) => dim(clockTime(at, now))
