// Reads the event stream of a person like a browser: each event with its name, its id and its data.

export interface SeenEvent {
  readonly id: string
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface EventsReader {
  readonly response: Response
  readonly seen: readonly SeenEvent[]
  /** The id of the last event, with or without data. */
  readonly last: string
  /** Reads until an event matches. Rejects at the end of the stream. */
  until(matches: (event: SeenEvent) => boolean): Promise<SeenEvent>
  /** The first event that matches, among the events that were read and later ones. */
  find(matches: (event: SeenEvent) => boolean): Promise<SeenEvent>
  /** Reads to the end of the stream. */
  rest(): Promise<readonly SeenEvent[]>
  leave(): Promise<void>
}

export function readEvents(response: Response): EventsReader {
  if (response.status !== 200) throw new Error(`The stream was refused with ${response.status}.`)
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
  const seen: SeenEvent[] = []
  let [text, last] = ["", ""]
  const next = async (): Promise<SeenEvent | undefined> => {
    for (;;) {
      const end = text.indexOf("\n\n")
      if (end < 0) {
        const { done, value } = await reader.read()
        if (done) return undefined
        text += value
        continue
      }
      const block = text.slice(0, end)
      text = text.slice(end + 2)
      const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1]
      last = field("id") ?? last
      const data = field("data")
      if (data === undefined) continue
      const event = { id: last, event: field("event") ?? "", data: JSON.parse(data) }
      seen.push(event)
      return event
    }
  }
  const until: EventsReader["until"] = async (matches) => {
    for (;;) {
      const event = await next()
      if (event === undefined) throw new Error(`the stream ended: ${JSON.stringify(seen)}`)
      if (matches(event)) return event
    }
  }
  return {
    ...{ response, seen, until },
    get last() {
      return last
    },
    find: async (matches) => seen.find(matches) ?? (await until(matches)),
    async rest() {
      while ((await next()) !== undefined);
      return seen
    },
    leave: () => reader.cancel(),
  }
}

/** Whether the event is a chunk of this type, of any conversation or of this one. */
export const isChunk =
  (type: string, conversation?: string) =>
  ({ event, data }: SeenEvent): boolean =>
    event === "reply" &&
    (data.chunk as { readonly type: string }).type === type &&
    (conversation === undefined || data.conversationId === conversation)

/** The chunks of the conversation's replies, as message, number and type. */
export const chunksOf = (seen: readonly SeenEvent[], conversation: string): readonly string[] =>
  seen.flatMap(({ event, data }) =>
    event === "reply" && data.conversationId === conversation
      ? [`${data.messageId} ${data.number} ${(data.chunk as { readonly type: string }).type}`]
      : [],
  )

/** The text of the replies in the conversation. */
export const wordsOf = (seen: readonly SeenEvent[], conversation: string): string =>
  seen
    .filter(({ event, data }) => event === "reply" && data.conversationId === conversation)
    .map(({ data }) => data.chunk as { readonly delta?: string })
    .map(({ delta = "" }) => delta)
    .join("")
