// Local mode, for one person on their own machine: nobody signs in. The first browser that opens a link claims it, shows
// the code that the terminal shows too, and every other browser is refused.

import { createHmac } from "node:crypto"
import { HoldpointError } from "../core/error.ts"
import type { PrincipalId } from "../core/principal.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Storage } from "../ports/storage.ts"
import { toCode } from "../sealing/code.ts"
import { hashOf, isSameText, newToken } from "../sealing/hash.ts"
import { shortenAgent } from "./agent.ts"
import type { Session } from "./records.ts"
import { sessionKind } from "./records.ts"
import { sweepRecords } from "./sessions.ts"

export interface LocalIdentityOptions {
  readonly storage: Pick<Storage, "records">
  /** As the machine calls them. */
  readonly user: string
  readonly tenant?: string
  /** At least 32 bytes, for the codes: random for each process, or kept when questions outlive it. */
  readonly secret: Uint8Array
  readonly runtime: Runtime
  /** How long a claim lasts; as long as the longest question unless said otherwise. */
  readonly claimMs?: number
}

export interface LocalIdentity {
  readonly principal: PrincipalId
  /** What a link to a page that is about no question carries: whoever has it may claim the page. */
  keyOf(page: string): string
  /** Short, for people to compare: K7Q-4MX. */
  codeOf(elicitationId: string): string
  claim(elicitationId: string, token: string | undefined, options?: { readonly agent?: string }): Promise<Claim>
  /** Of the browser that holds this token; its `claim` says for which question alone it counts. */
  session(token: string | undefined): Promise<Session | undefined>
  /** Removes claims that are over; how many. */
  sweep(): Promise<number>
}

export type Claim =
  /** The token goes into a cookie of this browser and is never shown again. */
  | { readonly kind: "claimed"; readonly token: string; readonly session: Session; readonly code: string }
  | { readonly kind: "yours"; readonly session: Session; readonly code: string }
  | { readonly kind: "taken" }

const longestQuestionMs = 7 * 24 * 3_600_000

export function createLocalIdentity(options: LocalIdentityOptions): LocalIdentity {
  const { storage, secret, runtime, claimMs = longestQuestionMs } = options
  if (secret.length < 32)
    throw new HoldpointError("invalid_config", "The secret of local mode is too short. Give it 32 random bytes.")
  const principal = { tenant: options.tenant ?? "local", issuer: "local", subject: options.user }
  const codeOf = (elicitationId: string): string => toCode(createHmac("sha256", secret).update(elicitationId).digest())

  async function find(elicitationId: string, token: string | undefined): Promise<Session | undefined> {
    const session = token === undefined ? undefined : await storage.records(sessionKind).get(idOf(elicitationId))
    if (token === undefined || session === undefined || runtime.now() >= session.expiresAt) return undefined
    return isSameText(hashOf(token), session.browser ?? "") ? session : undefined
  }

  async function removeIfOver(id: string): Promise<void> {
    const old = await storage.records(sessionKind).get(id)
    if (old !== undefined && runtime.now() >= old.expiresAt) await storage.records(sessionKind).remove(old)
  }

  return {
    principal,
    keyOf: (page) => createHmac("sha256", secret).update(`key of ${page}`).digest("base64url"),
    codeOf,
    async claim(elicitationId, token, { agent } = {}) {
      const code = codeOf(elicitationId)
      const own = await find(elicitationId, token)
      if (own !== undefined) return { kind: "yours", session: own, code }
      const fresh = `${Buffer.from(elicitationId).toString("base64url")}.${newToken()}`
      const browser = shortenAgent(agent)
      const now = runtime.now()
      const session: Session = {
        id: idOf(elicitationId),
        tenant: principal.tenant,
        version: 1,
        principal,
        claim: elicitationId,
        browser: hashOf(fresh),
        ...(browser === undefined ? {} : { agent: browser }),
        createdAt: now,
        seenAt: now,
        expiresAt: now + claimMs,
      }
      // Every browser tries to write the same record: there is room for one.
      await removeIfOver(session.id)
      const isFirst = await storage.records(sessionKind).insert(session)
      return isFirst ? { kind: "claimed", token: fresh, session, code } : { kind: "taken" }
    },
    async session(token) {
      const [named = ""] = token?.split(".") ?? []
      return find(Buffer.from(named, "base64url").toString(), token)
    },
    sweep: () => sweepRecords(storage.records(sessionKind), runtime.now()),
  }
}

const idOf = (elicitationId: string): string => `claim.${hashOf(elicitationId)}`
