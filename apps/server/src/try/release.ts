// The small program of `holdpoint try`: a pretend release that stops to ask. Started again after it was killed, it
// finds its question by the key, because the key is made of what it is about to release.

import { appendFileSync, existsSync, readFileSync } from "node:fs"
import type { ContentOf, Elicitation, Hub, Outcome, Principal } from "holdpoint"
import { choice, choices, form, integer, text } from "holdpoint"
import { reasonOf } from "../describe.ts"
import { clockTime } from "../duration.ts"
import { promptGone } from "../io.ts"
import type { Output } from "../output.ts"
import { bold, dim, green, yellow } from "../output.ts"

const day = 24 * 60 * 60 * 1_000

export const releaseForm = form(
  {
    target: choice(
      { staging: "Staging, for the team", production: "Production, for everybody" },
      { title: "Where to" },
    ),
    percent: integer({ title: "Percent of the machines", minimum: 1, maximum: 100, default: 25 }),
    notify: choices({ chat: "Team chat", status: "Status page", email: "E-mail" }, { title: "Whom to tell" }),
    note: text({ title: "A line for the release notes", maxLength: 80 }),
  },
  { optional: ["notify", "note"] },
)

export type ReleaseAnswer = ContentOf<typeof releaseForm>

export interface Release {
  readonly hub: Hub
  readonly out: Output
  readonly me: Principal
  /** What was released so far, a line each. */
  readonly record: string
  readonly now: () => number
  readonly signal?: AbortSignal
}

/** The id of its question, when it is done. */
export async function release({ hub, out, me, record, now, signal }: Release): Promise<string> {
  const version = nextVersion(record)
  step(out, 1, `Build version ${version} (pretended).`)
  step(out, 2, "Run its tests (pretended).")
  step(out, 3, "Hold: a person decides how it goes out.")
  const asked = await hub.ask({
    message: `Version ${version} is built and tested. How should it go out?`,
    form: releaseForm,
    audience: me,
    requester: { id: "release", name: "The release program" },
    context: { trigger: "approval" },
    key: `release-${version}`,
    lifetimeMs: day,
  })
  const outcome = await hub.wait(asked, { onAbort: "leave", ...(signal === undefined ? {} : { signal }) })
  await promptGone()
  const line = goOn(out, version, outcome)
  appendFileSync(record, `${clockTime(now(), 0)}  ${version}  ${line}\n`)
  out.say(green("✔ "), "The program went on from there and is done.")
  return asked.id
}

/** For whoever shows the question: whether the program was here before. */
export function tellIfFound(out: Output, { createdAt, revision, id }: Elicitation, now: number): void {
  if (revision === 1) return
  out.say(yellow(`     The question of ${clockTime(createdAt, now)} is still there (${id}).`))
}

/** What to write down about it. */
function goOn(out: Output, version: string, outcome: Outcome<ReleaseAnswer>): string {
  if (outcome.status !== "completed") {
    step(out, 4, `No release: the question was ${outcome.status}${reasonOf(outcome.reason)}.`)
    return `not released, ${outcome.status}`
  }
  if (outcome.content === undefined) {
    step(out, 4, "No release: the answer came long ago and is not kept any more.")
    return "not released, the answer is gone"
  }
  const { target, percent, notify = [], note } = outcome.content
  step(out, 4, `Release ${version} to ${percent} % of ${target} (pretended).`)
  step(out, 5, notify.length === 0 ? "Tell nobody." : `Tell: ${notify.join(", ")} (pretended).`)
  step(out, 6, note === undefined ? "Write it down." : `Write it down: ${note}`)
  return `${percent} % of ${target}${note === undefined ? "" : `, ${note}`}`
}

/** A line for each version that was decided on. */
function nextVersion(record: string): string {
  const decided = existsSync(record) ? readFileSync(record, "utf8").split("\n").filter(Boolean).length : 0
  return `1.${decided + 1}.0`
}

function step(out: Output, number: number, text: string): void {
  out.say(dim(`  ${number}. `), number === 3 ? bold(text) : text)
}
