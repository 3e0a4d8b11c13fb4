// Several instances with one channel and one lock act as tabs of a browser: one reads the stream, and all receive it.

import { afterEach, describe, expect, it, vi } from "vitest"
import type { EventRequest, Locks, SharedEvent, SharedEvents, StreamState } from "../src/shared-events.ts"
import { createSharedEvents } from "../src/shared-events.ts"

interface TextEvent extends SharedEvent {
  readonly text: string
}

const refusal = new Error("Sign in first.")

/** A server with one stream: an emitted event reaches the open connection. */
function createServer() {
  const opened: EventRequest[] = []
  let queue: (TextEvent | Error)[] = []
  let wake = (): void => {}
  let position = 0
  let refuses = false
  return {
    opened,
    openNow: (): number => opened.filter(({ signal }) => !signal.aborted).length,
    emit(words: string, conversationId?: string): void {
      position += 1
      queue.push({ id: String(position), text: words, ...(conversationId === undefined ? {} : { conversationId }) })
      wake()
    },
    drop(): void {
      queue.push(new Error("The connection was lost."))
      wake()
    },
    refuse(isRefusing: boolean): void {
      refuses = isRefusing
    },
    async *read(wanted: EventRequest): AsyncGenerator<TextEvent> {
      opened.push(wanted)
      if (refuses) throw refusal
      wanted.signal.addEventListener("abort", () => wake())
      wanted.onState("connected")
      while (!wanted.signal.aborted) {
        const batch = queue
        queue = []
        for (const item of batch) {
          if (item instanceof Error) throw item
          yield item
        }
        if (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
}

/** One lock that is granted in order, as Web Locks do. */
function createLocks(): Locks {
  let last: Promise<unknown> = Promise.resolve()
  return {
    request(_name, _options, hold) {
      const released = last.then(hold)
      last = released.catch(() => {})
      return released
    },
  }
}

const open: SharedEvents<TextEvent>[] = []
let browsers = 0

function openBrowser(server: ReturnType<typeof createServer>) {
  const locks = createLocks()
  browsers += 1
  const name = `browser ${browsers}`
  const isRefusal = (error: unknown): boolean => error === refusal
  return () => {
    const tab = createSharedEvents<TextEvent>({ name, read: server.read, isRefusal, locks })
    open.push(tab)
    return tab
  }
}

function listen(tab: SharedEvents<TextEvent>, conversationId: string) {
  const received: string[] = []
  const states: StreamState[] = []
  const stop = tab.follow(conversationId, {
    event: ({ text: words }) => void received.push(words),
    state: (state) => void states.push(state),
  })
  return { received, states, stop }
}

afterEach(() => {
  for (const tab of open.splice(0)) tab.close()
})

describe("tabs that share a stream", () => {
  it("have one connection for all their conversations, and each tab receives only its own", async () => {
    const server = createServer()
    const openTab = openBrowser(server)
    const first = listen(openTab(), "a")
    await vi.waitFor(() => expect(server.opened.at(-1)?.conversations).toEqual(["a"]))
    const others = [listen(openTab(), "b"), listen(openTab(), "c")]
    await vi.waitFor(() => expect(server.opened.at(-1)?.conversations.toSorted()).toEqual(["a", "b", "c"]))
    expect(server.openNow()).toBe(1)
    server.emit("to a", "a")
    server.emit("to b", "b")
    server.emit("to all")
    await vi.waitFor(() => expect(others.map(({ received }) => received)).toEqual([["to b", "to all"], ["to all"]]))
    expect(first.received).toEqual(["to a", "to all"])
    await vi.waitFor(() => expect(others.every(({ states }) => states.at(-1) === "connected")).toBe(true))
  })

  it("continue after the last event when the tab that reads closes", async () => {
    const server = createServer()
    const openTab = openBrowser(server)
    const reading = openTab()
    listen(reading, "a")
    const next = listen(openTab(), "b")
    await vi.waitFor(() => expect(server.opened.at(-1)?.conversations.toSorted()).toEqual(["a", "b"]))
    server.emit("one", "b")
    await vi.waitFor(() => expect(next.received).toEqual(["one"]))
    reading.close()
    await vi.waitFor(() => expect(server.opened.at(-1)).toMatchObject({ conversations: ["b"], after: "1" }))
    expect(server.openNow()).toBe(1)
    server.emit("two", "b")
    await vi.waitFor(() => expect(next.received).toEqual(["one", "two"]))
  })

  it("report a lost connection, and open it again after the last event", async () => {
    const server = createServer()
    const tab = listen(openBrowser(server)(), "a")
    server.emit("one", "a")
    await vi.waitFor(() => expect(tab.received).toEqual(["one"]))
    server.drop()
    await vi.waitFor(() => expect(tab.states).toEqual(["connected", "lost", "connected"]), { timeout: 5_000 })
    expect(server.opened.at(-1)?.after).toBe("1")
  })

  it("wait for a sign-in in any tab when the server refuses them, and then connect again", async () => {
    const server = createServer()
    server.refuse(true)
    const openTab = openBrowser(server)
    const [first, second] = [openTab(), openTab()]
    const [heardFirst, heardSecond] = [listen(first, "a"), listen(second, "a")]
    await vi.waitFor(() => expect(heardSecond.states).toEqual(["refused"]))
    const opened = server.opened.length
    server.refuse(false)
    second.reconnect()
    await vi.waitFor(() => expect(heardFirst.states).toEqual(["refused", "connected"]))
    expect(server.opened.length).toBe(opened + 1)
  })

  it("start from the beginning after a refusal, because another person may have signed in", async () => {
    const server = createServer()
    const tab = openBrowser(server)()
    const { received, states } = listen(tab, "a")
    server.emit("of alice", "a")
    await vi.waitFor(() => expect(received).toEqual(["of alice"]))
    server.refuse(true)
    server.drop()
    await vi.waitFor(() => expect(states.at(-1)).toBe("refused"), { timeout: 5_000 })
    server.refuse(false)
    tab.reconnect()
    await vi.waitFor(() => expect(states.at(-1)).toBe("connected"))
    expect(server.opened.at(-1)?.after).toBeUndefined()
  })

  it("have no connection when they follow nothing", async () => {
    const server = createServer()
    const openTab = openBrowser(server)
    const tab = openTab()
    const { stop } = listen(tab, "a")
    stop()
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(server.opened).toEqual([])
  })
})
