// Runs that call tools of other MCP servers for alice, on one storage. A run may be suspended at every question, and is
// run again from its beginning when the question is settled.

import type { Ask, Asking } from "@holdpoint/calls"
import { createAsking } from "@holdpoint/calls"
import type { Elicitation, Hub, Storage } from "@holdpoint/hub"
import { createHub, createMemoryStorage, inbox } from "@holdpoint/hub"
import type { KeyRing } from "@holdpoint/hub/sealing"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import type { McpPeer, ToolCall } from "@holdpoint/mcp/client"
import { createJobs } from "../../calls/plain/carrier.ts"
import { alice } from "../../fixtures.ts"
import { until } from "../server/behaviour/house.ts"

export interface Caller {
  readonly storage: Storage
  readonly keys: KeyRing
  readonly hub: Hub
  readonly asking: Asking
  readonly reports: unknown[]
  /** Runs a function that calls tools. Resolves when it has ended, in whichever run. */
  run<T>(work: (ask: Ask) => Promise<T>): Promise<T>
  /** Calls one tool. Resolves to the text of the result. */
  call(peer: McpPeer, call: Partial<ToolCall> & Pick<ToolCall, "name">): Promise<string>
  /** Resolves to the open questions, once there are as many. */
  questions(count?: number): Promise<readonly Elicitation[]>
  answer(
    question: Elicitation | undefined,
    content?: Readonly<Record<string, string | number | boolean>>,
  ): Promise<void>
  refuse(question: Elicitation | undefined, action?: "decline" | "cancel"): Promise<void>
  close(): Promise<void>
}

export function createCaller(): Caller {
  const storage = createMemoryStorage()
  const keys = withNewKey()
  const reports: unknown[] = []
  const report = (_doing: string, error: unknown): void => void reports.push(error)
  const hub = createHub({ storage, outlets: [inbox()], report })
  const asking = createAsking({ hub, storage, sealer: createSealer(keys), report, strict: true })
  const works = new Map<string, (ask: Ask) => Promise<unknown>>()
  const ends = new Map<string, PromiseWithResolvers<unknown>>()
  const jobs = createJobs(asking, alice, async (name: string, ask) => {
    try {
      ends.get(name)?.resolve(await works.get(name)?.(ask))
    } catch (error) {
      ends.get(name)?.reject(error)
    }
  })
  const run = async <T>(work: (ask: Ask) => Promise<T>): Promise<T> => {
    const name = `run ${works.size + 1}`
    const end = Promise.withResolvers<unknown>()
    works.set(name, work)
    ends.set(name, end)
    await jobs.start(name)
    return end.promise as Promise<T>
  }
  const answered = async (question: Elicitation | undefined, answer: object): Promise<void> => {
    const result = await hub.answer(question?.id ?? "", { by: alice, ...answer } as Parameters<Hub["answer"]>[1])
    if (!result.ok) throw new Error(`The answer was refused: ${result.refusal.code}`)
  }
  return {
    ...{ storage, keys, hub, asking, reports, run },
    call: (peer, call) =>
      run(async (ask) => textOf(await peer.callTool(ask.scope("tool"), { arguments: {}, ...call }))),
    async questions(count = 1) {
      const list = () => hub.list({ tenant: "acme", state: "open", limit: 99 })
      await until(async () => (await list()).length >= count)
      return list()
    },
    answer: (question, content) =>
      answered(question, { action: "accept", ...(content === undefined ? {} : { content }) }),
    refuse: (question, action = "decline") => answered(question, { action }),
    async close() {
      await jobs.close()
      await asking.close()
      await hub.close()
      await storage.close()
    },
  }
}

/** The text of a result, one line for each part. */
export const textOf = ({ content }: { readonly content: readonly object[] }): string =>
  content.map((part) => ("text" in part ? String(part.text) : JSON.stringify(part))).join("\n")
