// Several MCP servers on one storage, like several processes, with a test clock or the real one, and tools that the
// test writes. The test chooses which server gets a request.

import type { Vault } from "@holdpoint/accounts"
import { createVault } from "@holdpoint/accounts"
import type { Hub, Principal, Runtime, Storage } from "@holdpoint/hub"
import { createAddresses, createHub, createMemoryStorage, inbox, systemRuntime } from "@holdpoint/hub"
import type { KeyRing } from "@holdpoint/hub/sealing"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import type { Mcp, McpOptions } from "@holdpoint/mcp"
import { createMcp } from "@holdpoint/mcp"
import type { TestClock } from "@holdpoint/testing"
import type { McpServer } from "@modelcontextprotocol/server"
import { alice } from "../../../fixtures.ts"
import type { ClientOptions, Endpoint, JsonObject, TestClient } from "../clients/client.ts"
import { isObject } from "../clients/client.ts"
import type { RawClient } from "../clients/raw.ts"
import { openRaw, openRawModern, rawDraft } from "../clients/raw.ts"
import { openV2 } from "../clients/v2.ts"
import { createCallers, resource } from "../tokens.ts"

export interface Node {
  readonly mcp: Mcp
  readonly hub: Hub
}

export interface House {
  readonly storage: Storage
  readonly keys: KeyRing
  readonly nodes: readonly Node[]
  /** The hub of the pages: a process that serves no calls. */
  readonly hub: Hub
  /** The reported background errors. */
  readonly reports: { readonly doing: string; readonly error: unknown }[]
  /** A connection to one node, which the test can move to another. */
  endpoint(options?: WayOptions): Promise<MovingEndpoint>
  raw(options?: WayOptions & Partial<ClientOptions>): Promise<RawClient & { to(node: number): void }>
  modern(options?: WayOptions & { readonly capabilities?: JsonObject }): Promise<RawClient & { to(node: number): void }>
  v2(mode: "legacy" | "modern", options: WayOptions & ClientOptions): Promise<TestClient>
  close(): Promise<void>
}

export interface WayOptions {
  readonly node?: number
  readonly person?: Principal
  readonly client?: string
  readonly forgetsSession?: boolean
}

type MovingEndpoint = Extract<Endpoint, { transport: "http" }> & { to(node: number): void }

export interface HouseOptions {
  readonly server: () => McpServer
  readonly nodes?: number
  readonly settings?: Partial<McpOptions>
  readonly storage?: Storage
  /** Opens one storage per node, so that a single one can be closed. Default: all share `storage`. */
  readonly open?: () => Promise<Storage>
  readonly keys?: KeyRing
  /** The responses of the provider “drive”. When given, the servers have a vault. */
  readonly drive?: (request: Request) => Response | Promise<Response>
  readonly runtime?: Runtime | ((node: number) => Runtime)
}

