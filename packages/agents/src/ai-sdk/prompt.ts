// Reads the part of an AI SDK prompt that is sent to an agent, and warns about the other parts. Pure.

import type { LanguageModelV4CallOptions, SharedV4Warning } from "@ai-sdk/provider"
import { ClientError } from "@holdpoint/client"

export interface ReadPrompt {
  /** The person's last message. */
  readonly text: string
  readonly warnings: SharedV4Warning[]
}

/** Reads the person's last message. `isAlone`: the call names no conversation whose history the server stores. */
export function readPrompt({ prompt, tools = [] }: LanguageModelV4CallOptions, isAlone: boolean): ReadPrompt {
  const lastMessage = prompt.at(-1)
  if (lastMessage?.role !== "user")
    throw new ClientError("unsupported_prompt", "The last message has to be the user's.")
  const text = lastMessage.content.map((part) => (part.type === "text" ? part.text : "")).join("\n")
  const earlierMessages = prompt.slice(0, -1)
  const losses: readonly (readonly [isLost: boolean, feature: string, details: string])[] = [
    [tools.length > 0, "tools", "The agent calls the tools of its own configuration."],
    [
      earlierMessages.some(({ role }) => role === "system"),
      "system messages",
      "The agent has instructions of its own.",
    ],
    [lastMessage.content.some(({ type }) => type !== "text"), "files", "Only the text of the message is sent."],
    [
      isAlone && earlierMessages.some(({ role }) => role !== "system"),
      "earlier messages",
      "Give a conversationId: the server keeps the history of a conversation itself.",
    ],
  ]
  return {
    text,
    warnings: losses
      .filter(([isLost]) => isLost)
      .map(([, feature, details]) => ({ type: "unsupported", feature, details })),
  }
}
