// What all calls that ask share: where questions and accounts are, the records of calls, and what is held. Composes only.

import type { Addresses } from "../core/addresses.ts"
import type { Hub } from "../hub/hub.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Sealer } from "../ports/sealer.ts"
import type { Storage } from "../ports/storage.ts"
import type { Vault } from "../vault/vault.ts"
import type { Calls } from "./calls.ts"
import { createCalls } from "./calls.ts"
import type { Followers } from "./followers.ts"
import { createFollowers } from "./followers.ts"
import type { Holds } from "./holds.ts"
import { createHolds } from "./holds.ts"
import { graceMs } from "./open-call.ts"

export interface Asking {
  readonly hub: Hub
  readonly vault: Vault | undefined
  readonly runtime: Runtime
  readonly calls: Calls
  readonly holds: Holds
  readonly followers: Followers
  /** Of the pages. Without it there are none. */
  readonly addresses: Addresses | undefined
  readonly report: (doing: string, error: unknown) => void
}

export interface AskingOptions extends Pick<Asking, "hub" | "vault" | "runtime" | "addresses" | "report"> {
  /** The same that the hub has. */
  readonly storage: Storage
  readonly sealer: Sealer
  /** A handler that asks in another order than before fails. */
  readonly strict: boolean
  /** How long a request is held while a person acts. */
  readonly holdMs: number
  /** How long a person has: as long, and a while, the same arguments count as the same call. */
  readonly lifetimeMs: number
}

export function createAsking(options: AskingOptions): Asking {
  const { hub, vault, runtime, addresses, report, storage, sealer, strict, holdMs, lifetimeMs } = options
  const resumeMs = lifetimeMs + graceMs
  return {
    ...{ hub, vault, runtime, addresses, report },
    calls: createCalls({ storage, sealer, runtime, strict, lifetimeMs: callMs, resumeMs, report }),
    holds: createHolds(runtime, holdMs),
    followers: createFollowers(storage.trail),
  }
}

/** A call that is never resumed is forgotten after this. */
const callMs = 24 * 60 * 60_000
