// The sessions that an editor can load: the person's conversations with the agent, the latest first.

import type { SessionInfo } from "@agentclientprotocol/sdk"
import type { Conversation } from "../agents/records.ts"
import { toBlocks } from "./message.ts"
import type { SessionParts } from "./session.ts"

export interface SessionPage {
  readonly sessions: SessionInfo[]
  /** What the editor sends for the next page. Absent on the last one. */
  readonly nextCursor?: string
}

const pageSize = 50

/** A session belongs to no folder, so it is listed for every one: the agent reads no files of the editor. */
export async function listSessions(
  { opened: { conversations, keptMs }, person, agent }: Pick<SessionParts, "opened" | "person" | "agent">,
  { folder, cursor }: { readonly folder: string; readonly cursor: string | undefined },
): Promise<SessionPage> {
  const all = (await conversations.list(person))
    .filter((one) => one.agent === agent)
    .toSorted((one, other) => other.expiresAt - one.expiresAt)
  const from = /^\d{1,9}$/.test(cursor ?? "") ? Number(cursor) : 0
  const toInfo = async (one: Conversation): Promise<SessionInfo> => {
    const [first] = await conversations.runs(one)
    const title = first === undefined ? undefined : titleOf(conversations.message(first))
    // The last message, from the time until which it is kept.
    const updatedAt = new Date(one.expiresAt - keptMs).toISOString()
    return { sessionId: one.name, cwd: folder, updatedAt, ...(title === undefined ? {} : { title }) }
  }
  const sessions = await Promise.all(all.slice(from, from + pageSize).map(toInfo))
  return from + pageSize < all.length ? { sessions, nextCursor: String(from + pageSize) } : { sessions }
}

/** The first words of the first message. */
function titleOf(message: Parameters<typeof toBlocks>[0]): string | undefined {
  const texts = toBlocks(message).flatMap((block) => (block.type === "text" ? [block.text] : []))
  const [line = ""] = texts.join(" ").trim().split("\n")
  const characters = [...line]
  if (characters.length <= longestTitle) return line === "" ? undefined : line
  return `${characters.slice(0, longestTitle).join("")}…`
}

const longestTitle = 80
