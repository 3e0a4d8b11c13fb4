// One stream of events for all tabs of a browser, because browsers open six connections to a server at most. The tab that
// holds a lock reads the stream and passes every event on; when it goes away, the next tab reads on after the last event.

import { createStreamReader } from "./stream-reader.ts"

/** An event of the stream. */
export interface SharedEvent {
  /** Where the stream goes on after this event. */
  readonly id: string
  /** The conversation that the event is about; undefined for events about all of them. */
  readonly conversationId?: string
}

/** `refused`: the server does not know who calls. The stream is opened again by `reconnect`. */
export type StreamState = "connected" | "lost" | "refused"

export interface EventListener<E extends SharedEvent> {
  event(event: E): void
  state(state: StreamState): void
}

export interface SharedEvents<E extends SharedEvent> {
  /** Calls back with the events of a conversation, and with those of no conversation. Returns an unsubscribe function. */
  follow(conversationId: string, listener: EventListener<E>): () => void
  /** Opens the stream again, for example after the person has signed in. */
  reconnect(): void
  /** Leaves: another tab takes over the stream. */
  close(): void
}

export interface SharedEventsOptions<E extends SharedEvent> {
  /** Tabs with the same name share one stream, so it stands for a server and a person. */
  readonly name: string
  /** Reads the stream of these conversations. It may open lost connections again; when it ends, it is begun again. */
  readonly read: (wanted: WantedEvents) => AsyncIterable<E>
  /** Whether the error means that the server does not know who calls. */
  readonly isRefusal: (error: unknown) => boolean
  /** Undefined in browsers and contexts without locks: then each tab has a stream of its own. */
  readonly locks: Locks | undefined
}

/** The part of Web Locks (`navigator.locks`) that is needed here. */
export interface Locks {
  request(name: string, options: { readonly signal: AbortSignal }, hold: () => Promise<void>): Promise<unknown>
}

export interface WantedEvents {
  readonly conversations: readonly string[]
  readonly after: string | undefined
  readonly signal: AbortSignal
  /** To be called when the connection is open, and when it is lost. */
  readonly onState: (state: StreamState) => void
}

/** What tabs tell each other. */
type Message<E> =
  | { readonly type: "event"; readonly event: E }
  | { readonly type: "state"; readonly state: StreamState }
  /** A tab follows these conversations; none when it leaves. */
  | { readonly type: "follows"; readonly tab: string; readonly conversations: readonly string[] }
  /** From the tab that has just taken over the stream. */
  | { readonly type: "who-follows" }
  | { readonly type: "reconnect" }

/** The server follows no more in one stream. Tabs that ended without a word may still be counted: the newest come first. */
const mostConversations = 20
/** The time that other tabs have to say what they follow, before a tab that took over opens the stream. */
const rollCallMs = 60

export function createSharedEvents<E extends SharedEvent>(options: SharedEventsOptions<E>): SharedEvents<E> {
  const { name, locks } = options
  const tab = crypto.randomUUID()
  const channel = locks === undefined ? undefined : new BroadcastChannel(name)
  const here = createListeners<E>()
  const others = new Map<string, readonly string[]>()
  const left = new AbortController()
  let isLeading = false

  const wanted = (): readonly string[] =>
    [...new Set([...here.conversations(), ...[...others.values()].reverse().flat()])].slice(0, mostConversations)
  const tellOthers = (message: Message<E>): void => channel?.postMessage(message)
  const sayFollowed = (): void => tellOthers({ type: "follows", tab, conversations: here.conversations() })
  const reader = createStreamReader<E>({
    ...{ read: options.read, isRefusal: options.isRefusal, wanted, cursor: here.cursor, left: left.signal },
    tell(event) {
      tellOthers({ type: "event", event })
      here.hear(event)
    },
    tellState(state) {
      tellOthers({ type: "state", state })
      here.hearState(state)
    },
  })
  const lead = async (): Promise<void> => {
    isLeading = true
    tellOthers({ type: "who-follows" })
    if (channel !== undefined) await new Promise((resolve) => setTimeout(resolve, rollCallMs))
    await reader.run()
  }
  const hearOfTab = (other: string, conversations: readonly string[]): void => {
    const before = wanted()
    if (conversations.length === 0) others.delete(other)
    else others.set(other, conversations)
    if (!isLeading) return
    if (wanted().some((one) => !before.includes(one))) reader.restart()
    // A tab that came later has heard of no state yet.
    const state = here.state()
    if (state !== undefined) tellOthers({ type: "state", state })
  }
  const receive = (message: Message<E>): void => {
    if (message.type === "event") here.hear(message.event)
    else if (message.type === "state") here.hearState(message.state)
    else if (message.type === "who-follows") sayFollowed()
    else if (message.type === "follows") hearOfTab(message.tab, message.conversations)
    else if (isLeading) reader.restart()
  }

  channel?.addEventListener("message", (message) => receive((message as MessageEvent).data as Message<E>))
  if (locks === undefined) void lead()
  // Rejected when this tab leaves while it waits for the lock.
  else void locks.request(name, { signal: left.signal }, lead).catch(() => {})

  return {
    follow(conversationId, listener) {
      const isNew = !wanted().includes(conversationId)
      const unfollow = here.add(conversationId, listener)
      sayFollowed()
      if (isLeading && isNew) reader.restart()
      return () => {
        unfollow()
        sayFollowed()
      }
    },
    reconnect() {
      tellOthers({ type: "reconnect" })
      if (isLeading) reader.restart()
    },
    close() {
      if (left.signal.aborted) return
      here.clear()
      sayFollowed()
      left.abort()
      reader.restart()
      channel?.close()
    },
  }
}

/** Who listens in this tab, and how far the stream was heard. */
function createListeners<E extends SharedEvent>() {
  const listeners = new Map<string, Set<EventListener<E>>>()
  const all = (): readonly EventListener<E>[] => [...listeners.values()].flatMap((set) => [...set])
  let cursor: string | undefined
  let state: StreamState | undefined
  return {
    conversations: (): readonly string[] => [...listeners.keys()],
    cursor: () => cursor,
    state: () => state,
    add(conversationId: string, listener: EventListener<E>): () => void {
      const set = listeners.get(conversationId) ?? new Set()
      listeners.set(conversationId, set.add(listener))
      if (state !== undefined) listener.state(state)
      return () => {
        set.delete(listener)
        if (set.size === 0) listeners.delete(conversationId)
      }
    },
    clear: () => listeners.clear(),
    hear(event: E): void {
      cursor = event.id
      const { conversationId } = event
      const concerned = conversationId === undefined ? all() : (listeners.get(conversationId) ?? [])
      for (const listener of concerned) listener.event(event)
    },
    hearState(now: StreamState): void {
      if (now === state) return
      state = now
      // Another person may sign in next, of whose conversations this place says nothing.
      if (now === "refused") cursor = undefined
      for (const listener of all()) listener.state(now)
    },
  }
}
