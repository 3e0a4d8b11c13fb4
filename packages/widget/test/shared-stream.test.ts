// What a chat is told of its conversation by the shared stream: each event once, and that something is missing when it is.

import type { Client, LoadedChat, RunEvent } from "@holdpoint/sdk/client"
import { describe, expect, it, vi } from "vitest"
import type { EventListener, SharedEvents, StreamState } from "../src/shared-events.ts"
import { createSharedStream } from "../src/shared-stream.ts"
import type { SourceEvent } from "../src/source.ts"

type Now = LoadedChat | undefined

/** A stream that says what the test wants, and a server whose conversation is as the test says. */
function openChat(loaded: LoadedChat | undefined, now: Now | Promise<Now> = loaded) {
  let listener: EventListener<RunEvent> | undefined
  const reconnect = vi.fn()
  const events: SharedEvents<RunEvent> = {
    follow(_id, given) {
      listener = given
      return () => {}
    },
    reconnect,
    close: () => {},
  }
  let isFailing = false
  let looks = 0
  const load = async (): Promise<Now> => {
    looks += 1
    if (isFailing) throw new Error("The server cannot be reached.")
    return now
  }
  const client = { chat: () => ({ load, post: async () => ({}) }) } as unknown as Client
  const told: SourceEvent[] = []
  const source = createSharedStream({ client, agent: undefined, events })
  const stop = source.follow({ id: "c1", loaded }, (event) => void told.push(event))
  const tell = (messageId: string, number: number): void =>
    listener?.event({
      ...{ type: "reply", id: `${messageId} ${number}`, conversationId: "c1", messageId, number },
      ...{ chunk: { type: "text-delta", delta: "x" }, event: { type: "text", text: `${messageId}${number}` } },
    })
  const words = (): readonly string[] =>
    told.map((event) => (event.type === "reply" && event.event.type === "text" ? event.event.text : event.type))
  const fail = (isNow: boolean): void => {
    isFailing = isNow
  }
  const state = (now: StreamState): void => listener?.state(now)
  return { words, tell, stop, source, reconnect, state, fail, looks: () => looks }
}

const at = (messageId: string, number: number): LoadedChat => ({
  ...{ messages: [], status: "waiting", reply: { messageId, number } },
})

describe("a chat on the shared stream", () => {
  it("hears each event once, after what it has loaded", () => {
    const { words, tell, stop } = openChat(at("a", 2))
    for (const number of [1, 2, 3, 3, 4]) tell("a", number)
    tell("b", 1)
    expect(words()).toEqual(["a3", "a4", "b1"])
    stop()
  })

  it("loads again when events are missing, in a reply or at the beginning of one", () => {
    const { words, tell, stop } = openChat(at("a", 2))
    tell("a", 4)
    tell("b", 2)
    expect(words()).toEqual(["missed", "missed"])
    stop()
  })

  it("loads again when the conversation has gone on and the stream says nothing", async () => {
    const behind = openChat(at("a", 2), at("a", 3))
    const other = openChat(undefined, at("b", 1))
    const current = openChat(at("a", 2))
    await vi.waitFor(() => expect([behind.words(), other.words()]).toEqual([["missed"], ["missed"]]))
    expect(current.words()).toEqual([])
    for (const { stop } of [behind, other, current]) stop()
  })

  it("looks again after the next connection when the first look failed", async () => {
    const { words, looks, state, fail, stop } = openChat(at("a", 2), at("a", 3))
    fail(true)
    await vi.waitFor(() => expect(looks()).toBe(1))
    expect(words()).toEqual([])
    fail(false)
    state("connected")
    await vi.waitFor(() => expect(words()).toEqual(["connection", "missed"]))
    stop()
  })

  it("tells nothing more to a chat that has left", async () => {
    const { promise, resolve } = Promise.withResolvers<Now>()
    const { words, looks, stop } = openChat(at("a", 2), promise)
    await vi.waitFor(() => expect(looks()).toBe(1))
    stop()
    resolve(at("a", 3))
    await promise
    await new Promise((done) => setTimeout(done))
    expect(words()).toEqual([])
  })

  it("opens a stream again that was refused, once a message was accepted", async () => {
    const { source, state, reconnect, stop } = openChat(undefined)
    state("refused")
    expect(reconnect).not.toHaveBeenCalled()
    await source.post("c1", "hello")
    expect(reconnect).toHaveBeenCalledOnce()
    stop()
  })
})
