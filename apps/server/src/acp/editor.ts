// The editor's end of a session, and what it is told without being asked.

import type { AgentContext, SessionUpdate } from "@agentclientprotocol/sdk"
import type { EditorAbilities } from "./map.ts"

export interface Editor {
  readonly client: AgentContext
  readonly session: string
  readonly can: EditorAbilities
  /** Aborted when the editor is gone. */
  readonly gone: AbortSignal
}

/** Tells the chat of this, in order. Nothing is told to an editor that is gone. */
export async function tell({ client, session, gone }: Editor, updates: readonly SessionUpdate[]): Promise<void> {
  for (const update of updates) {
    if (gone.aborted) return
    await client.notify("session/update", { sessionId: session, update }).catch((error: unknown) => {
      if (!gone.aborted) throw error
    })
  }
}

export const toText = (text: string): SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
})
