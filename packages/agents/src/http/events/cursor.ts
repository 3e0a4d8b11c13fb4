// The id of an event: a cursor that states how far a client has read the trail and each followed conversation. It is
// not signed: it reveals nothing, and an altered one only repeats or skips events of the same person.

import { createHash } from "node:crypto"
import { parseObject } from "../body.ts"

/** How far a conversation was read. */
export interface ConversationPosition extends ReplyPosition {
  /** The number of the last item of its timeline that was read. */
  readonly item: number
}

/** How far the replies of a conversation were read. */
export interface ReplyPosition {
  /** The number of the run in its conversation; 0 before the first. */
  readonly run: number
  /** The number of its last chunk that was read. */
  readonly chunk: number
  /** Whether the run has been read to its end. */
  readonly isOver: boolean
}

export interface Cursor {
  /** The position in the trail up to which the client has the steps of questions. */
  readonly inbox: number
  /** The position in each conversation, by the short digest of its name that `shortOf` returns. */
  readonly conversations: ReadonlyMap<string, ConversationPosition>
}

/**
 * A short digest that replaces a name in cursors: a cursor is sent in a header, for which twenty names would be too
 * long.
 */
export const shortOf = (name: string): string => createHash("sha256").update(name).digest("base64url").slice(0, 12)

export function writeCursor({ inbox, conversations }: Cursor): string {
  const read = [...conversations].map(([name, { run, chunk, isOver, item }]) => [name, run, isOver ? -1 : chunk, item])
  return Buffer.from(JSON.stringify({ inbox, read })).toString("base64url")
}

/** Parses a cursor. Undefined for a text that is not one. */
export function readCursor(text: string): Cursor | undefined {
  if (!/^[\w-]{1,4000}$/.test(text)) return undefined
  const { inbox, read } = parseObject(Buffer.from(text, "base64url").toString()) ?? {}
  if (!isCount(inbox) || !Array.isArray(read)) return undefined
  const conversations = new Map<string, ConversationPosition>()
  for (const one of read) {
    const [name, run, chunk, item] = Array.isArray(one) ? one : []
    const isPosition = isCount(run) && isCount(item) && (chunk === -1 || isCount(chunk))
    if (typeof name !== "string" || !isPosition) return undefined
    conversations.set(name, { run, chunk: Math.max(chunk, 0), isOver: chunk === -1, item })
  }
  return { inbox, conversations }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
