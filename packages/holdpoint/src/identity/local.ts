// Local mode, for one person on their own machine, without sign-in. A browser is the person's when it brings a key that
// reached them past the program that asks; where none can, the first browser in which the button is pressed.

import { createHmac } from "node:crypto"
import { HoldpointError } from "../core/error.ts"
import type { PrincipalId } from "../core/principal.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Storage } from "../ports/storage.ts"
import { toCode } from "../sealing/code.ts"
import { hashOf, isHashOf, isSameText, newToken } from "../sealing/hash.ts"
import { shortenAgent } from "./agent.ts"
import type { Session } from "./records.ts"
import { sessionKind } from "./records.ts"
import { sweepRecords } from "./sessions.ts"

export interface LocalIdentityOptions {
  readonly storage: Pick<Storage, "records">
  /** As the machine calls them. */
  readonly user: string
  readonly tenant?: string
  /** At least 32 bytes, for keys and codes: random for each process, or kept when questions outlive it. */
  readonly secret: Uint8Array
  readonly runtime: Runtime
  /** How long a claim lasts; as long as the longest question unless said otherwise. */
  readonly claimMs?: number
  /** Without it a link alone is enough, since there is no other way to tell the person from a program on their machine. */
  readonly show?: ShowAddress
}

/**
 * Shows an address to the person past the program that asks: in their browser, or on their terminal. It holds a key, and
 * goes nowhere else. False when it could not be shown; from then on a link alone is enough.
 */
export type ShowAddress = (address: string) => Promise<boolean>

export interface LocalIdentity {
  readonly principal: PrincipalId
  /** For an address that only the person gets to see. Another for each name, and used up by the first browser. */
  keyOf(name: string): string
  /** Short, for people to compare: K7Q-4MX. */
  codeOf(elicitationId: string): string
  /** How this browser stands to a question, or without one to inbox and account. Writes nothing. */
  standing(elicitationId: string | undefined, token: string | undefined): Promise<LocalStanding>
  /** False when another browser was faster. */
  claim(elicitationId: string, token: string, options?: { readonly agent?: string }): Promise<boolean>
  /** What makes a browser the person's, for its cookie; undefined when the key is not one, or is used up. */
  admit(key: string, options?: { readonly agent?: string }): Promise<string | undefined>
  /** Undefined where there is no such way, or it has failed. */
  readonly show: ShowAddress | undefined
  /** Removes claims that are over; how many. */
  sweep(): Promise<number>
}

export type LocalStanding =
  /** The person's browser, or the one in which this question's button was pressed. */
  | { readonly kind: "theirs"; readonly session: Session }
  /** A link is enough, and no button was pressed yet. The session is there once it is claimed. */
  | { readonly kind: "free"; readonly session: Session }
  | { readonly kind: "taken" }
  /** It may be anybody's. */
  | { readonly kind: "unknown" }

const longestQuestionMs = 7 * 24 * 3_600_000

export function createLocalIdentity(options: LocalIdentityOptions): LocalIdentity {
  const { secret, runtime, claimMs = longestQuestionMs } = options
  if (secret.length < 32)
    throw new HoldpointError("invalid_config", "The secret of local mode is too short. Give it 32 random bytes.")
  const principal = { tenant: options.tenant ?? "local", issuer: "local", subject: options.user }
  const records = options.storage.records(sessionKind)
  const hmac = (text: string): Buffer => createHmac("sha256", secret).update(text).digest()
  const keyOf = (name: string): string => `${name}.${hmac(`key of ${name}`).toString("base64url")}`
  let show = options.show
  let shownAt = Number.NEGATIVE_INFINITY

  async function get(claim: string): Promise<Session | undefined> {
    const session = await records.get(idOf(claim))
    return session === undefined || runtime.now() >= session.expiresAt ? undefined : session
  }

  function toSession(claim: string, token: string, agent?: string): Session {
    const browser = shortenAgent(agent)
    const now = runtime.now()
    return {
      ...{ id: idOf(claim), tenant: principal.tenant, version: 1, principal, claim, browser: hashOf(token) },
      ...(browser === undefined ? {} : { agent: browser }),
      ...{ createdAt: now, seenAt: now, expiresAt: now + claimMs },
    }
  }

  /** Every browser tries to write the same record: there is room for one. */
  async function insert(session: Session): Promise<boolean> {
    const old = await records.get(session.id)
    if (old !== undefined && runtime.now() >= old.expiresAt) await records.remove(old)
    return records.insert(session)
  }

  /** Any program can ask for it, and must not cover the screen with windows. */
  async function showSeldom(address: string): Promise<boolean> {
    const now = runtime.now()
    if (show === undefined || now - shownAt < showEveryMs) return show !== undefined
    shownAt = now
    if (!(await show(address))) show = undefined
    return show !== undefined
  }

  return {
    principal,
    keyOf,
    codeOf: (elicitationId) => toCode(hmac(elicitationId)),
    async standing(elicitationId, token = "") {
      const home = homeIn(token)
      const own = home === undefined ? undefined : await get(home)
      if (own !== undefined && isHashOf(token, own.browser ?? "")) return { kind: "theirs", session: own }
      if (elicitationId === undefined || show !== undefined) return { kind: "unknown" }
      const session = await get(elicitationId)
      if (session === undefined) return { kind: "free", session: toSession(elicitationId, token) }
      return isHashOf(token, session.browser ?? "") ? { kind: "theirs", session } : { kind: "taken" }
    },
    async claim(elicitationId, token, { agent } = {}) {
      const isFirst = await insert(toSession(elicitationId, token, agent))
      return isFirst || isHashOf(token, (await get(elicitationId))?.browser ?? "")
    },
    async admit(key, { agent } = {}) {
      const [name = ""] = key.split(".")
      if (!isSameText(key, keyOf(name))) return undefined
      const home = `${homePrefix}${hashOf(key)}`
      const token = `${home}.${newToken()}`
      return (await insert(toSession(home, token, agent))) ? token : undefined
    },
    get show() {
      return show === undefined ? undefined : showSeldom
    },
    sweep: () => sweepRecords(records, runtime.now()),
  }
}

const showEveryMs = 3_000

const idOf = (claim: string): string => `claim.${hashOf(claim)}`

/** What the cookie of the person's browser begins with, and no question's id. */
const homePrefix = "home:"

const homeIn = (token: string): string | undefined =>
  token.startsWith(homePrefix) ? token.slice(0, token.indexOf(".")) : undefined
