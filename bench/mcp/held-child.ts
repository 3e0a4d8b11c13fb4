// A process that holds calls open. It receives them without a network, because sockets cost the same on both sides.

import { createHook } from "node:async_hooks"
import { randomBytes } from "node:crypto"
import { setImmediate } from "node:timers/promises"
import { serve } from "../child.ts"
import type { StoreLocation } from "../core/store-locations.ts"
import { pause } from "../measure.ts"
import { callLegacy, callModern, type Endpoint, initialize, resultOf } from "./client.ts"
import { openServers, type Servers } from "./servers.ts"

interface Order {
  readonly location: StoreLocation
  readonly side: "bare" | "ours"
  readonly era: "modern" | "legacy"
  readonly count: number
  /** How long to wait before the heap is read. */
  readonly settleMs: number
}

type Hold = () => Promise<Response>

const warmUps = 50
const chunk = 100
/** As long as our sealed state. */
const stateBytes = 208

let opened: Promise<Servers> | undefined
/** Pending responses, which a caller would also keep in memory. */
const held: Response[] = []

const commands = {
  /** Heap bytes for each call. */
  async hold(order: Order): Promise<number> {
    const hold = await toHold(order)
    await holdSome(hold, warmUps)
    const before = await heapBytes(order.settleMs)
    await holdSome(hold, order.count)
    return ((await heapBytes(order.settleMs)) - before) / order.count
  },

  /** How many timers the held calls add, including unreferenced ones. */
  async countTimers(order: Order): Promise<number> {
    const hold = await toHold(order)
    await holdSome(hold, warmUps)
    const timers = new Set<number>()
    const hook = createHook({
      init: (id, type) => void (type === "Timeout" && timers.add(id)),
      destroy: (id) => void timers.delete(id),
    })
    hook.enable()
    await holdSome(hold, order.count)
    await setImmediate()
    hook.disable()
    return timers.size
  },
}

export type HeldCommands = typeof commands

// Closes nothing, because a closing server waits for its held calls, which never end here.
serve(commands, async () => {})

async function toHold({ location, side, era }: Order): Promise<Hold> {
  opened ??= openServers(location)
  const servers = await opened
  const endpoint = { url: "http://127.0.0.1/mcp", token: servers.token, fetch: servers[side] }
  if (era === "modern") return side === "bare" ? holdBare(endpoint) : holdOurs(endpoint)
  const session = side === "bare" ? null : await initialize(endpoint)
  return () => callLegacy(endpoint, session, { name: "ask" })
}

const inputResponses = { open: { action: "accept" } }

/** Holds a retry by which a client waits until the page is done, at the SDK's handler. */
function holdBare(endpoint: Endpoint): Hold {
  const state = (): string => randomBytes(stateBytes).toString("base64url")
  return () => callModern(endpoint, { name: "ask", requestState: state(), inputResponses })
}

/** Holds such a retry at our handler, after a first request that returned the page. */
function holdOurs(endpoint: Endpoint): Hold {
  return async () => {
    const { requestState } = await resultOf(await callModern(endpoint, { name: "open" }))
    return callModern(endpoint, { name: "open", requestState, inputResponses })
  }
}

async function holdSome(hold: Hold, count: number): Promise<void> {
  for (let first = 0; first < count; first += chunk) {
    held.push(...(await Promise.all(Array.from({ length: Math.min(chunk, count - first) }, hold))))
  }
}

/** The size of the heap after a wait, because the writes of a call take as long as the disk. */
async function heapBytes(settleMs: number): Promise<number> {
  for (let last = 0; ; ) {
    await pause(settleMs)
    for (let round = 0; round < 3; round++) {
      globalThis.gc?.()
      await setImmediate()
    }
    const { heapUsed } = process.memoryUsage()
    if (Math.abs(heapUsed - last) < heapUsed / 200) return heapUsed
    last = heapUsed
  }
}
