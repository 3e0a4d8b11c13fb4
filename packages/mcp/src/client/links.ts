// A call that ended with links (-32042): the person visits them, and the call is made again. The server's optional
// notification, or the person, says whether the person has finished.

import { askFormFor, askingOf, declinedNote, elicitationOf } from "@holdpoint/calls/internal"
import type { Outcome } from "@holdpoint/hub"
import { isHoldpointError } from "@holdpoint/hub"
import { confirmForm, displayHost } from "@holdpoint/hub/forms"
import { isYes } from "@holdpoint/hub/internal"
import { aboutOf, askToOpenPage } from "./answer.ts"
import type { Attempt } from "./attempt.ts"
import type { Link } from "./tool-response.ts"
import { serverFinished } from "./visits.ts"
import { doneWords } from "./words.ts"

/** Asks the person to open all links. Resolves to whether the person has opened them and finished there. */
export async function visitLinks(attempt: Attempt, links: readonly Link[]): Promise<boolean> {
  const { peer, ask } = attempt
  const { visits } = peer
  const ids = links.map(({ id }) => id)
  const keys = links.map((_link, at) => `link ${at + 1}`)
  visits.trackAndCheck(ids)
  const outcomes = await Promise.all(links.map((link, at) => visitOne(attempt, keys[at] ?? "", link)))
  if (!outcomes.every((outcome) => outcome?.status === "completed")) return false
  const isNotified = await ask.once("told", () => visits.trackAndCheck(ids), { repeatable: true })
  const hosts = links.map(({ url }) => displayHost(url))
  const isDone = isNotified || (await askWhetherDone(attempt, { key: "done", hosts, links: ids }))
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
    return await askToOpenPage({ ask, key, settings: peer.settings }, link)
  } catch (error) {
    if (!isHoldpointError(error) || error.code === "not_answered") throw error
    notes.push(declinedNote(peer.settings, error.message))
    return undefined
  }
}

export interface VisitCheck {
  readonly key: string
  readonly hosts: readonly string[]
  /** The server's ids of the links, which its notifications contain. */
  readonly links: readonly string[]
}

/**
 * Asks the person whether they have finished. The server's notification that they have cancels the question, and counts
 * as a Yes.
 */
export async function askWhetherDone(attempt: Attempt, { key, hosts, links }: VisitCheck): Promise<boolean> {
  const { peer, ask } = attempt
  const { settings, visits } = peer
  const { hub, report } = askingOf(ask)
  const watchVisits = (question: string): void => visits.cancelWhenDone(links, { hub, question, report })
  const wording = {
    key,
    message: doneWords(settings, hosts),
    options: {},
    about: aboutOf(settings),
    onAsked: watchVisits,
  }
  const outcome = await askFormFor(ask, wording, confirmForm({ yes: "Try again", no: "Cancel" }))
  if (outcome.status === "completed") return outcome.content !== undefined && isYes(outcome.content)
  return outcome.status === "cancelled" && outcome.reason?.code === serverFinished.code
}
