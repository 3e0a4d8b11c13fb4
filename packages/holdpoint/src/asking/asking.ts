// What all calls that ask share: where questions and accounts are, the records of calls, and what is held. Composes only.

import type { Addresses } from "../core/addresses.ts"
import { defaultLifetimeMs } from "../core/limits.ts"
import type { Hub } from "../hub/hub.ts"
import { systemRuntime } from "../hub/runtime.ts"
import { warn } from "../hub/warn.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Sealer } from "../ports/sealer.ts"
import type { Storage } from "../ports/storage.ts"
import type { Trail } from "../ports/trail.ts"
import type { Vault } from "../vault/vault.ts"
import type { Calls } from "./calls.ts"
import { createCalls } from "./calls.ts"
import type { Followers } from "./followers.ts"
import { createFollowers } from "./followers.ts"
import type { Holds } from "./holds.ts"
import { createHolds } from "./holds.ts"
import { graceMs } from "./open-call.ts"

/** What all carriers of one process share. Made by `createAsking`. */
export interface Asking {
  readonly hub: Hub
  readonly vault: Vault | undefined
  readonly runtime: Runtime
  readonly calls: Calls
  readonly holds: Holds
  readonly followers: Followers
  readonly trail: Pick<Trail, "append" | "read">
  /** Of the pages. Without it there are none. */
  readonly addresses: Addresses | undefined
  readonly report: (doing: string, error: unknown) => void
  /** After what is held was ended, and before the hub is closed. */
  close(): Promise<void>
}

export interface AskingOptions extends Pick<Asking, "hub">, Partial<Pick<Asking, "vault" | "addresses" | "report">> {
  /** The same that the hub has. */
  readonly storage: Storage
  readonly sealer: Sealer
  readonly runtime?: Runtime
  /** A handler that asks in another order than before fails. By default everywhere but in production. */
  readonly strict?: boolean
  /** How long a request is held while a person acts. */
  readonly holdMs?: number
  /** How long a person has: as long, and a while, the same arguments count as the same call. */
  readonly lifetimeMs?: number
}

/** Makes what all carriers of one process share: the hub, the journals of calls, and the holds. */
export function createAsking(options: AskingOptions): Asking {
  const { hub, vault, runtime = systemRuntime, addresses, report = warn, storage, sealer } = options
  const { holdMs, lifetimeMs = defaultLifetimeMs } = options
  const strict = options.strict ?? process.env.NODE_ENV !== "production"
  const resumeMs = lifetimeMs + graceMs
  const isDone = async (elicitation: string): Promise<boolean> => (await hub.get(elicitation))?.status === "completed"
  const calls = createCalls({ storage, sealer, runtime, strict, lifetimeMs: callMs, resumeMs, isDone, report })
  const followers = createFollowers(storage.trail)
  return {
    ...{ hub, vault, runtime, addresses, report, calls, followers },
    holds: createHolds(runtime, holdMs),
    trail: storage.trail,
    async close() {
      await calls.close()
      followers.close()
    },
  }
}

/** A call that is never resumed is forgotten after this. */
const callMs = 24 * 60 * 60_000
