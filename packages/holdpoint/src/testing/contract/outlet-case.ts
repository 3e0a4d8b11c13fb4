// What the contract for lasting outlets is made of, and the stage on which each case plays: processes that share a
// storage and an outlet, that close or die, and a clock that moves for all of them.

import assert from "node:assert/strict"
import type { Audience } from "../../core/principal.ts"
import { isSamePerson } from "../../core/principal.ts"
import { elsewhere } from "../../hub/deliveries/elsewhere.ts"
import { deliveryKind } from "../../hub/deliveries/kind.ts"
import type { Hub } from "../../hub/hub.ts"
import { createHub } from "../../hub/hub.ts"
import type { Directory } from "../../ports/directory.ts"
import type { AnyOutlet, LastingOutlet, Posted, Prompt } from "../../ports/outlet.ts"
import type { Runtime } from "../../ports/runtime.ts"
import type { Storage } from "../../ports/storage.ts"
import type { EntryKind } from "../../ports/trail.ts"
import type { TestClock } from "../clock.ts"
import { createTestClock } from "../clock.ts"
import type { StorageHarness } from "./case.ts"
import { createLife } from "./life.ts"
import { person, start } from "./samples.ts"

/** One claim about a lasting outlet under a hub. `run` rejects when it does not hold; it leaves nothing open. */
export interface OutletCase {
  readonly name: string
  /** Which of Holdpoint's own requirements it stands for, if any. */
  readonly verifies: readonly string[]
  run(harness: OutletHarness): Promise<void>
}

/** How a contract opens the outlet that it tests. One outlet, in which nothing is shown at first. */
export interface OutletHarness {
  /** Made once more as another process would: what was shown before is there. */
  open(): Promise<LastingOutlet>
  /** Of three people, who are not shown each other's prompts. */
  readonly addresses: readonly [string, string, string]
  /** The address of each prompt that a person can see and answer now, once for each prompt. */
  seen(): Promise<readonly string[]>
  /** Where the hubs of the case keep their questions. */
  readonly storage: StorageHarness
}

/** Comes between the hub and the outlet: a service that is down, a process that dies in the middle. */
export interface Tamper {
  readonly post?: (go: () => Promise<Posted>, prompt: Prompt) => Promise<Posted>
  readonly withdraw?: (go: () => Promise<void>, prompt: Prompt) => Promise<void>
}

export interface OutletProcess {
  readonly hub: Hub
  close(): Promise<void>
  /** At once, and without a word: nothing that it has begun goes on. */
  kill(): void
}

export interface ProcessOptions {
  /** The outlet is in another process, which questions of this one are owed to. */
  readonly isElsewhere?: boolean
  readonly tamper?: Tamper
  /** Besides the outlet. */
  readonly more?: readonly AnyOutlet[]
  /** While this is so, its timers pass unnoticed: a machine that sleeps. */
  readonly isAsleep?: () => boolean
}

export interface OutletStage {
  /** Of all processes on this stage. */
  readonly clock: TestClock
  /** What went wrong in the background, in any process. */
  readonly problems: readonly string[]
  /** A process with the outlet. */
  start(options?: ProcessOptions): Promise<OutletProcess>
  /** A process with others. */
  startWithout(outlets: readonly AnyOutlet[]): Promise<OutletProcess>
  /** The outlet, untampered. */
  outlet(): Promise<LastingOutlet>
  readonly addresses: OutletHarness["addresses"]
  /** Whom the prompts that can be seen now are for, in order of their names. */
  seen(): Promise<readonly string[]>
  /** Waits until just these see a prompt, one for each time that they are named. */
  sees(...names: readonly string[]): Promise<void>
  /** Waits for a state without moving the clock. */
  until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void>
  /** Lets every process do all that is to be done now. */
  quiet(): Promise<void>
  /** How many entries of this kind the trail has of a question. */
  told(id: string, kind: EntryKind): Promise<number>
  /** How many deliveries of it to the outlet are stored. */
  kept(id: string): Promise<number>
}

/** `operator` is a role of bob and carol. */
export const people = {
  alice: person("alice"),
  bob: person("bob", { roles: ["operator"] }),
  carol: person("carol", { roles: ["operator"] }),
}
const names = ["alice", "bob", "carol"] as const

type Play = (stage: OutletStage) => Promise<void>

export const claim = (name: string, play: Play, troubles?: readonly RegExp[]): OutletCase =>
  verifies([], name, play, troubles)

/** A claim that stands for requirements of Holdpoint's own. `troubles`: what may be reported meanwhile. */
export function verifies(
  ids: string | readonly string[],
  name: string,
  play: Play,
  troubles: readonly RegExp[] = [],
): OutletCase {
  return {
    name,
    verifies: [ids].flat(),
    async run(harness) {
      const { stage, close } = createStage(harness)
      try {
        await play(stage)
      } finally {
        await close()
      }
      const unexpected = stage.problems.filter((problem) => !troubles.some((trouble) => trouble.test(problem)))
      assert.deepEqual(unexpected, [], "nothing else goes wrong in the background")
    },
  }
}

