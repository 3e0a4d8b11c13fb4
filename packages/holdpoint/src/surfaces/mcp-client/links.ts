// A call that ended with links (-32042): the person visits them, and the call is made again. Whether they have finished
// is told by the server's notice, which is optional, or by the person.

import { declinedNote } from "../../asking/foreign-words.ts"
import { askFormFor, askingOf, elicitationOf } from "../../asking/on-behalf.ts"
import { confirmForm, isYes } from "../../core/confirmation.ts"
import type { Outcome } from "../../core/elicitation.ts"
import { isHoldpointError } from "../../core/error.ts"
import { displayHost } from "../../core/url.ts"
import { aboutOf, visit } from "./answer.ts"
import type { Attempt } from "./call.ts"
import type { Link } from "./leg.ts"
import { finished } from "./visits.ts"
import { doneWords } from "./words.ts"

/** Resolves to whether the person has visited all of them. */
export async function visitLinks(attempt: Attempt, links: readonly Link[]): Promise<boolean> {
  const { peer, ask } = attempt
  const { visits } = peer
  const ids = links.map(({ id }) => id)
  const keys = links.map((_link, at) => `link ${at + 1}`)
  visits.areDone(ids)
  const outcomes = await Promise.all(links.map((link, at) => visitOne(attempt, keys[at] ?? "", link)))
  if (!outcomes.every((outcome) => outcome?.status === "completed")) return false
  const isTold = await ask.once("told", () => visits.areDone(ids), { repeatable: true })
  const hosts = links.map(({ url }) => displayHost(url))
  const isDone = isTold || (await askWhetherDone(attempt, { key: "done", hosts, links: ids }))
  const questions = await Promise.all(keys.map((key) => elicitationOf(ask, key)))
  const { hub } = askingOf(ask)
  await ask.once(
    "visited",
    async () => {
      visits.forget(ids)
      await Promise.all(questions.map((id) => id && (isDone ? hub.complete(id) : hub.cancel(id, { code: "given_up" }))))
    },
    { repeatable: true },
  )
  return isDone
}

async function visitOne({ peer, ask, notes }: Attempt, key: string, link: Link): Promise<Outcome | undefined> {
  try {
    return await visit({ ask, key, settings: peer.settings }, link)
  } catch (error) {
    if (!isHoldpointError(error) || error.code === "not_answered") throw error
    notes.push(declinedNote(peer.settings, error.message))
    return undefined
  }
}

export interface Visited {
  readonly key: string
  readonly hosts: readonly string[]
  /** The server's ids of the links that it may tell of. */
  readonly links: readonly string[]
}

/** Asks whether the person has finished. A notice of the server ends the question as a Yes. */
export async function askWhetherDone(attempt: Attempt, { key, hosts, links }: Visited): Promise<boolean> {
  const { peer, ask } = attempt
  const { settings, visits } = peer
  const { hub, report } = askingOf(ask)
  const watch = (question: string): void => visits.watch(links, { hub, question, report })
  const wording = { key, message: doneWords(settings, hosts), options: {}, about: aboutOf(settings), onAsked: watch }
  const outcome = await askFormFor(ask, wording, confirmForm({ yes: "Try again", no: "Cancel" }))
  if (outcome.status === "completed") return outcome.content !== undefined && isYes(outcome.content)
  return outcome.status === "cancelled" && outcome.reason?.code === finished.code
}
