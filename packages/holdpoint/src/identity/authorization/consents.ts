// What people have allowed: this program, with its answers going to this address, for this server, these scopes. As long as
// it stands its tokens count; once it is withdrawn they do not, and a later consent does not bring them back.

import type { PrincipalId } from "../../core/principal.ts"
import type { Runtime } from "../../ports/runtime.ts"
import { hashOf } from "../hash.ts"
import type { Book, Payload } from "./book.ts"
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
  remember(consent: Consent): Promise<void>
  /** Whether what was granted at that time still counts. */
  stands(between: Between, grantedAt: number): Promise<boolean>
  list(principal: PrincipalId): Promise<readonly StandingConsent[]>
  /** One of their own, from the list; false for anybody else's. */
  withdraw(principal: PrincipalId, id: string): Promise<boolean>
}

const kind = "Consent"
/** Whatever was granted is over by then. */
const rememberedMs = 90 * 24 * 3_600_000

export function createConsents(book: Book, runtime: Runtime): Consents {
  const read = async (between: Between): Promise<StandingConsent | undefined> => {
    const entry = await book.read(kind, idOf(between))
    return entry === undefined ? undefined : fromPayload(entry.payload)
  }
  const allowed: Consents["allowed"] = async (consent) => {
    const before = await read(consent)
    return before?.redirectUri === consent.redirectUri ? before.scopes : []
  }
  const list: Consents["list"] = async (principal) =>
    (await book.list(ofPerson(toAccountId(principal)))).map(({ payload }) => fromPayload(payload))

  return {
    allowed,
    list,
    async covers(consent) {
      if (staysOnMachine(consent.redirectUri)) return false
      const before = await allowed(consent)
      return consent.scopes.every((scope) => before.includes(scope))
    },
    async remember(consent) {
      const now = runtime.now()
      const [before, scopes] = await Promise.all([read(consent), allowed(consent)])
      const id = idOf(consent)
      const next = { ...consent, id: hashOf(id), since: before?.since ?? now }
      const filed = { group: ofPerson(consent.account), expiresAt: now + rememberedMs }
      await book.write(kind, id, { ...next, scopes: [...new Set([...scopes, ...consent.scopes])] }, filed)
    },
    async stands(between, grantedAt) {
      const consent = await read(between)
      // Tokens know their time to the second.
      return consent !== undefined && grantedAt >= Math.floor(consent.since / 1_000) * 1_000
    },
    async withdraw(principal, id) {
      const consent = (await list(principal)).find((one) => one.id === id)
      return consent !== undefined && book.remove(kind, idOf(consent))
    },
  }
}

const idOf = ({ account, client, resource }: Between): string => JSON.stringify([account, client, resource])
const ofPerson = (account: string): string => `consents:${account}`

/** Only this file writes it, and it opens only unaltered. */
const fromPayload = (payload: Payload): StandingConsent => payload as unknown as StandingConsent
