// What people have allowed: this program, with its answers going to this address, for this server, these scopes. As long as
// it stands its tokens count; once it is withdrawn they do not, and a later consent does not bring them back.

import type { PrincipalId } from "../../core/principal.ts"
import type { Runtime } from "../../ports/runtime.ts"
import { hashOf } from "../../sealing/hash.ts"
import { ofGrant } from "./adapter.ts"
import type { ArtifactStore, Payload } from "./artifact-store.ts"
import { staysOnMachine } from "./clients.ts"
import { toAccountId } from "./principal.ts"

export interface Consent {
  /** `accountId` of the person. */
  readonly account: string
  readonly client: string
  /** As the program was called. */
  readonly name?: string
  readonly redirectUri: string
  readonly resource: string
  readonly scopes: readonly string[]
}

export interface StandingConsent extends Consent {
  readonly id: string
  /** When it was first given. */
  readonly since: number
}

/** Of whom to whom. */
type Between = Pick<Consent, "account" | "client" | "resource">

export interface Consents {
  /** The scopes that they allowed before, at this address; empty when they were never asked. */
  allowed(consent: Omit<Consent, "scopes">): Promise<readonly string[]>
  /** True when nothing new is asked, and nobody else could pick up the answer (RFC 8252 §8.6). */
  covers(consent: Consent): Promise<boolean>
  /** With the grant that comes of it. */
  remember(consent: Consent, grant: string): Promise<void>
  /** Whether this grant came of what is allowed now. No clock decides it: nodes have several. */
  stands(between: Between, grant: string): Promise<boolean>
  list(principal: PrincipalId): Promise<readonly StandingConsent[]>
  /** One of their own, from the list; false for anybody else's. */
  withdraw(principal: PrincipalId, id: string): Promise<boolean>
}

const kind = "Consent"
/** Whatever was granted is over by then. */
const rememberedMs = 90 * 24 * 3_600_000
/** One for each time that the program came for a code. The oldest do not count any more. */
const mostGrants = 200

interface Kept extends StandingConsent {
  readonly grants: readonly string[]
}

export function createConsents(artifacts: ArtifactStore, runtime: Runtime): Consents {
  const read = async (between: Between): Promise<Kept | undefined> => {
    const entry = await artifacts.read(kind, idOf(between))
    return entry === undefined ? undefined : fromPayload(entry.payload)
  }
  const allowed: Consents["allowed"] = async (consent) => {
    return scopesAt(consent.redirectUri, await read(consent))
  }
  const list: Consents["list"] = async (principal) =>
    (await artifacts.list(ofPerson(toAccountId(principal)))).map(({ payload }) => {
      const { grants: _grants, ...standing } = fromPayload(payload)
      return standing
    })

  return {
    allowed,
    list,
    async covers(consent) {
      if (staysOnMachine(consent.redirectUri)) return false
      const before = await allowed(consent)
      return consent.scopes.every((scope) => before.includes(scope))
    },
    async remember(consent, grant) {
      const now = runtime.now()
      const id = idOf(consent)
      const filed = { group: ofPerson(consent.account), expiresAt: now + rememberedMs }
      const next = (before: Kept | undefined): Kept => ({
        ...{ ...consent, id: hashOf(id), since: before?.since ?? now },
        scopes: [...new Set([...scopesAt(consent.redirectUri, before), ...consent.scopes])],
        grants: [...(before?.grants ?? []), grant].slice(-mostGrants),
      })
      // Withdrawn at the same moment, it starts anew: what it allowed before is not brought back.
      await artifacts.merge(kind, id, (payload) => ({ ...next(payload && fromPayload(payload)) }), filed)
    },
    stands: async (between, grant) => (await read(between))?.grants.includes(grant) === true,
    async withdraw(principal, id) {
      const listed = (await list(principal)).find((one) => one.id === id)
      const consent = listed && (await read(listed))
      if (consent === undefined || !(await artifacts.remove(kind, idOf(consent)))) return false
      await Promise.all(consent.grants.map((grant) => artifacts.removeGroup(ofGrant(grant))))
      return true
    },
  }
}

const idOf = ({ account, client, resource }: Between): string => JSON.stringify([account, client, resource])
/** What was allowed with the answers going elsewhere does not count here. */
const scopesAt = (redirectUri: string, before: Kept | undefined): readonly string[] =>
  before?.redirectUri === redirectUri ? before.scopes : []
const ofPerson = (account: string): string => `consents:${account}`

/** Only this file writes it, and it opens only unaltered. */
const fromPayload = (payload: Payload): Kept => payload as unknown as Kept
