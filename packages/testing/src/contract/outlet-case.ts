// The cases of the contract for lasting outlets, and the stage on which each one runs: processes that share a storage
// and an outlet, that close or die, and one clock for all of them.

import assert from "node:assert/strict"
import type { Audience, Hub, Runtime, Storage } from "@holdpoint/hub"
import { createHub, isSamePerson } from "@holdpoint/hub"
import type { AnyOutlet, EntryKind } from "@holdpoint/hub/internal"
import { deliveryKind, toPrincipalId } from "@holdpoint/hub/internal"
import type { Directory, LastingOutlet, Posted, Prompt } from "@holdpoint/hub/outlets"
import { elsewhere } from "@holdpoint/hub/outlets"
import type { TestClock } from "../clock.ts"
import { createTestClock } from "../clock.ts"
import type { StorageHarness } from "./case.ts"
import { createKillSwitch } from "./kill-switch.ts"
import { person, start } from "./samples.ts"

/** One claim about a lasting outlet under a hub. `run` rejects when the claim is false, and leaves nothing open. */
export interface OutletCase {
  readonly name: string
  /** The ids of Holdpoint's own requirements that the case verifies, if any. */
  readonly verifies: readonly string[]
  run(harness: OutletHarness): Promise<void>
}

/** How a contract opens the outlet under test: one outlet, in which nothing is shown at first. */
export interface OutletHarness {
  /** Creates the outlet, or creates it again as another process would. What was shown before is still shown. */
  open(): Promise<LastingOutlet>
  /** The addresses of three people, who do not see each other's prompts. */
  readonly addresses: readonly [string, string, string]
  /** Returns the address of each prompt that a person can see and answer now, once per prompt. */
  seen(): Promise<readonly string[]>
  /** The storage of the hubs in the case. */
  readonly storage: StorageHarness
}

/**
 * Replaces calls from the hub to the outlet, to simulate a service that is down or a process that dies during a call.
 */
export interface Tamper {
  readonly post?: (callOriginal: () => Promise<Posted>, prompt: Prompt) => Promise<Posted>
  readonly withdraw?: (callOriginal: () => Promise<void>, prompt: Prompt) => Promise<void>
}

export interface OutletProcess {
  readonly hub: Hub
  close(): Promise<void>
  /** Kills the process at once, so that none of its work continues. */
  kill(): void
}

export interface ProcessOptions {
  /** Whether this process lacks the outlet under test, and leaves its deliveries to another process. */
  readonly isElsewhere?: boolean
  readonly tamper?: Tamper
  /** More outlets besides the one under test. */
  readonly otherOutlets?: readonly AnyOutlet[]
  /** While this returns true, the timers of the process do not fire, like on a machine that sleeps. */
  readonly isAsleep?: () => boolean
}

export interface OutletStage {
  /** The clock of all processes on this stage. */
  readonly clock: TestClock
  /** The errors of background work, in any process. */
  readonly problems: readonly string[]
  /** Starts a process with the outlet under test. */
  start(options?: ProcessOptions): Promise<OutletProcess>
  /** Starts a process with these outlets, and without the outlet under test. */
  startWithout(outlets: readonly AnyOutlet[]): Promise<OutletProcess>
  /** Returns the outlet without interference. */
  outlet(): Promise<LastingOutlet>
  readonly addresses: OutletHarness["addresses"]
  /** The names of the people who see a prompt now, sorted, once per prompt. */
  seen(): Promise<readonly string[]>
  /** Waits until exactly these people see a prompt, one for each time they are named. */
  sees(...names: readonly string[]): Promise<void>
  /** Waits until the condition is true, without moving the clock. */
  waitUntil(description: string, condition: () => Promise<boolean> | boolean): Promise<void>
  /** Waits until every process has finished its due work. */
  quiet(): Promise<void>
  /** The number of trail entries of this kind about a question. */
  countEntries(id: string, kind: EntryKind): Promise<number>
  /** The number of stored deliveries of a question to the outlet. */
  countDeliveries(id: string): Promise<number>
}

/** The people of the cases. `operator` is a role of bob and carol. */
export const people = {
  alice: person("alice"),
  bob: person("bob", { roles: ["operator"] }),
  carol: person("carol", { roles: ["operator"] }),
}
const names = ["alice", "bob", "carol"] as const

type CaseSteps = (stage: OutletStage) => Promise<void>

export const claim = (name: string, steps: CaseSteps, expectedProblems?: readonly RegExp[]): OutletCase =>
  verifies([], name, steps, expectedProblems)

/** A claim that verifies requirements of Holdpoint. `expectedProblems` are the errors that may be reported. */
export function verifies(
  ids: string | readonly string[],
  name: string,
  steps: CaseSteps,
  expectedProblems: readonly RegExp[] = [],
): OutletCase {
  return {
    name,
    verifies: [ids].flat(),
    async run(harness) {
      const { stage, close } = createStage(harness)
      try {
        await steps(stage)
      } finally {
        await close()
      }
      const unexpected = stage.problems.filter((problem) => !expectedProblems.some((pattern) => pattern.test(problem)))
      assert.deepEqual(unexpected, [], "nothing else goes wrong in the background")
    },
  }
}

