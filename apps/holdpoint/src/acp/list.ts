// The sessions that an editor can load: the person's conversations with the agent, the latest first.

import type { SessionInfo } from "@agentclientprotocol/sdk"
import type { Conversation } from "@holdpoint/agents/internal"
import { toBlocks } from "./message.ts"
import type { SessionParts } from "./session.ts"

export interface SessionPage {
  readonly sessions: SessionInfo[]
  /** The cursor of the next page. Absent on the last page. */
  readonly nextCursor?: string
}

const pageSize = 50

/** Every session is listed for every folder: the agent does not read the files of the editor. */
export async function listSessions(
  { opened: { conversations, keptMs }, person, agent }: Pick<SessionParts, "opened" | "person" | "agent">,
  { folder, cursor }: { readonly folder: string; readonly cursor: string | undefined },
): Promise<SessionPage> {
  const ownConversations = (await conversations.list(person))
    .filter((conversation) => conversation.agent === agent)
    .toSorted((a, b) => b.expiresAt - a.expiresAt)
  const from = /^\d{1,9}$/.test(cursor ?? "") ? Number(cursor) : 0
  const toInfo = async (conversation: Conversation): Promise<SessionInfo> => {
    const [first] = await conversations.runs(conversation)
    const title = first === undefined ? undefined : titleOf(conversations.message(first))
    // Each message extends the expiry, so the time of the last message follows from the expiry.
    const updatedAt = new Date(conversation.expiresAt - keptMs).toISOString()
    return { sessionId: conversation.name, cwd: folder, updatedAt, ...(title === undefined ? {} : { title }) }
  }
  const sessions = await Promise.all(ownConversations.slice(from, from + pageSize).map(toInfo))
  return from + pageSize < ownConversations.length ? { sessions, nextCursor: String(from + pageSize) } : { sessions }
}

/** The first line of the first message, shortened. */
function titleOf(message: Parameters<typeof toBlocks>[0]): string | undefined {
  const texts = toBlocks(message).flatMap((block) => (block.type === "text" ? [block.text] : []))
  const [line = ""] = texts.join(" ").trim().split("\n")
  const characters = [...line]
  if (characters.length <= longestTitle) return line === "" ? undefined : line
  return `${characters.slice(0, longestTitle).join("")}…`
}

const longestTitle = 80
