// Yields the replies of one conversation as they are written, one after the other. Between replies it sleeps until the
// trail reports that a run has begun.

import { hasEnded } from "../../conversations.ts"
import type { Run } from "../../records.ts"
import type { Chunk, NumberedChunk } from "../../run-log.ts"
import { brokenOffChunks, type ReaderParts, readRun } from "../reader.ts"
import type { Sleeper } from "../sleeper.ts"
import type { ConversationPosition, ReplyPosition } from "./cursor.ts"

/** A chunk of a reply, and the position in the conversation after it. */
export interface ReplyChunk {
  readonly messageId: string
  readonly number: number
  readonly chunk: Chunk
  readonly at: ReplyPosition
}

export interface FollowedConversation {
  readonly id: string
  readonly tenant: string
  /** How far the client has read the conversation before. */
  readonly from: ReplyPosition
  /** Woken when a run of the conversation has begun, and when the reader leaves. */
  readonly sleeper: Sleeper
  readonly signal: AbortSignal
}

export async function* followReplies(
  parts: ReaderParts,
  { id, tenant, from, sleeper, signal }: FollowedConversation,
): AsyncGenerator<ReplyChunk> {
  let at = from
  while (!signal.aborted) {
    const run = nextOf(await parts.conversations.runs({ id, tenant }), at)
    if (run === undefined) {
      await sleeper.sleep()
      continue
    }
    const after = run.number === at.run ? at.chunk : 0
    for await (const step of readRun(parts, { run, after, isHeld: true, signal })) {
      const newChunks = step.kind === "chunk" ? [step] : brokenOffAfter(at.run === run.number ? at.chunk : 0)
      for (const { number, chunk } of newChunks) {
        at = { run: run.number, chunk: number, isOver: false }
        yield { messageId: run.message, number, chunk, at }
      }
    }
    at = { run: run.number, chunk: at.chunk, isOver: true }
  }
}

const brokenOffAfter = (last: number): readonly NumberedChunk[] =>
  brokenOffChunks.map((chunk, index) => ({ number: last + 1 + index, chunk }))

const nextOf = (runs: readonly Run[], { run, isOver }: ReplyPosition): Run | undefined =>
  runs.find(({ number }) => number > run || (number === run && !isOver))

export interface NewlyFollowedConversation {
  readonly id: string
  readonly tenant: string
  /** The end of the trail at this moment. */
  readonly end: number
}

/**
 * The position in a conversation that the client did not follow before: at the beginning of the reply that is under
 * way, or after the last one.
 */
export async function startOf(
  { conversations }: Pick<ReaderParts, "conversations">,
  { id, tenant, end }: NewlyFollowedConversation,
): Promise<ConversationPosition> {
  const lastRun = await conversations.last({ id, tenant })
  const isOver = lastRun === undefined || hasEnded(lastRun)
  return { run: lastRun?.number ?? 0, chunk: 0, isOver, item: isOver ? end : 0 }
}
