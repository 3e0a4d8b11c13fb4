// The programs of a storm: each has a key for the HTTP API and a webhook. They are made before the nodes start.

import type { Storage } from "@holdpoint/hub"
import { systemRuntime } from "@holdpoint/hub"
import { createSealer, type KeyRing } from "@holdpoint/hub/sealing"
import { createPrograms } from "@holdpoint/server/identity"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { createEndpoints } from "@holdpoint/webhooks"
import type { Random } from "./random.ts"
import { openReceiver, type StormReceiver } from "./receiver.ts"

export interface StormProgram {
  readonly name: string
  /** The id of its webhook, too. */
  readonly id: string
  readonly receiver: StormReceiver
  readonly secrets: readonly (readonly [string, string])[]
  headers(key?: string): Readonly<Record<string, string>>
}

export interface ProgramsParts {
  readonly storage: Storage
  readonly keys: KeyRing
  readonly random: Random
  /** Whether some of the receivers take connections and never answer. */
  readonly isHanging: boolean
}

const tenant = "storm"

/** The first two have receivers that answer. */
const names = ["shop", "deployer", "slow-a", "slow-b", "slow-c"]

export async function addPrograms({
  storage,
  keys,
  random,
  isHanging,
}: ProgramsParts): Promise<readonly StormProgram[]> {
  const parts = { storage, runtime: systemRuntime, sealer: createSealer(keys), network: { allowLoopback: true } }
  const [programs, endpoints] = [createPrograms(parts), createEndpoints(parts)]
  const all: StormProgram[] = []
  for (const name of names) {
    const { program, key } = await programs.add({ tenant, name, may: { to: "anyone", modes: ["form", "url"] } })
    noteCanary("program_key", key)
    const receiver = await openReceiver({ random: random.fork(name), hangs: isHanging && name.startsWith("slow") })
    const { secret = "" } = await endpoints.set(program, { url: receiver.url })
    noteCanary("webhook_secret", secret)
    receiver.verifyWith(secret)
    const headers = (idempotencyKey?: string) => ({
      ...{ authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(idempotencyKey === undefined ? undefined : { "idempotency-key": idempotencyKey }),
    })
    all.push({
      name,
      id: program.id,
      receiver,
      headers,
      secrets: [
        [key, "program_key"],
        [secret, "webhook_secret"],
      ],
    })
  }
  return all
}
