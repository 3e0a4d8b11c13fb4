// What a client says to a question, as it brings it along. The hub judges whether it is an answer.

export interface Reply {
  readonly action: "accept" | "decline" | "cancel"
  readonly content?: unknown
}

/** Undefined for everything else that a client may send. */
export function readReply(value: unknown): Reply | undefined {
  if (typeof value !== "object" || value === null) return undefined
  const { action, content } = value as Readonly<Record<string, unknown>>
  if (action !== "accept" && action !== "decline" && action !== "cancel") return undefined
  return content === undefined || content === null ? { action } : { action, content }
}
