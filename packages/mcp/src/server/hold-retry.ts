// Holds a repeated call that only waits for people who have agreed to open pages. The call is held before its handler
// runs, which takes less memory. The handler runs when one of the questions is settled.

import type { AskedEntry, OpenCall } from "@holdpoint/calls/internal"
import type { Elicitation, Entry } from "@holdpoint/hub"
import { isSettled } from "@holdpoint/hub"
import type { ServerContext } from "@modelcontextprotocol/server"
import type { ProgressWatch } from "./progress.ts"
import { watchProgress } from "./progress.ts"
import type { Connection, Surface } from "./surface.ts"
import { principalOf } from "./surface.ts"
import { toAnswer } from "./wire.ts"

/** Returns the questions that are still open at the end of the hold time, or none when the handler should run. */
export async function holdRetry(
  connection: Connection,
  call: OpenCall,
  context: ServerContext,
): Promise<readonly Elicitation[]> {
  const { surface } = connection
  const askedEntries = [...call.journal.entries.values()].filter((entry) => entry.kind === "asked")
  const open = await Promise.all(askedEntries.map((entry) => openConsent(connection, call, entry)))
  if (open.length === 0 || !open.every((elicitation) => elicitation !== undefined)) return []
  const watches = open.map((elicitation) => watchProgress({ surface, context }, elicitation))
  // From here on only the ids are kept in memory: many calls may be held.
  const ids = askedEntries.map(({ elicitation }) => elicitation)
  askedEntries.length = 0
  open.length = 0
  connection.onHeld?.()
  // The promise is not awaited, because a suspended async function keeps its variables in memory.
  return waitForOne({ surface, call, ids, watches, signal: context.mcpReq.signal })
}

async function readAll({ hub }: Surface, ids: readonly string[]): Promise<readonly Elicitation[]> {
  const now = await Promise.all(ids.map((id) => hub.get(id)))
  return now.flatMap((elicitation) => (elicitation === undefined ? [] : [elicitation]))
}

/** Returns the question if the person has agreed to open its page and has not finished there. */
async function openConsent(
  connection: Connection,
  call: OpenCall,
  entry: AskedEntry,
): Promise<Elicitation | undefined> {
  const { hub } = connection.surface
  // With `until`, the handler continues before the question is settled.
  if (entry.until !== undefined) return undefined
  const elicitation = await hub.get(entry.elicitation)
  if (elicitation?.mode !== "url" || isSettled(elicitation.status)) return undefined
  const { reply, ...entryWithoutReply } = entry
  if (reply === undefined) return entry.agreed === true ? elicitation : undefined
  const answer = toAnswer(elicitation, reply)
  if (answer.action !== "accept") return undefined
  const step = await hub.answer(elicitation.id, {
    by: principalOf(connection, call.id),
    via: connection.via,
    ...answer,
  })
  if (!step.ok && step.refusal.code !== "already_accepted") return undefined
  hub.leave(elicitation.id)
  call.journal.set({ ...entryWithoutReply, agreed: true })
  return elicitation
}

interface HeldRetry {
  readonly surface: Surface
  readonly call: OpenCall
  readonly ids: readonly string[]
  readonly watches: readonly ProgressWatch[]
  readonly signal: AbortSignal
}

/**
 * Resolves to an empty list when one of the questions is settled, and to the open questions at the end of the hold
 * time.
 */
function waitForOne(retry: HeldRetry): Promise<readonly Elicitation[]> {
  const { surface, call, ids, signal } = retry
  const { promise, resolve, reject } = Promise.withResolvers<readonly Elicitation[]>()
  const end = (hasSettled: boolean): void => {
    signal.removeEventListener("abort", giveUp)
    release()
    for (const id of ids) surface.followers.unfollow(id, onEntry)
    for (const { stop } of retry.watches) stop()
    resolve(hasSettled ? [] : readAll(surface, ids))
  }
  const giveUp = (): void => {
    reject(signal.reason)
    end(true)
  }
  const onEntry = ({ status }: Entry): void => {
    if (status !== undefined && isSettled(status)) end(true)
  }
  signal.addEventListener("abort", giveUp, { once: true })
  const release = surface.holds.begin(() => end(false), call)
  for (const id of ids) surface.followers.follow(id, onEntry)
  if (signal.aborted) giveUp()
  // A question may have been settled before the subscription began.
  isOneSettled(surface, ids).then(
    (hasSettled) => hasSettled && end(true),
    (error: unknown) => {
      reject(error)
      end(true)
    },
  )
  return promise
}

async function isOneSettled({ hub }: Surface, ids: readonly string[]): Promise<boolean> {
  for (const id of ids) {
    const now = await hub.get(id)
    if (now === undefined || isSettled(now.status)) return true
  }
  return false
}
