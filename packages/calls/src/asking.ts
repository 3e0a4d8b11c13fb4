// Composes the parts that all calls share: the hub, the vault, the stored calls, and the held requests.

import type { Addresses, Hub, Runtime, Storage } from "@holdpoint/hub"
import { systemRuntime } from "@holdpoint/hub"
import type { Accounts } from "@holdpoint/hub/internal"
import { defaultLifetimeMs, warn } from "@holdpoint/hub/internal"
import type { Sealer } from "@holdpoint/hub/sealing"
import type { Trail } from "@holdpoint/hub/storage"
import type { Calls } from "./calls.ts"
import { createCalls } from "./calls.ts"
import type { Followers } from "./followers.ts"
import { createFollowers } from "./followers.ts"
import type { Holds } from "./holds.ts"
import { createHolds } from "./holds.ts"
import { graceMs } from "./requested-call.ts"

/** What all carriers of one process share. Created by `createAsking`. */
export interface Asking {
  readonly hub: Hub
  readonly vault: Accounts | undefined
  readonly runtime: Runtime
  readonly calls: Calls
  readonly holds: Holds
  readonly followers: Followers
  readonly trail: Pick<Trail, "append" | "read">
  /** The addresses of the pages. Undefined when this server has no pages. */
  readonly addresses: Addresses | undefined
  readonly report: (activity: string, error: unknown) => void
  /**
   * Ends the leases of all calls and unsubscribes from the trail. Call it after held requests have ended and before the
   * hub is closed.
   */
  close(): Promise<void>
}

export interface AskingOptions extends Pick<Asking, "hub">, Partial<Pick<Asking, "vault" | "addresses" | "report">> {
  /** The storage that the hub uses. */
  readonly storage: Storage
  readonly sealer: Sealer
  readonly runtime?: Runtime
  /**
   * Whether a handler that asks in a different order than in its earlier run fails. Default: true except in production.
   */
  readonly strict?: boolean
  /** How long a request is held open while a person acts. */
  readonly holdMs?: number
  /** How long a person has to answer. For that time and a grace period, the same arguments count as the same call. */
  readonly lifetimeMs?: number
}

/** Creates what all carriers of one process share: the hub, the journals of calls, and the holds. */
export function createAsking(options: AskingOptions): Asking {
  const { hub, vault, runtime = systemRuntime, addresses, report = warn, storage, sealer } = options
  const { holdMs, lifetimeMs = defaultLifetimeMs } = options
  const strict = options.strict ?? process.env.NODE_ENV !== "production"
  const resumeMs = lifetimeMs + graceMs
  const isCompleted = async (elicitation: string): Promise<boolean> =>
    (await hub.get(elicitation))?.status === "completed"
  const calls = createCalls({ storage, sealer, runtime, strict, lifetimeMs: callMs, resumeMs, isCompleted, report })
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

/** The least time for which the store keeps a call that waits for its client or for a person. */
const callMs = 24 * 60 * 60_000
