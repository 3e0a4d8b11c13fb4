// The shared stream reports each event of a conversation once, and `missed` when events are missing.

import type { Client, LoadedChat, RunEvent } from "@holdpoint/client"
import { describe, expect, it, vi } from "vitest"
import type { SourceEvent } from "../src/conversation-source.ts"
import type { EventListener, SharedEvents, StreamState } from "../src/shared-events.ts"
import { createSharedStream } from "../src/shared-stream.ts"

type CurrentChat = LoadedChat | undefined

/** A chat on a stream whose events the test emits, and a server with the test's conversation. */
function openChat(loaded: LoadedChat | undefined, current: CurrentChat | Promise<CurrentChat> = loaded) {
  let listener: EventListener<RunEvent> | undefined
  const reconnect = vi.fn()
  const events: SharedEvents<RunEvent> = {
    follow(_id, subscriber) {
      listener = subscriber
      return () => {}
    },
    reconnect,
    close: () => {},
  }
  let isFailing = false
  let loadCount = 0
  const load = async (): Promise<CurrentChat> => {
    loadCount += 1
    if (isFailing) throw new Error("The server cannot be reached.")
    return current
  }
  const client = { chat: () => ({ load, post: async () => ({}) }) } as unknown as Client
  const reported: SourceEvent[] = []
  const source = createSharedStream({ client, agent: undefined, events })
  const stop = source.follow({ id: "c1", loaded }, (event) => void reported.push(event))
  const emitReply = (messageId: string, number: number): void =>
    listener?.event({
      ...{ type: "reply", id: `${messageId} ${number}`, conversationId: "c1", messageId, number },
      ...{ chunk: { type: "text-delta", delta: "x" }, event: { type: "text", text: `${messageId}${number}` } },
    })
  const reportedTexts = (): readonly string[] =>
    reported.map((event) => (event.type === "reply" && event.event.type === "text" ? event.event.text : event.type))
  const fail = (isNow: boolean): void => {
    isFailing = isNow
  }
  const state = (current: StreamState): void => listener?.state(current)
  return { reportedTexts, emitReply, stop, source, reconnect, state, fail, loads: () => loadCount }
}

const loadedUpTo = (messageId: string, number: number): LoadedChat => ({
  ...{ messages: [], status: "waiting", reply: { messageId, number } },
})

describe("a chat on the shared stream", () => {
  it("receives each event once, after the loaded events", () => {
    const { reportedTexts, emitReply, stop } = openChat(loadedUpTo("a", 2))
    for (const number of [1, 2, 3, 3, 4]) emitReply("a", number)
    emitReply("b", 1)
    expect(reportedTexts()).toEqual(["a3", "a4", "b1"])
    stop()
  })

  it("loads again when events are missing, in a reply or at the beginning of one", () => {
    const { reportedTexts, emitReply, stop } = openChat(loadedUpTo("a", 2))
    emitReply("a", 4)
    emitReply("b", 2)
    expect(reportedTexts()).toEqual(["missed", "missed"])
    stop()
  })

  it("loads again when the conversation has continued and the stream is silent", async () => {
    const behind = openChat(loadedUpTo("a", 2), loadedUpTo("a", 3))
    const other = openChat(undefined, loadedUpTo("b", 1))
    const current = openChat(loadedUpTo("a", 2))
    await vi.waitFor(() => expect([behind.reportedTexts(), other.reportedTexts()]).toEqual([["missed"], ["missed"]]))
    expect(current.reportedTexts()).toEqual([])
    for (const { stop } of [behind, other, current]) stop()
  })

  it("compares again after the next connection when the first comparison failed", async () => {
    const { reportedTexts, loads, state, fail, stop } = openChat(loadedUpTo("a", 2), loadedUpTo("a", 3))
    fail(true)
    await vi.waitFor(() => expect(loads()).toBe(1))
    expect(reportedTexts()).toEqual([])
    fail(false)
    state("connected")
    await vi.waitFor(() => expect(reportedTexts()).toEqual(["connection", "missed"]))
    stop()
  })

  it("reports nothing after the chat has unsubscribed", async () => {
    const { promise, resolve } = Promise.withResolvers<CurrentChat>()
    const { reportedTexts, loads, stop } = openChat(loadedUpTo("a", 2), promise)
    await vi.waitFor(() => expect(loads()).toBe(1))
    stop()
    resolve(loadedUpTo("a", 3))
    await promise
    await new Promise((done) => setTimeout(done))
    expect(reportedTexts()).toEqual([])
  })

  it("reopens a refused stream after the server accepted a message", async () => {
    const { source, state, reconnect, stop } = openChat(undefined)
    state("refused")
    expect(reconnect).not.toHaveBeenCalled()
    await source.post("c1", "hello")
    expect(reconnect).toHaveBeenCalledOnce()
    stop()
  })
})
