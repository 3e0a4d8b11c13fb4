// One stream of events for all tabs of a browser, because browsers open at most six connections to a server. The tab
// that holds a lock reads the stream and forwards every event. When it closes, another tab resumes after the last
// event.

import { createStreamReader } from "./stream-reader.ts"

/** An event of the stream. */
export interface SharedEvent {
  /** The cursor with which the stream resumes after this event. */
  readonly id: string
  /** The conversation that the event is about; undefined for events about all conversations. */
  readonly conversationId?: string
}

/** `refused`: the server does not accept the credentials. Only `reconnect` or a new conversation causes a retry. */
export type StreamState = "connected" | "lost" | "refused"

export interface EventListener<E extends SharedEvent> {
  event(event: E): void
  state(state: StreamState): void
}

export interface SharedEvents<E extends SharedEvent> {
  /** Notifies the listener of events about this conversation or about all. Returns an unsubscribe function. */
  follow(conversationId: string, listener: EventListener<E>): () => void
  /** Opens the stream again, for example after the person has signed in. */
  reconnect(): void
  /** Releases the stream, so that another tab can read it. */
  close(): void
}

export interface SharedEventsOptions<E extends SharedEvent> {
  /** Tabs with the same name share one stream, so the name must identify the server and the person. */
  readonly name: string
  /** Reads the events of these conversations. May reopen lost connections by itself; called again when it ends. */
  readonly read: (request: EventRequest) => AsyncIterable<E>
  /** Whether the error means that the server refused the caller, so that retrying is useless. */
  readonly isRefusal: (error: unknown) => boolean
  /** Undefined in browsers and contexts without Web Locks: then each tab reads its own stream. */
  readonly locks: Locks | undefined
}

/** The part of Web Locks (`navigator.locks`) that the shared stream uses. */
export interface Locks {
  request(name: string, options: { readonly signal: AbortSignal }, hold: () => Promise<void>): Promise<unknown>
}

export interface EventRequest {
  readonly conversations: readonly string[]
  readonly after: string | undefined
  readonly signal: AbortSignal
  /** The reader calls this when the connection is open, and when it is lost. */
  readonly onState: (state: StreamState) => void
}

/** The messages that tabs send to each other. */
type Message<E> =
  | { readonly type: "event"; readonly event: E }
  | { readonly type: "state"; readonly state: StreamState }
  /** The conversations that a tab follows; empty when the tab closes. */
  | { readonly type: "follows"; readonly tab: string; readonly conversations: readonly string[] }
  /** The question of a tab that has just taken over the stream. */
  | { readonly type: "who-follows" }
  | { readonly type: "reconnect" }

/** The server's limit for one stream. The newest tabs take precedence, because crashed tabs may still be listed. */
const maxConversations = 20
/** How long a tab that took over waits for the other tabs' conversations before it opens the stream. */
const tabAnswerMs = 60

export function createSharedEvents<E extends SharedEvent>(options: SharedEventsOptions<E>): SharedEvents<E> {
  const { name, locks } = options
  const tab = crypto.randomUUID()
  const channel = locks === undefined ? undefined : new BroadcastChannel(name)
  const localListeners = createListeners<E>()
  const otherTabs = new Map<string, readonly string[]>()
  const closeController = new AbortController()
  let isLeading = false

  const followedConversations = (): readonly string[] =>
    [...new Set([...localListeners.conversations(), ...[...otherTabs.values()].reverse().flat()])].slice(
      0,
      maxConversations,
    )
  const broadcast = (message: Message<E>): void => channel?.postMessage(message)
  const broadcastFollowed = (): void =>
    broadcast({ type: "follows", tab, conversations: localListeners.conversations() })
  const reader = createStreamReader<E>({
    ...{
      read: options.read,
      isRefusal: options.isRefusal,
      conversations: followedConversations,
      cursor: localListeners.cursor,
      closeSignal: closeController.signal,
    },
    onEvent(event) {
      broadcast({ type: "event", event })
      localListeners.dispatch(event)
    },
    onState(state) {
      broadcast({ type: "state", state })
      localListeners.dispatchState(state)
    },
  })
  const runAsLeader = async (): Promise<void> => {
    isLeading = true
    broadcast({ type: "who-follows" })
    if (channel !== undefined) await new Promise((resolve) => setTimeout(resolve, tabAnswerMs))
    await reader.run()
  }
  const updateTab = (otherTab: string, conversations: readonly string[]): void => {
    const conversationsBefore = followedConversations()
    if (conversations.length === 0) otherTabs.delete(otherTab)
    else otherTabs.set(otherTab, conversations)
    if (!isLeading) return
    if (followedConversations().some((conversation) => !conversationsBefore.includes(conversation))) reader.restart()
    // A new tab does not know the state of the stream yet.
    const state = localListeners.state()
    if (state !== undefined) broadcast({ type: "state", state })
  }
  const receive = (message: Message<E>): void => {
    if (message.type === "event") localListeners.dispatch(message.event)
    else if (message.type === "state") localListeners.dispatchState(message.state)
    else if (message.type === "who-follows") broadcastFollowed()
    else if (message.type === "follows") updateTab(message.tab, message.conversations)
    else if (isLeading) reader.restart()
  }

  channel?.addEventListener("message", (message) => receive((message as MessageEvent).data as Message<E>))
  if (locks === undefined) runAsLeader().catch(throwLater)
  // The request rejects when `close` is called while this tab waits for the lock.
  else void locks.request(name, { signal: closeController.signal }, runAsLeader).catch(() => {})

  return {
    follow(conversationId, listener) {
      const isNew = !followedConversations().includes(conversationId)
      const removeListener = localListeners.add(conversationId, listener)
      broadcastFollowed()
      if (isLeading && isNew) reader.restart()
      return () => {
        removeListener()
        broadcastFollowed()
      }
    },
    reconnect() {
      broadcast({ type: "reconnect" })
      if (isLeading) reader.restart()
    },
    close() {
      if (closeController.signal.aborted) return
      localListeners.clear()
      broadcastFollowed()
      closeController.abort()
      reader.restart()
      channel?.close()
    },
  }
}

/** The listeners of this tab, and the cursor and state of the stream. */
function createListeners<E extends SharedEvent>() {
  const listeners = new Map<string, Set<EventListener<E>>>()
  const allListeners = (): readonly EventListener<E>[] => [...listeners.values()].flatMap((set) => [...set])
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
    dispatch(event: E): void {
      cursor = event.id
      const { conversationId } = event
      const recipients = conversationId === undefined ? allListeners() : (listeners.get(conversationId) ?? [])
      for (const listener of recipients) listener.event(event)
    },
    dispatchState(newState: StreamState): void {
      if (newState === state) return
      state = newState
      // Another person may sign in next, and the cursor is not valid for their conversations.
      if (newState === "refused") cursor = undefined
      for (const listener of allListeners()) listener.state(newState)
    },
  }
}

/** The page's own handlers of errors see it. */
function throwLater(error: unknown): void {
  setTimeout(() => {
    throw error
  })
}
