// Where a chat hears of its conversation. The chat knows no connection: a tab may have one of its own, or share one.

import type { ChatEvent } from "@holdpoint/sdk/client"

export interface ConversationSource {
  /** Reports what happens in the conversation, from the beginning of its last reply. Returns a function that ends it. */
  follow(conversationId: string, onEvent: (event: SourceEvent) => void): () => void
  /** Sends a message. Resolves when the server has it; its reply is reported to followers. */
  post(conversationId: string, text: string): Promise<void>
}

export type SourceEvent =
  /** Something happened in a reply. Without `messageId` it is the last one. */
  | { readonly type: "reply"; readonly messageId?: string; readonly event: ChatEvent }
  /** No reply is under way. */
  | { readonly type: "idle" }
  /** The connection was lost and is tried again, or is back. */
  | { readonly type: "connection"; readonly isLost: boolean }
  /** The server refused to tell more. */
  | { readonly type: "refused"; readonly error: unknown }
