// `holdpoint pending`: the open questions.

import type { Elicitation } from "@holdpoint/hub"
import { isHoldpointError } from "@holdpoint/hub"
import { countApprovals } from "@holdpoint/hub/outlets"
import { plainLines } from "@holdpoint/terminal"
import type { Call, Command, ExitCode } from "../command.ts"
import { askerOf, audienceOf, nameOf } from "../describe.ts"
import { inWords } from "../duration.ts"
import { toCommand } from "../instructions.ts"
import { withIsoTimes } from "../iso-times.ts"
import { bold, dim } from "../output.ts"
import type { Session } from "../session.ts"
import { withHub } from "../session.ts"

const maxQuestions = 200

export const pending: Command = {
  name: "pending",
  summary: "List the open questions that you may answer.",
  usage: "[flags]",
  words: { least: 0, most: 0 },
  usesDatabase: true,
  flags: { "all-people": { help: "list everyone's questions, not only yours" } },
  notes: [],
  async run(call) {
    try {
      return await withHub(call, { mustExist: true }, (session) => list(call, session))
    } catch (error) {
      // A missing database means that there are no questions.
      if (!isHoldpointError(error) || error.code !== "not_found") throw error
      if (call.args.has("json")) call.out.json([])
      else for (const line of error.message.split("\n")) call.out.say(line)
      return 0
    }
  },
}

async function list({ io, out, args }: Call, { hub, settings }: Session): Promise<ExitCode> {
  const { me } = settings
  const filter = args.has("all-people") ? {} : { principal: me }
  const questions = await hub.list({ tenant: me.tenant, state: "open", limit: maxQuestions, ...filter })
  const now = io.runtime.now()
  const open = questions.filter(({ expiresAt }) => expiresAt > now)
  if (args.has("json")) out.json(withIsoTimes(open), 2)
  else if (open.length === 0) out.say(`No open questions for ${args.has("all-people") ? "anyone" : nameOf(me)}.`)
  else {
    const rows = open.map((question) => toRow(question, now, args.has("all-people")))
    for (const line of toTable(rows, io.stdout.columns)) out.say(line)
    if (questions.length === maxQuestions) out.say(dim(`The oldest ${maxQuestions}; there may be more.`))
    out.say("")
    out.say(dim(`To answer: ${toCommand(["answer", "ID"], settings)}`))
  }
  return 0
}

interface Row {
  readonly ID: string
  readonly FROM: string
  readonly FOR?: string
  readonly "EXPIRES IN": string
  readonly QUESTION: string
}

function toRow(question: Elicitation, now: number, withAudience: boolean): Row {
  return {
    ID: question.id,
    FROM: cut(askerOf(question), 20),
    ...(withAudience ? { FOR: cut(audienceOf(question.audience), 20) } : {}),
    "EXPIRES IN": inWords(question.expiresAt - now),
    QUESTION: `${votesOf(question)}${plainLines(question.message)[0] ?? ""}`,
  }
}

/** “[1 of 2] ” before the question, when several people have to approve. */
const votesOf = (question: Elicitation): string =>
  question.approvals === undefined ? "" : `[${countApprovals(question)} of ${question.approvals}] `

/** Each line is cut to the width of the terminal. */
function toTable(rows: readonly Row[], columns: number | undefined) {
  const names = Object.keys(rows[0] ?? {}) as (keyof Row)[]
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => [...(row[name] ?? "")].length)))
  const toLine = (cells: readonly string[]): string => {
    const line = cells
      .map((cell, index) => (index === cells.length - 1 ? cell : cell.padEnd(widths[index] ?? 0)))
      .join("  ")
    return columns === undefined ? line : cut(line, columns)
  }
  return [bold(toLine(names)), ...rows.map((row) => toLine(names.map((name) => row[name] ?? "")))]
}

function cut(text: string, width: number): string {
  const characters = [...text]
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join("")}…`
}
