// The places of one asker among a person's open questions: an asker cannot take all of them, so that the urgent question
// of another program still reaches the person. Programs whose questions are relayed have fewer.

import type { Elicitation } from "../core/elicitation.ts"
import { HoldpointError } from "../core/error.ts"
import type { Limits } from "../core/limits.ts"
import type { PrincipalId } from "../core/principal.ts"
import { addresseeKeysOf } from "../core/principal.ts"
import { uniqueKeyOf } from "../core/question.ts"
import type { Inserted, Store } from "../ports/store.ts"

export interface PlaceNeeds {
  readonly store: Pick<Store, "list">
  readonly limits: Pick<Limits, "pendingPerPerson">
  /** The last question of each asker that waits for a place, by asker and person. */
  readonly placesInProgress: Map<string, Promise<unknown>>
}

/** Stores the question with this limit of open questions for its person. */
type Insert = (perPerson: number) => Promise<Inserted>

/**
 * Inserts the question if its asker has a place left. As long as the person has few open questions, one insert is
 * enough. Beyond that, the questions of the asker are counted, one question of this process after the other.
 */
export async function insertWithinPlaces(needs: PlaceNeeds, question: Elicitation, insert: Insert): Promise<Inserted> {
  const { pendingPerPerson } = needs.limits
  const { audience } = question
  const places = placesOf(question, pendingPerPerson)
  if (audience.kind !== "one" || places >= pendingPerPerson) return insert(pendingPerPerson)
  const inserted = await insert(places)
  if (inserted.stored || !("full" in inserted) || inserted.full !== "person") return inserted
  const key = JSON.stringify([addresseeKeysOf(audience), askerOf(question)])
  return inTurn(needs.placesInProgress, key, async () => {
    const open = await openQuestionsOf(needs, audience.principal, question)
    const taken = open.filter((other) => askerOf(other) === askerOf(question)).length
    // A question that was asked with the same key meanwhile is joined, and takes no place.
    if (taken >= places && !open.some((other) => isSameKey(other, question))) throw tooManyOf(question, places)
    return insert(pendingPerPerson)
  })
}

const isSameKey = (one: Elicitation, other: Elicitation): boolean =>
  uniqueKeyOf(one) !== undefined && uniqueKeyOf(one) === uniqueKeyOf(other)

function openQuestionsOf(
  { store, limits: { pendingPerPerson } }: PlaceNeeds,
  principal: PrincipalId,
  question: Elicitation,
): Promise<readonly Elicitation[]> {
  const { tenant } = question
  return store.list({ tenant, principal, state: "open", order: "newest", limit: 2 * pendingPerPerson })
}

/** Works for one key one after the other. */
async function inTurn<T>(turns: Map<string, Promise<unknown>>, key: string, work: () => Promise<T>): Promise<T> {
  const previous = turns.get(key) ?? Promise.resolve()
  const result = previous.then(work, work)
  turns.set(key, result)
  try {
    return await result
  } finally {
    if (turns.get(key) === result) turns.delete(key)
  }
}

/** The program that asks, and the foreign program for which it asks, if there is one. */
const askerOf = ({ requester, context }: Elicitation): string => JSON.stringify([requester.id, ...relayedBy(context)])

const relayedBy = ({ server, serverAddress, agentAddress }: Elicitation["context"]): readonly unknown[] =>
  [server, serverAddress, agentAddress].filter((one) => one !== undefined)

/** A fifth of the places is left to other askers. A program whose questions are relayed gets a quarter of all. */
const placesOf = ({ context }: Elicitation, pendingPerPerson: number): number =>
  relayedBy(context).length === 0
    ? pendingPerPerson - Math.floor(pendingPerPerson / 5)
    : Math.max(1, Math.floor(pendingPerPerson / 4))

function tooManyOf({ requester, context }: Elicitation, places: number): HoldpointError {
  const name = context.server ?? context.agentName ?? requester.name ?? requester.id
  return new HoldpointError(
    "too_many_for_program",
    `“${name}” has ${places} open questions for this person, the most for one asker. Ask again when some are answered.`,
  )
}
