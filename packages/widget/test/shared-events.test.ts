// Tabs of one browser as several instances on one channel and one lock: only one reads the stream, and all hear it.

import { afterEach, describe, expect, it, vi } from "vitest"
import type { Locks, SharedEvent, SharedEvents, StreamState, WantedEvents } from "../src/shared-events.ts"
import { createSharedEvents } from "../src/shared-events.ts"

interface Said extends SharedEvent {
  readonly words: string
}

const refusal = new Error("Sign in first.")

/** One server with one stream: what is said reaches the connection that is open. */
function createServer() {
  const opened: WantedEvents[] = []
  let queue: (Said | Error)[] = []
  let wake = (): void => {}
  let position = 0
  let refuses = false
  return {
    opened,
    openNow: (): number => opened.filter(({ signal }) => !signal.aborted).length,
    say(words: string, conversationId?: string): void {
      position += 1
      queue.push({ id: String(position), words, ...(conversationId === undefined ? {} : { conversationId }) })
      wake()
    },
    drop(): void {
      queue.push(new Error("The connection was lost."))
      wake()
    },
    refuse(isRefusing: boolean): void {
      refuses = isRefusing
    },
    async *read(wanted: WantedEvents): AsyncGenerator<Said> {
      opened.push(wanted)
      if (refuses) throw refusal
      wanted.signal.addEventListener("abort", () => wake())
      wanted.onState("connected")
      while (!wanted.signal.aborted) {
        const all = queue
        queue = []
        for (const one of all) {
          if (one instanceof Error) throw one
          yield one
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
      const held = last.then(hold)
      last = held.catch(() => {})
      return held
    },
  }
}

const open: SharedEvents<Said>[] = []
let browsers = 0

function openBrowser(server: ReturnType<typeof createServer>) {
  const locks = createLocks()
  browsers += 1
  const name = `browser ${browsers}`
  const isRefusal = (error: unknown): boolean => error === refusal
  return () => {
    const tab = createSharedEvents<Said>({ name, read: server.read, isRefusal, locks })
    open.push(tab)
    return tab
  }
}

function listen(tab: SharedEvents<Said>, conversationId: string) {
  const heard: string[] = []
  const states: StreamState[] = []
  const stop = tab.follow(conversationId, {
    event: ({ words }) => void heard.push(words),
    state: (state) => void states.push(state),
  })
  return { heard, states, stop }
}

afterEach(() => {
  for (const tab of open.splice(0)) tab.close()
})

describe("tabs that share a stream", () => {
  it("have one connection for the conversations of all of them, and each hears its own", async () => {
    const server = createServer()
    const openTab = openBrowser(server)
    const first = listen(openTab(), "a")
    await vi.waitFor(() => expect(server.opened.at(-1)?.conversations).toEqual(["a"]))
    const others = [listen(openTab(), "b"), listen(openTab(), "c")]
    await vi.waitFor(() => expect(server.opened.at(-1)?.conversations.toSorted()).toEqual(["a", "b", "c"]))
    expect(server.openNow()).toBe(1)
    server.say("to a", "a")
    server.say("to b", "b")
    server.say("to all")
    await vi.waitFor(() => expect(others.map(({ heard }) => heard)).toEqual([["to b", "to all"], ["to all"]]))
    expect(first.heard).toEqual(["to a", "to all"])
    await vi.waitFor(() => expect(others.every(({ states }) => states.at(-1) === "connected")).toBe(true))
  })

  it("read on after the last event when the tab that reads goes away", async () => {
    const server = createServer()
    const openTab = openBrowser(server)
    const reading = openTab()
    listen(reading, "a")
    const next = listen(openTab(), "b")
    await vi.waitFor(() => expect(server.opened.at(-1)?.conversations.toSorted()).toEqual(["a", "b"]))
    server.say("one", "b")
    await vi.waitFor(() => expect(next.heard).toEqual(["one"]))
    reading.close()
    await vi.waitFor(() => expect(server.opened.at(-1)).toMatchObject({ conversations: ["b"], after: "1" }))
    expect(server.openNow()).toBe(1)
    server.say("two", "b")
    await vi.waitFor(() => expect(next.heard).toEqual(["one", "two"]))
  })

  it("say that the connection is lost, and open it again after the last event", async () => {
    const server = createServer()
    const tab = listen(openBrowser(server)(), "a")
    server.say("one", "a")
    await vi.waitFor(() => expect(tab.heard).toEqual(["one"]))
    server.drop()
    await vi.waitFor(() => expect(tab.states).toEqual(["connected", "lost", "connected"]), { timeout: 5_000 })
    expect(server.opened.at(-1)?.after).toBe("1")
  })

  it("wait for a sign-in when the server refuses them, and go on after it in any tab", async () => {
    const server = createServer()
    server.refuse(true)
    const openTab = openBrowser(server)
    const [first, second] = [openTab(), openTab()]
    const [heardFirst, heardSecond] = [listen(first, "a"), listen(second, "a")]
    await vi.waitFor(() => expect(heardSecond.states).toEqual(["refused"]))
    const asked = server.opened.length
    server.refuse(false)
    second.reconnect()
    await vi.waitFor(() => expect(heardFirst.states).toEqual(["refused", "connected"]))
    expect(server.opened.length).toBe(asked + 1)
  })

  it("start from the beginning after a refusal, because another person may have signed in", async () => {
    const server = createServer()
    const tab = openBrowser(server)()
    const { heard, states } = listen(tab, "a")
    server.say("of alice", "a")
    await vi.waitFor(() => expect(heard).toEqual(["of alice"]))
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
