// The editor of one session, and how the server sends it updates of the chat.

import type { AgentContext, SessionUpdate } from "@agentclientprotocol/sdk"
import type { EditorAbilities } from "./map.ts"

export interface Editor {
  readonly client: AgentContext
  readonly session: string
  readonly abilities: EditorAbilities
  /** Aborted when the editor disconnects or the session is closed. */
  readonly disconnected: AbortSignal
}

/** Sends `session/update` notifications in order. Stops when the editor has disconnected. */
export async function sendUpdates(
  { client, session, disconnected }: Editor,
  updates: readonly SessionUpdate[],
): Promise<void> {
  for (const update of updates) {
    if (disconnected.aborted) return
    await client.notify("session/update", { sessionId: session, update }).catch((error: unknown) => {
      if (!disconnected.aborted) throw error
    })
  }
}

export const toText = (text: string): SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
})
