// The id of an event: how far a client has read each followed conversation and the trail. It says nothing that a client
// may not know, and one that was altered only repeats or skips events of the same person.

import { createHash } from "node:crypto"
import { parseObject } from "../body.ts"

/** How far the replies of a conversation were read. */
export interface ReplyPosition {
  /** The number of the run in its conversation; 0 before the first. */
  readonly run: number
  /** The number of its last chunk that was read. */
  readonly chunk: number
  /** Whether nothing more of this run is to be read. */
  readonly isOver: boolean
}

export interface Cursor {
  /** The position in the trail up to which the steps of questions were told. */
  readonly inbox: number
  /** By the digest of the conversation's name. */
  readonly replies: ReadonlyMap<string, ReplyPosition>
}

/** Stands for a name in cursors, which travel in a header: twenty names would be too long for it. */
export const shortOf = (name: string): string => createHash("sha256").update(name).digest("base64url").slice(0, 12)

export function writeCursor({ inbox, replies }: Cursor): string {
  const read = [...replies].map(([name, { run, chunk, isOver }]) => [name, run, isOver ? -1 : chunk])
  return Buffer.from(JSON.stringify({ inbox, read })).toString("base64url")
}

/** Undefined when this server never wrote it. */
export function readCursor(text: string): Cursor | undefined {
  if (!/^[\w-]{1,4000}$/.test(text)) return undefined
  const { inbox, read } = parseObject(Buffer.from(text, "base64url").toString()) ?? {}
  if (!isCount(inbox) || !Array.isArray(read)) return undefined
  const replies = new Map<string, ReplyPosition>()
  for (const one of read) {
    const [name, run, chunk] = Array.isArray(one) ? one : []
    if (typeof name !== "string" || !isCount(run) || !(chunk === -1 || isCount(chunk))) return undefined
    replies.set(name, { run, chunk: Math.max(chunk, 0), isOver: chunk === -1 })
  }
  return { inbox, replies }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
