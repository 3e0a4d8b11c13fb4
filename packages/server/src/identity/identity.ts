// Identity: sign-in with any OpenID Connect provider, and sessions.

import type { Addresses, PrincipalId, Runtime, Storage } from "@holdpoint/hub"
import type { Fetch } from "@holdpoint/hub/internal"
import type { Sealer } from "@holdpoint/hub/sealing"
import type { IdentityProvider } from "./provider.ts"
import { defineIdentityProviders } from "./provider.ts"
import { sessionKind } from "./records.ts"
import { toRegistration } from "./registration.ts"
import type { Sessions } from "./sessions.ts"
import { createSessions } from "./sessions.ts"
import type { BeginSignIn, FinishSignIn, SignInBegun, SignInFinished } from "./sign-in.ts"
import { beginSignIn, finishSignIn } from "./sign-in.ts"
import { signOutAddress } from "./sign-out.ts"

/** The options of `createIdentity`. */
export interface IdentityOptions {
  readonly storage: Pick<Storage, "records">
  readonly sealer: Sealer
  readonly providers: readonly IdentityProvider[]
  /** The addresses of the pages. */
  readonly addresses: Addresses
  /** A guarded fetch, which decides which addresses may be reached. */
  readonly fetch: Fetch
  readonly runtime: Runtime
  readonly times?: Partial<IdentityTimes>
  /** Reports why a sign-in failed. The arguments never contain a secret. */
  readonly report?: (activity: string, error: unknown) => void
}

export interface IdentityTimes {
  /** A session ends after this time without a request. */
  readonly idleMs: number
  /** Every session ends after this time. */
  readonly absoluteMs: number
  /** The time limit from the click to the return from the provider. */
  readonly signInMs: number
}

export const defaultIdentityTimes: IdentityTimes = {
  idleMs: 8 * 3_600_000,
  absoluteMs: 7 * 24 * 3_600_000,
  signInMs: 600_000,
}

/** Sign-in and sessions, as the pages use them. */
export interface Identity extends Omit<Sessions, "begin"> {
  /** The identity providers for the sign-in page, in the configured order. */
  readonly providers: readonly { readonly id: string; readonly name: string }[]
  /** Begins a sign-in. Throws `unknown_provider` and `provider_unavailable`. */
  begin(wanted: BeginSignIn): Promise<SignInBegun>
  finish(response: FinishSignIn): Promise<SignInFinished>
  /** The provider's sign-out address, which ends its own session. Undefined when the provider has none. */
  signOutAddress(principal: PrincipalId): Promise<string | undefined>
}

/** Creates the sign-in with OpenID Connect, and the sessions of browsers. */
export function createIdentity(options: IdentityOptions): Identity {
  const { storage, sealer, addresses, fetch, runtime, report = () => {} } = options
  const times = { ...defaultIdentityTimes, ...options.times }
  const providers = defineIdentityProviders(options.providers)
  const sessions = createSessions(storage.records(sessionKind), runtime, times)
  const registrations = new Map([...providers].map(([id, provider]) => [id, toRegistration(provider)]))
  const { signInMs } = times
  const parts = {
    storage,
    sealer,
    sessions,
    providers,
    registrations,
    addresses,
    tools: { fetch, runtime },
    signInMs,
    report,
  }
  const { begin: _begin, ...rest } = sessions
  return {
    ...rest,
    providers: [...providers.values()].map(({ id, name }) => ({ id, name })),
    begin: (request) => beginSignIn(parts, request),
    finish: (response) => finishSignIn(parts, response),
    signOutAddress: (principal) => signOutAddress(parts, principal),
  }
}
