// Two lasting outlets, people with addresses, a ladder and a clock; processes that start, close and die.

import type { Hub, Principal } from "@holdpoint/hub"
import { createHub, createMemoryStorage, inbox } from "@holdpoint/hub"
import type { LastingOutlet, Posted } from "@holdpoint/hub/outlets"
import { createDirectory, elsewhere, knownPeople } from "@holdpoint/hub/outlets"
import { createChoices } from "@holdpoint/server/identity"
import { createTestClock, type TestClock } from "@holdpoint/testing"
import type { Rung, RungDelay } from "../../../../packages/hub/src/core/ladder.ts"
import type { AnyOutlet } from "../../../../packages/hub/src/ports/outlet.ts"
import { createLadder, createOwnLadders, type OwnLadders } from "../../../../packages/server/src/identity/ladder.ts"
import { alice, bob, formDraft, minute, person } from "../../../../packages/testing/src/contract/samples.ts"

export const carol = person("carol")
export const hour = 60 * minute

export interface LadderWorld {
  readonly clock: TestClock
  readonly own: OwnLadders
  /** What was sent and withdrawn, in order: `slack alice 0`, `-email alice 10` with minutes since the start. */
  readonly log: string[]
  /** What the next post at an outlet does instead of showing. */
  readonly instead: Map<string, () => Promise<Posted>>
  start(options?: {
    readonly client?: "shown" | "listed" | "unable"
    /** Without the inbox. */
    readonly bare?: true
    readonly lasting?: readonly string[]
    /** Lasting outlets of other processes. */
    readonly elsewhere?: readonly string[]
  }): Promise<Hub>
  ask(hub: Hub, more?: Parameters<typeof formDraft>[0]): Promise<string>
  /** Lets the minutes pass, and all that is due in them. */
  pass(minutes: number): Promise<void>
  close(): Promise<void>
}

export const usual: readonly Rung[] = [
  { outlet: "slack", afterMs: 0 },
  { outlet: "email", afterMs: 10 * minute },
  { outlet: "email", afterMs: "never" as RungDelay, kinds: ["shell"] },
]

export function createLadderWorld({ begin = Date.UTC(2026, 0, 1, 12), rungs = usual } = {}): LadderWorld {
  const clock = createTestClock(begin)
  const storage = createMemoryStorage()
  const ownLadders = createOwnLadders(createChoices(storage, clock))
  const ladder = createLadder({ ownLadders, rungs })
  const log: string[] = []
  const instead: LadderWorld["instead"] = new Map()
  const hubs: Hub[] = []
  const addresses = (name: string) => ({ email: name, slack: name })
  // Carol has no Slack.
  const known = [
    { ...alice, addresses: addresses("alice") },
    { ...bob, roles: ["manager"], addresses: addresses("bob") },
    { ...carol, addresses: { email: "carol" } },
  ]
  const note = (what: string) => log.push(`${what} ${Math.round((clock.now() - begin) / minute)}`)
  const outlet = (name: string): LastingOutlet => ({
    name,
    addressKind: name,
    async post(_question, { address, reminderOf }) {
      const other = instead.get(name)
      instead.delete(name)
      if (other !== undefined) return other()
      note(`${name} ${address}${reminderOf === undefined ? "" : " again"}`)
      return { state: "shown", receipt: { address } }
    },
    find: async () => undefined,
    withdraw: async (_settled, { address }) => void note(`-${name} ${address}`),
  })
  const client = (state: "shown" | "listed" | "unable"): AnyOutlet => ({
    name: "client",
    deliver: async () => (state === "unable" ? { state, why: "no screen" } : { state }),
    withdraw: async () => void note("-client"),
  })
  return {
    clock,
    own: ownLadders,
    log,
    instead,
    async start({ bare, client: state, lasting = ["slack", "email"], elsewhere: others = [] } = {}) {
      const hub = createHub({
        ...{ storage, runtime: clock, ladder, directory: createDirectory([knownPeople(known)]), report: () => {} },
        outlets: [
          ...(bare === true ? [] : [inbox()]),
          ...(state === undefined ? [] : [client(state)]),
          ...lasting.map(outlet),
          ...others.map(elsewhere),
        ],
      })
      hubs.push(hub)
      return hub
    },
    async ask(hub, more = {}) {
      const { id } = await hub.ask(formDraft({ audience: alice, lifetimeMs: 10 * hour, ...more }))
      await clock.advance(0)
      await clock.advance(0)
      return id
    },
    async pass(minutes) {
      for (let passed = 0; passed < minutes; passed++) await clock.advance(minute)
    },
    async close() {
      for (const hub of hubs) await hub.close()
      await storage.close()
    },
  }
}

export const answered = (by: Principal) => ({ by, action: "accept", content: { note: "yes" } }) as const
