// A hub with a program, an endpoint and processes that send its events, on a clock that the test advances. Receivers
// are real HTTP servers.

import { createGuardedFetch, type GuardOptions } from "@holdpoint/accounts"
import type { Draft, Storage } from "@holdpoint/hub"
import { createAddresses, createHub, createMemoryStorage, inbox } from "@holdpoint/hub"
import { confirmForm } from "@holdpoint/hub/forms"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import type { AskRule, Program } from "@holdpoint/server/identity"
import { createPrograms } from "@holdpoint/server/identity"
import { toWireQuestion } from "@holdpoint/server/parts"
import { createTestClock } from "@holdpoint/testing"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { openReceiver } from "@holdpoint/testkit/webhooks/receiver"
import { expect, onTestFinished } from "vitest"
import { postLimits } from "../../fetching/src/guarded-fetch.ts"
import { requesterIdOf } from "../../hub/src/core/program.ts"
import { createEndpoints, type NewEndpoint } from "../src/endpoints.ts"
import type { Endpoint, WebhookDelivery } from "../src/records.ts"
import { createWebhooks } from "../src/webhooks.ts"

export const alice = { tenant: "acme", issuer: "https://id.example", subject: "alice" }
export const bob = { tenant: "acme", issuer: "https://id.example", subject: "bob" }
export const anyone: AskRule = { to: "anyone", modes: ["form", "url"] }
export const sealer = createSealer(withNewKey())
const addresses = createAddresses("https://hub.example")

export interface WorldOptions {
  /** Opens the storage of a process. By default, all processes share one in memory. */
  readonly open?: () => Promise<Storage>
  readonly network?: Partial<GuardOptions>
}

export async function openWorld({ open, network = { allowLoopback: true } }: WorldOptions = {}) {
  const memory = createMemoryStorage()
  const storage = (await open?.()) ?? memory
  const runtime = createTestClock(Date.UTC(2026, 0, 1))
  const problems: string[] = []
  const report = (doing: string, error: unknown): void => void problems.push(`${doing}: ${error}`)
  const hub = createHub({ storage, outlets: [inbox()], runtime, report, limits: { pendingPerPerson: 1_000 } })
  const programs = createPrograms({ storage, runtime })
  const endpoints = createEndpoints({ storage, sealer, runtime, network })
  const receiver = await openReceiver(runtime.now)
  const closers: (() => Promise<void>)[] = []

  /** Starts a process that sends, with its own connection to the database. */
  const startProcess = async (more: Partial<GuardOptions> = {}) => {
    const own = (await open?.()) ?? storage
    const fetch = createGuardedFetch({ ...postLimits, ...network, ...more })
    const describe = (question: Parameters<typeof toWireQuestion>[0]) => toWireQuestion(question, addresses)
    const parts = { storage: own, sealer, runtime, fetch, describe, report }
    const webhooks = createWebhooks({
      ...parts,
      endpoints: createEndpoints({ storage: own, sealer, runtime, network }),
    })
    let isClosed = false
    const close = async (): Promise<void> => {
      if (isClosed) return
      isClosed = true
      await webhooks.close()
      if (own !== storage) await own.close()
    }
    closers.push(close)
    return { ...webhooks, close }
  }

  const addProgram = async (name: string, may: AskRule = anyone, tenant = "acme"): Promise<Program> =>
    (await programs.add({ tenant, name, may })).program

  const setEndpoint = async (program: Program, more: Partial<NewEndpoint> = {}) => {
    const { endpoint, secret = "" } = await endpoints.set(program, { url: receiver.url, ...more })
    noteCanary("webhook_secret", secret)
    receiver.secrets.push(secret)
    return { endpoint, secret }
  }

  const ask = (program: Pick<Program, "id">, more: Partial<Draft> = {}) =>
    hub.ask({
      ...{ message: "Deploy?", form: confirmForm({}, "Deploy?"), audience: alice, lifetimeMs: 7 * 86_400_000 },
      requester: { id: requesterIdOf(program), name: "deployer" },
      ...more,
    } as Draft)

  const answer = (id: string, confirmed = "yes") =>
    hub.answer(id, { by: alice, action: "accept", content: { confirmed }, via: "web" })

  /** Runs the timers that are due until the condition holds. */
  const until = (condition: () => unknown, { interval = 2, timeout = 15_000 } = {}): Promise<void> =>
    expect
      .poll(
        async () => {
          await runtime.advance(0)
          return Boolean(await condition())
        },
        { interval, timeout },
      )
      .toBe(true)

  const deliveries = (endpoint: Endpoint): Promise<readonly WebhookDelivery[]> => endpoints.deliveries(endpoint, 1_000)
  const isQuiet = async (endpoint: Endpoint): Promise<boolean> =>
    (await deliveries(endpoint)).every(({ state }) => state !== "owed")

  onTestFinished(async () => {
    // Closing gives attempts that are under way a short time on this clock, so the clock has to advance.
    await Promise.all([...closers.map((close) => close()), hub.close(), runtime.advance(3_000)])
    await storage.close()
  })
  return {
    ...{ storage, runtime, hub, programs, endpoints, receiver, problems, deliveries, isQuiet },
    ...{ startProcess, addProgram, setEndpoint, ask, answer, until },
  }
}

export type World = Awaited<ReturnType<typeof openWorld>>