/** A real state is waited for in real time, for so long at most. */
const patienceMs = 15_000

function createStage(harness: OutletHarness): { readonly stage: OutletStage; close(): Promise<void> } {
  const clock = createTestClock(start)
  const problems: string[] = []
  const living = new Set<OutletProcess>()
  const storages: Storage[] = []

  const open = async (): Promise<Storage> => {
    const storage = await harness.storage.open()
    storages.push(storage)
    return storage
  }
  /** To look into: of no process. */
  let window: Promise<Storage> | undefined
  const look = (): Promise<Storage> => {
    window ??= open()
    return window
  }
  const startWith = async (outlets: readonly AnyOutlet[], isAsleep = () => false): Promise<OutletProcess> => {
    const life = createLife()
    const after: Runtime["after"] = (delayMs, callback) =>
      clock.after(delayMs, () => (isAsleep() ? undefined : callback()))
    const hub = createHub({
      storage: life.mortal(await open()),
      runtime: life.mortal({ ...clock, after }),
      outlets: outlets.map((outlet) => life.mortal(outlet)),
      directory: directoryOf(harness),
      report: (doing, error) => problems.push(`${doing}: ${error instanceof Error ? error.message : error}`),
    })
    const process: OutletProcess = {
      hub,
      async close() {
        living.delete(process)
        await hub.close()
      },
      kill() {
        living.delete(process)
        life.end()
      },
    }
    living.add(process)
    return process
  }

  const stage: OutletStage = {
    clock,
    problems,
    addresses: harness.addresses,
    outlet: () => harness.open(),
    async start({ isElsewhere = false, tamper = {}, more = [], isAsleep } = {}) {
      const outlet = await harness.open()
      const given = isElsewhere ? elsewhere(outlet.name) : tampered(outlet, harness.addresses, tamper)
      return startWith([given, ...more], isAsleep)
    },
    startWithout: (outlets) => startWith(outlets),
    async seen() {
      const seen = await harness.seen()
      return seen.map((address) => names[harness.addresses.indexOf(address)] ?? address).sort()
    },
    async sees(...expected) {
      const wanted = JSON.stringify([...expected].sort())
      await stage.until(`${expected.join(" and ") || "no one"} sees it`, async () => {
        return JSON.stringify(await stage.seen()) === wanted
      })
    },
    async until(what, isSo) {
      const end = Date.now() + patienceMs
      for (;;) {
        await clock.advance(0)
        if (await isSo()) return
        assert.ok(Date.now() < end, `${what}; seen by: ${(await stage.seen()).join(", ") || "no one"}`)
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
    },
    async told(id, kind) {
      const entries = await (await look()).trail.read({ id, limit: 1_000 })
      return entries.filter((entry) => entry.kind === kind).length
    },
    async kept(id) {
      const [storage, { name }] = [await look(), await harness.open()]
      const records = storage.records(deliveryKind(name))
      return (await records.list({ tenant: people.alice.tenant, owner: id, limit: 1_000 })).length
    },
    async quiet() {
      await clock.advance(0)
      await Promise.all([...living].map(({ hub }) => hub.sweep()))
      await clock.advance(0)
    },
  }
  const close = async (): Promise<void> => {
    await Promise.all([...living].map((process) => process.close()))
    await Promise.all(storages.map((storage) => storage.close()))
  }
  return { stage, close }
}

/** Knows where the three people are, and who has which role. */
function directoryOf({ addresses }: OutletHarness): Directory {
  return {
    async find(_kind, audience) {
      return names.flatMap((name, index) => {
        const address = addresses[index]
        return address !== undefined && isReached(people[name], audience) ? [address] : []
      })
    },
  }
}

function isReached(one: (typeof people)[keyof typeof people], audience: Audience): boolean {
  switch (audience.kind) {
    case "one":
      return isSamePerson(audience.principal, one)
    case "any":
      return audience.principals.some((principal) => isSamePerson(principal, one))
    case "role":
      return (one.roles ?? []).includes(audience.role)
  }
}

function tampered(outlet: LastingOutlet, addresses: readonly string[], tamper: Tamper): LastingOutlet {
  const { post = (go) => go(), withdraw = (go) => go() } = tamper
  return {
    name: outlet.name,
    addressKind: outlet.addressKind,
    post: (question, prompt) => post(() => outlet.post(question, prompt), prompt),
    async find(prompt) {
      assert.ok(addresses.includes(prompt.address), "it is looked for where something was posted")
      return outlet.find(prompt)
    },
    withdraw: (settled, prompt) => withdraw(() => outlet.withdraw(settled, prompt), prompt),
  }
}
