// Dynamic client registration (RFC 7591), off by default. When it is on, anyone can write to the store, so rate, number
// and lifetime are limited.

import type { Runtime } from "@holdpoint/hub"
import { createRateLimit } from "../rate-limit.ts"
import { registeredClientsGroup } from "./adapter.ts"
import type { ArtifactStore } from "./artifact-store.ts"

/** Limits for programs that register themselves (RFC 7591). */
export interface RegistrationOptions {
  /** Registrations per minute and process. Default: 10. */
  readonly perMinute?: number
  /** The most registered clients at one time. Default: 1,000. */
  readonly most?: number
  /** The time after which a client has to register again. Default: 30 days. */
  readonly lifetimeMs?: number
}

export const defaultRegistration: Required<RegistrationOptions> = {
  perMinute: 10,
  most: 1_000,
  lifetimeMs: 30 * 24 * 3_600_000,
}

/** The reason why no client can register now; undefined when one can. */
export type RegistrationLimit = () => Promise<string | undefined>

export function createRegistrationLimit(
  { perMinute, most }: Required<RegistrationOptions>,
  artifacts: ArtifactStore,
  runtime: Runtime,
): RegistrationLimit {
  const isTooOften = createRateLimit(perMinute, runtime)
  return async () => {
    if (isTooOften()) return "too many clients are registering at the moment; try again in a minute"
    return (await artifacts.count(registeredClientsGroup, most)) >= most
      ? "no more clients can be registered here"
      : undefined
  }
}
