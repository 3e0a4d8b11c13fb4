// The source from which a chat receives the events of its conversation. All tabs of a browser share one connection.

import type { ChatEvent, LoadedChat } from "@holdpoint/client"

export interface ConversationSource {
  /**
   * Reports the events after the conversation was loaded. Returns an unsubscribe function. May repeat events that the
   * loaded conversation already contains.
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
  /** An event of a reply. Without `messageId` the event belongs to the chat's latest reply. */
  | { readonly type: "reply"; readonly messageId?: string; readonly event: ChatEvent }
  /** The connection was lost and is being retried, or is open again. */
  | { readonly type: "connection"; readonly isLost: boolean }
  /** Events were missed: the chat must load the conversation again. */
  | { readonly type: "missed" }

/** Whether the last reply of a conversation is still running, or waiting for a person. */
export const isUnderWay = (loaded: LoadedChat | undefined): boolean =>
  loaded?.status === "running" || loaded?.status === "waiting"
