// Clients that register themselves (RFC 7591): off unless wanted. When it is on, anybody can write into our store with
// it, so that how often, how many and for how long is limited.

import type { Runtime } from "../../ports/runtime.ts"
import { registered } from "./adapter.ts"
import type { ArtifactStore } from "./artifact-store.ts"

export interface RegistrationOptions {
  /** In this process. 10 unless said otherwise. */
  readonly perMinute?: number
  /** At one time, in all. 1,000 unless said otherwise. */
  readonly most?: number
  /** After this a client has to register anew. 30 days unless said otherwise. */
  readonly lifetimeMs?: number
}

export const defaultRegistration: Required<RegistrationOptions> = {
  perMinute: 10,
  most: 1_000,
  lifetimeMs: 30 * 24 * 3_600_000,
}

/** Why no client can register now, or undefined. */
export type RegistrationLimit = () => Promise<string | undefined>

export function createRegistrationLimit(
  { perMinute, most }: Required<RegistrationOptions>,
  artifacts: ArtifactStore,
  runtime: Runtime,
): RegistrationLimit {
  const isTooOften = createPace(perMinute, runtime)
  return async () => {
    if (isTooOften()) return "too many clients register at the moment; try again in a minute"
    return (await artifacts.count(registered, most)) >= most ? "no more clients can be registered here" : undefined
  }
}

/** True when this was called more than so many times within the last minute. */
export function createPace(perMinute: number, runtime: Runtime): () => boolean {
  let times: number[] = []
  return () => {
    const now = runtime.now()
    times = times.filter((time) => now - time < 60_000)
    if (times.length >= perMinute) return true
    times.push(now)
    return false
  }
}