export async function createHouse(options: HouseOptions): Promise<House> {
  const { keys = withNewKey(), settings = {}, server } = options
  const opened: Storage[] = []
  const openStorage = async (): Promise<Storage> => {
    if (options.open === undefined && opened[0] !== undefined) return opened[0]
    const storage = await (options.open?.() ?? options.storage ?? createMemoryStorage())
    opened.push(storage)
    return storage
  }
  const callers = await createCallers()
  const reports: { doing: string; error: unknown }[] = []
  const report = (doing: string, error: unknown): void => void reports.push({ doing, error })
  const runtimeOf = (node: number): Runtime =>
    typeof options.runtime === "function" ? options.runtime(node) : (options.runtime ?? systemRuntime)
  const base = {
    keys,
    name: "house",
    callers: callers.server,
    server,
    report,
    hosts: ["server.example"],
    addresses: "none",
  } as const
  const nodes: Node[] = []
  const vaults: Vault[] = []
  for (let at = 0; at < (options.nodes ?? 1); at++) {
    const storage = await openStorage()
    const runtime = runtimeOf(at)
    const hub = createHub({ storage, outlets: [inbox()], runtime, report })
    const vault = options.drive === undefined ? undefined : openVault(storage, hub, keys, runtime, options.drive)
    if (vault !== undefined) vaults.push(vault)
    const more = { ...(vault === undefined ? {} : { vault }), ...settings }
    nodes.push({ hub, mcp: createMcp({ ...base, hub, storage, runtime, ...more }) })
  }
  const storage = await openStorage()
  const runtime = runtimeOf(nodes.length)
  const hub = createHub({ storage, outlets: [inbox()], runtime, report })
  const clients: TestClient[] = []
  const keep = <T extends TestClient>(client: T): T => {
    clients.push(client)
    return client
  }

  const endpoint: House["endpoint"] = async ({
    node = 0,
    person = alice,
    client = "test-client",
    forgetsSession,
  } = {}) => {
    let at = node
    const headers = await callers.headersOf(person, client)
    return {
      transport: "http",
      url: resource,
      headers,
      fetch: (input, init) => (nodes[at] ?? nodes[0])!.mcp.fetch(new Request(input, init)),
      ...(forgetsSession === undefined ? {} : { forgetsSession }),
      to: (next) => {
        at = next
      },
    }
  }

  return {
    ...{ storage, keys, nodes, hub, reports, endpoint },
    async raw({ answer = dismiss, capabilities, name, ...where } = {}) {
      const path = await endpoint(where)
      const more = { ...(capabilities === undefined ? {} : { capabilities }), ...(name === undefined ? {} : { name }) }
      return keep({ ...(await openRaw(rawDraft, path, { answer, ...more })), to: path.to })
    },
    async modern({ capabilities, ...where } = {}) {
      const path = await endpoint(where)
      return keep({ ...openRawModern(path, capabilities), to: path.to })
    },
    async v2(mode, { node, person, client, ...more }) {
      const where = { ...(node === undefined ? {} : { node }), ...(person === undefined ? {} : { person }) }
      const path = await endpoint({ ...where, ...(client === undefined ? {} : { client }) })
      return keep(await openV2(mode === "legacy" ? "legacy" : { pin: "2026-07-28" }, path, more))
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()))
      for (const node of nodes) {
        await node.mcp.close()
        await node.hub.close()
      }
      await hub.close()
      for (const vault of vaults) await vault.close()
      for (const one of opened) await one.close()
    },
  }
}

function openVault(
  storage: Storage,
  questions: Hub,
  keys: KeyRing,
  runtime: Runtime,
  answer: NonNullable<HouseOptions["drive"]>,
): Vault {
  return createVault({
    ...{ storage, questions, runtime, addresses: createAddresses("https://hub.example") },
    sealer: createSealer(keys),
    providers: [
      {
        id: "drive",
        name: "Drive",
        kind: "oauth",
        api: ["https://api.drive.example"],
        discovery: "none",
        client: { id: "holdpoint", authentication: { method: "none" } },
        pkce: "S256",
        redirect: "context",
        identity: { from: "nothing" },
        revocation: { by: "nothing" },
      },
    ],
    fetch: () => Promise.reject(new Error("nothing is fetched here")),
    // With a test clock, needs are not gathered over time.
    times: runtime === systemRuntime ? {} : { gatherMs: 0 },
    apiFetch: async (input, init) => answer(new Request(input, init)),
  })
}

const dismiss = () => ({ action: "cancel" as const })

/** The question with which a call of 2026-07-28 was answered. */
export interface Round {
  readonly state: string
  readonly requests: Readonly<Record<string, JsonObject>>
}

export function roundOf(called: unknown): Round {
  const result = isObject(called) && isObject(called.result) ? called.result : {}
  if (result.resultType !== "input_required") throw new Error(`not a question: ${JSON.stringify(called)}`)
  return { state: String(result.requestState), requests: (result.inputRequests ?? {}) as Round["requests"] }
}

/** Calls again with the answers and the request state. */
export function retry(
  client: RawClient,
  tool: string,
  args: JsonObject,
  { state }: Pick<Round, "state">,
  inputResponses?: JsonObject,
) {
  const answers = inputResponses === undefined ? {} : { inputResponses }
  return client.request("tools/call", { name: tool, arguments: args, requestState: state, ...answers })
}

export const accept = (content?: object) => ({ action: "accept", ...(content === undefined ? {} : { content }) })

/**
 * Waits until the condition is true, or until the test times out. After some quick checks it yields the processor: the
 * condition may depend on another process.
 */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; !(await isSo()); looks++)
    await new Promise<void>((resolve) => (looks < 50 ? setImmediate(resolve) : setTimeout(resolve, 3)))
}

/**
 * Advances the clock until the work is done. After some quick steps it yields the processor after each: on a busy machine,
 * requests over real connections would otherwise take longer than the deadlines of questions.
 */
export async function passing<T>(clock: TestClock, work: Promise<T>): Promise<T> {
  let isOver = false
  const done = work.finally(() => {
    isOver = true
  })
  for (let steps = 0; !isOver; steps++) {
    await clock.advance(1_000)
    if (steps >= 20) await new Promise<void>((resolve) => setTimeout(resolve, 3))
  }
  return done
}