/** The longest real time to wait for a state. */
const waitLimitMs = 15_000

function createStage(harness: OutletHarness): { readonly stage: OutletStage; close(): Promise<void> } {
  const clock = createTestClock(start)
  const problems: string[] = []
  const runningProcesses = new Set<OutletProcess>()
  const storages: Storage[] = []

  const openStorage = async (): Promise<Storage> => {
    const storage = await harness.storage.open()
    storages.push(storage)
    return storage
  }
  /** A storage for inspection that belongs to no process. */
  let inspectionStorage: Promise<Storage> | undefined
  const openForInspection = (): Promise<Storage> => {
    inspectionStorage ??= openStorage()
    return inspectionStorage
  }
  const startProcess = async (outlets: readonly AnyOutlet[], isAsleep = () => false): Promise<OutletProcess> => {
    const killSwitch = createKillSwitch()
    const after: Runtime["after"] = (delayMs, callback) =>
      clock.after(delayMs, () => (isAsleep() ? undefined : callback()))
    const hub = createHub({
      storage: killSwitch.makeKillable(await openStorage()),
      runtime: killSwitch.makeKillable({ ...clock, after }),
      outlets: outlets.map((outlet) => killSwitch.makeKillable(outlet)),
      directory: directoryOf(harness),
      report: (activity, error) => problems.push(`${activity}: ${error instanceof Error ? error.message : error}`),
    })
    const process: OutletProcess = {
      hub,
      async close() {
        runningProcesses.delete(process)
        await hub.close()
      },
      kill() {
        runningProcesses.delete(process)
        killSwitch.end()
      },
    }
    runningProcesses.add(process)
    return process
  }

  const stage: OutletStage = {
    clock,
    problems,
    addresses: harness.addresses,
    outlet: () => harness.open(),
    async start({ isElsewhere = false, tamper = {}, otherOutlets = [], isAsleep } = {}) {
      const outlet = await harness.open()
      const ownOutlet = isElsewhere ? elsewhere(outlet.name) : tamperWith(outlet, harness.addresses, tamper)
      return startProcess([ownOutlet, ...otherOutlets], isAsleep)
    },
    startWithout: (outlets) => startProcess(outlets),
    async seen() {
      const addresses = await harness.seen()
      return addresses.map((address) => names[harness.addresses.indexOf(address)] ?? address).sort()
    },
    async sees(...expected) {
      const expectedNames = JSON.stringify([...expected].sort())
      await stage.waitUntil(`${expected.join(" and ") || "no one"} sees it`, async () => {
        return JSON.stringify(await stage.seen()) === expectedNames
      })
    },
    async waitUntil(description, condition) {
      const end = Date.now() + waitLimitMs
      for (;;) {
        await clock.advance(0)
        if (await condition()) return
        assert.ok(Date.now() < end, `${description}; seen by: ${(await stage.seen()).join(", ") || "no one"}`)
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
    },
    async countEntries(id, kind) {
      const entries = await (await openForInspection()).trail.read({ id, limit: 1_000 })
      return entries.filter((entry) => entry.kind === kind).length
    },
    async countDeliveries(id) {
      const [storage, { name }] = [await openForInspection(), await harness.open()]
      const records = storage.records(deliveryKind(name))
      return (await records.list({ tenant: people.alice.tenant, owner: id, limit: 1_000 })).length
    },
    async quiet() {
      await clock.advance(0)
      await Promise.all([...runningProcesses].map(({ hub }) => hub.sweep()))
      await clock.advance(0)
    },
  }
  const close = async (): Promise<void> => {
    await Promise.all([...runningProcesses].map((process) => process.close()))
    await Promise.all(storages.map((storage) => storage.close()))
  }
  return { stage, close }
}

/** A directory of the three people, their addresses and roles. */
function directoryOf({ addresses }: OutletHarness): Directory {
  return {
    async find(_kind, audience) {
      return names.flatMap((name, index) => {
        const address = addresses[index]
        const person = people[name]
        return address !== undefined && isReached(person, audience) ? [{ address, person: toPrincipalId(person) }] : []
      })
    },
  }
}

function isReached(person: (typeof people)[keyof typeof people], audience: Audience): boolean {
  switch (audience.kind) {
    case "one":
      return isSamePerson(audience.principal, person)
    case "any":
      return audience.principals.some((principal) => isSamePerson(principal, person))
    case "role":
      return (person.roles ?? []).includes(audience.role)
  }
}

function tamperWith(outlet: LastingOutlet, addresses: readonly string[], tamper: Tamper): LastingOutlet {
  const { post = (callOriginal) => callOriginal(), withdraw = (callOriginal) => callOriginal() } = tamper
  return {
    name: outlet.name,
    addressKind: outlet.addressKind,
    post: (question, prompt) => post(() => outlet.post(question, prompt), prompt),
    async find(prompt, elicitation) {
      assert.ok(addresses.includes(prompt.address), "it is looked for where something was posted")
      return outlet.find(prompt, elicitation)
    },
    withdraw: (question, prompt) => withdraw(() => outlet.withdraw(question, prompt), prompt),
  }
}
