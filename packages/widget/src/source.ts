// Where a chat hears of its conversation. The chat knows no connection: all tabs of a browser share one.

import type { ChatEvent, LoadedChat } from "@holdpoint/sdk/client"

export interface ConversationSource {
  /**
   * Reports what happens in the conversation after it was loaded. Returns a function that ends it. Events that the loaded
   * conversation has already may be reported again.
   */
  follow(conversation: FollowedConversation, onEvent: (event: SourceEvent) => void): () => void
  /** Sends a message. Resolves when the server has it; its reply is reported to followers. */
  post(conversationId: string, text: string): Promise<void>
}

export interface FollowedConversation {
  readonly id: string
  /** Undefined when the conversation has not begun. */
  readonly loaded: LoadedChat | undefined
}

export type SourceEvent =
  /** Something happened in a reply. Without `messageId` it is the one that this chat knows. */
  | { readonly type: "reply"; readonly messageId?: string; readonly event: ChatEvent }
  /** The connection was lost and is tried again, or is back. */
  | { readonly type: "connection"; readonly isLost: boolean }
  /** Something was missed: the conversation has to be loaded again. */
  | { readonly type: "missed" }

/** Whether the last reply of a conversation has not ended. */
export const isUnderWay = (loaded: LoadedChat | undefined): boolean =>
  loaded?.status === "running" || loaded?.status === "waiting"
