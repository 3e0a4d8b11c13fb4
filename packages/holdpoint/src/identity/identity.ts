// Who is there: signing in with any OpenID Connect provider, and the sessions that come of it.

import type { Addresses } from "../core/addresses.ts"
import type { PrincipalId } from "../core/principal.ts"
import type { Fetch } from "../ports/fetch.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Sealer } from "../ports/sealer.ts"
import type { Storage } from "../ports/storage.ts"
import type { IdentityProvider } from "./provider.ts"
import { defineIdentityProviders } from "./provider.ts"
import { sessionKind } from "./records.ts"
import { toRegistration } from "./registration.ts"
import type { Sessions } from "./sessions.ts"
import { createSessions } from "./sessions.ts"
import type { BeginSignIn, FinishSignIn, SignInBegun, SignInFinished } from "./sign-in.ts"
import { beginSignIn, finishSignIn } from "./sign-in.ts"
import { signOutAddress } from "./sign-out.ts"

export interface IdentityOptions {
  readonly storage: Pick<Storage, "records">
  readonly sealer: Sealer
  readonly providers: readonly IdentityProvider[]
  /** Of the pages. */
  readonly addresses: Addresses
  /** Guarded: it decides which addresses are reached. */
  readonly fetch: Fetch
  readonly runtime: Runtime
  readonly times?: Partial<IdentityTimes>
  /** Told why a sign-in failed. Never of a secret. */
  readonly report?: (doing: string, error: unknown) => void
}

export interface IdentityTimes {
  /** A session that was not seen for this long has ended. */
  readonly idleMs: number
  /** And every session ends after this. */
  readonly absoluteMs: number
  /** From the click to the return. */
  readonly signInMs: number
}

export const defaultIdentityTimes: IdentityTimes = {
  idleMs: 8 * 3_600_000,
  absoluteMs: 7 * 24 * 3_600_000,
  signInMs: 600_000,
}

export interface Identity extends Omit<Sessions, "begin"> {
  /** For the sign-in page, in the order given. */
  readonly providers: readonly { readonly id: string; readonly name: string }[]
  /** Throws `unknown_provider` and `provider_unavailable`. */
  begin(wanted: BeginSignIn): Promise<SignInBegun>
  finish(given: FinishSignIn): Promise<SignInFinished>
  /** Where the identity provider's own session is ended too; undefined when it offers no such page. */
  signOutAddress(principal: PrincipalId): Promise<string | undefined>
}

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
    begin: (wanted) => beginSignIn(parts, wanted),
    finish: (given) => finishSignIn(parts, given),
    signOutAddress: (principal) => signOutAddress(parts, principal),
  }
}
