// People's consents: which client, with which redirect address, may use which resource with which scopes. Tokens are
// valid while the consent is in force. A withdrawal ends them, and a later consent does not revive them.

import type { PrincipalId, Runtime } from "@holdpoint/hub"
import { hashOf } from "@holdpoint/hub/internal"
import { ofGrant } from "./adapter.ts"
import type { ArtifactStore, Payload } from "./artifact-store.ts"
import { staysOnMachine } from "./clients.ts"
import { toAccountId } from "./principal.ts"

/** A person's consent for one program and one resource. */
export interface Consent {
  /** The person's `accountId`. */
  readonly account: string
  readonly client: string
  /** The client's name at the time of consent. */
  readonly name?: string
  readonly redirectUri: string
  readonly resource: string
  readonly scopes: readonly string[]
}

/** A consent that is in force. */
export interface StandingConsent extends Consent {
  readonly id: string
  /** When the consent was first given. */
  readonly since: number
}

/** The person, client and resource that identify a consent. */
type ConsentKey = Pick<Consent, "account" | "client" | "resource">

export interface Consents {
  /** The scopes already allowed for this redirect address; empty without a consent. */
  allowedScopes(consent: Omit<Consent, "scopes">): Promise<readonly string[]>
  /**
   * Whether the request needs no new consent: it requests nothing new, and no other local program could receive the
   * code (RFC 8252 §8.6).
   */
  covers(consent: Consent): Promise<boolean>
  /** Stores the consent together with the grant that results from it. */
  remember(consent: Consent, grant: string): Promise<void>
  /** Whether this grant resulted from the current consent. Decided without timestamps, since nodes' clocks differ. */
  isGranted(consentKey: ConsentKey, grant: string): Promise<boolean>
  list(principal: PrincipalId): Promise<readonly StandingConsent[]>
  /** Withdraws one of the person's own consents; false for any other id. */
  withdraw(principal: PrincipalId, id: string): Promise<boolean>
}

const kind = "Consent"
/** How long a consent is stored after it was last given: as long as its grants can live. */
const rememberedMs = 90 * 24 * 3_600_000
/** The most grants of one consent. Each issued code adds a grant; the oldest grants are dropped. */
const mostGrants = 200

interface StoredConsent extends StandingConsent {
  readonly grants: readonly string[]
}

export function createConsents(artifacts: ArtifactStore, runtime: Runtime): Consents {
  const read = async (consentKey: ConsentKey): Promise<StoredConsent | undefined> => {
    const entry = await artifacts.read(kind, idOf(consentKey))
    return entry === undefined ? undefined : fromPayload(entry.payload)
  }
  const allowedScopes: Consents["allowedScopes"] = async (consent) => {
    return scopesAt(consent.redirectUri, await read(consent))
  }
  const list: Consents["list"] = async (principal) =>
    (await artifacts.list(groupOfPerson(toAccountId(principal)))).map(({ payload }) => {
      const { grants: _grants, ...withoutGrants } = fromPayload(payload)
      return withoutGrants
    })

  return {
    allowedScopes,
    list,
    async covers(consent) {
      if (staysOnMachine(consent.redirectUri)) return false
      const scopes = await allowedScopes(consent)
      return consent.scopes.every((scope) => scopes.includes(scope))
    },
    async remember(consent, grant) {
      const now = runtime.now()
      const id = idOf(consent)
      const options = { group: groupOfPerson(consent.account), expiresAt: now + rememberedMs }
      const mergeConsent = (stored: StoredConsent | undefined): StoredConsent => ({
        ...{ ...consent, id: hashOf(id), since: stored?.since ?? now },
        scopes: [...new Set([...scopesAt(consent.redirectUri, stored), ...consent.scopes])],
        grants: [...(stored?.grants ?? []), grant].slice(-mostGrants),
      })
      // After a concurrent withdrawal the consent starts empty: what it allowed before stays withdrawn.
      await artifacts.merge(kind, id, (payload) => ({ ...mergeConsent(payload && fromPayload(payload)) }), options)
    },
    isGranted: async (consentKey, grant) => (await read(consentKey))?.grants.includes(grant) === true,
    async withdraw(principal, id) {
      const listedConsent = (await list(principal)).find((candidate) => candidate.id === id)
      const consent = listedConsent && (await read(listedConsent))
      if (consent === undefined || !(await artifacts.remove(kind, idOf(consent)))) return false
      await Promise.all(consent.grants.map((grant) => artifacts.removeGroup(ofGrant(grant))))
      return true
    },
  }
}

const idOf = ({ account, client, resource }: ConsentKey): string => JSON.stringify([account, client, resource])
/** A consent for another redirect address does not count. */
const scopesAt = (redirectUri: string, stored: StoredConsent | undefined): readonly string[] =>
  stored?.redirectUri === redirectUri ? stored.scopes : []
const groupOfPerson = (account: string): string => `consents:${account}`

/** Safe to cast: only this file writes the payload, and the seal detects changes. */
const fromPayload = (payload: Payload): StoredConsent => payload as unknown as StoredConsent
