// Local mode: one person on their own machine, without sign-in. A browser is admitted with a key that reached the
// person without passing through the asking program; where no key can be shown, the first browser to press the button
// is admitted.

import { createHmac } from "node:crypto"
import type { PrincipalId, Runtime, Storage } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import { hashOf, isHashOf, isSameText, newToken, toShortCode } from "@holdpoint/hub/internal"
import type { Session } from "./records.ts"
import { sessionKind } from "./records.ts"
import { sweepRecords } from "./sessions.ts"
import { shortenAgent } from "./user-agent.ts"

/** The options of `createLocalIdentity`. */
export interface LocalIdentityOptions {
  readonly storage: Pick<Storage, "records">
  /** The user's name on this machine. */
  readonly user: string
  readonly tenant?: string
  /** At least 32 bytes, for keys and codes: random per process, or stored when questions outlive the process. */
  readonly secret: Uint8Array
  readonly runtime: Runtime
  /** How long a claim lasts. Default: the longest lifetime of a question. */
  readonly claimMs?: number
  /**
   * Shows addresses to the person. Without it, a link alone admits a browser, because the server cannot distinguish the
   * person from a program on their machine.
   */
  readonly show?: ShowAddress
  /** What the person's own programs send. Default: derived from `secret`, for `programKey` of the identity. */
  readonly programKey?: ProgramKey
}

/** The proof that a program belongs to the person, and not to another user of the machine. */
export interface ProgramKey {
  /** At least 32 characters that a bearer token may have. */
  readonly text: string
  /** Where the person's programs find the key, for the words of a refusal: “the file …”. */
  readonly place: string
}

/**
 * Shows an address to the person without passing it through the asking program: in their browser or on their terminal.
 * The address contains a key and must not be sent anywhere else. Returns false when it could not be shown; from then on
 * a link alone admits a browser.
 */
export type ShowAddress = (address: string) => Promise<boolean>

/** Local mode, as the pages use it. */
export interface LocalIdentity {
  readonly principal: PrincipalId
  /** The key for an address that only the person sees. Each name has one key, which admits the first browser only. */
  keyOf(name: string): string
  /** A short code for people to compare: K7Q-4MX. */
  codeOf(elicitationId: string): string
  /** Whether this browser may open a question or, without an id, the inbox and account. Writes nothing. */
  access(elicitationId: string | undefined, token: string | undefined): Promise<LocalAccess>
  /** Claims a question for this browser. False when another browser has already claimed it. */
  claim(elicitationId: string, token: string, options?: { readonly agent?: string }): Promise<boolean>
  /** Exchanges a key for the cookie value of the person's browser; undefined when the key is invalid or used. */
  admit(key: string, options?: { readonly agent?: string }): Promise<string | undefined>
  /** What the person's own programs send as their bearer token. It begins things for the person, and approves nothing. */
  readonly programKey: ProgramKey
  isProgramKey(text: string): boolean
  /** Shows an address to the person. Undefined when addresses cannot be shown, or when an attempt has failed. */
  readonly show: ShowAddress | undefined
  /** Removes expired claims and returns their number. */
  sweep(): Promise<number>
}

export type LocalAccess =
  /** The person's browser, or the browser that claimed this question. */
  | { readonly kind: "theirs"; readonly session: Session }
  /** The link alone admits a browser, and none has claimed the question yet. `claim` stores the session. */
  | { readonly kind: "free"; readonly session: Session }
  | { readonly kind: "taken" }
  /** It is unknown whether the browser belongs to the person. */
  | { readonly kind: "unknown" }

const longestQuestionMs = 7 * 24 * 3_600_000

/** Creates local mode: one person on their own machine, without a sign-in. */
export function createLocalIdentity(options: LocalIdentityOptions): LocalIdentity {
  const { secret, runtime, claimMs = longestQuestionMs } = options
  if (secret.length < 32)
    throw new HoldpointError("invalid_config", "The secret of local mode is too short. Give it 32 random bytes.")
  const principal = { tenant: options.tenant ?? "local", issuer: "local", subject: options.user }
  const records = options.storage.records(sessionKind)
  const hmac = (text: string): Buffer => createHmac("sha256", secret).update(text).digest()
  const keyOf = (name: string): string => `${name}.${hmac(`key of ${name}`).toString("base64url")}`
  const programKey = options.programKey ?? { text: `hpl_${hmac("programs").toString("base64url")}`, place: ownPlace }
  if (programKey.text.length < 32)
    throw new HoldpointError(
      "invalid_config",
      "The key for programs of local mode is too short. Give it 32 characters.",
    )
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

  /** Stores a browser's session. Sessions with the same claim have the same record id, so only one insert succeeds. */
  async function insert(session: Session): Promise<boolean> {
    const existing = await records.get(session.id)
    if (existing !== undefined && runtime.now() >= existing.expiresAt) await records.remove(existing)
    return records.insert(session)
  }

  /** Shows an address, with a rate limit: a local program that triggers this must not fill the screen with windows. */
  async function showIfDue(address: string): Promise<boolean> {
    const now = runtime.now()
    if (show === undefined || now - shownAt < showEveryMs) return show !== undefined
    shownAt = now
    if (!(await show(address))) show = undefined
    return show !== undefined
  }

  return {
    principal,
    programKey,
    isProgramKey: (text) => isSameText(text, programKey.text),
    keyOf,
    codeOf: (elicitationId) => toShortCode(hmac(elicitationId)),
    async access(elicitationId, token = "") {
      const homeClaim = homeClaimIn(token)
      const homeSession = homeClaim === undefined ? undefined : await get(homeClaim)
      if (homeSession !== undefined && isHashOf(token, homeSession.browser ?? ""))
        return { kind: "theirs", session: homeSession }
      if (elicitationId === undefined || show !== undefined) return { kind: "unknown" }
      const session = await get(elicitationId)
      if (session === undefined) return { kind: "free", session: toSession(elicitationId, token) }
      return isHashOf(token, session.browser ?? "") ? { kind: "theirs", session } : { kind: "taken" }
    },
    async claim(elicitationId, token, { agent } = {}) {
      const isInserted = await insert(toSession(elicitationId, token, agent))
      return isInserted || isHashOf(token, (await get(elicitationId))?.browser ?? "")
    },
    async admit(key, { agent } = {}) {
      const [name = ""] = key.split(".")
      if (!isSameText(key, keyOf(name))) return undefined
      const homeClaim = `${homePrefix}${hashOf(key)}`
      const token = `${homeClaim}.${newToken()}`
      return (await insert(toSession(homeClaim, token, agent))) ? token : undefined
    },
    get show() {
      return show === undefined ? undefined : showIfDue
    },
    sweep: () => sweepRecords(records, runtime.now()),
  }
}

const showEveryMs = 3_000

const ownPlace = "the `programKey` of the program that started this server"

const idOf = (claim: string): string => `claim.${hashOf(claim)}`

/** The cookie prefix of the person's browser; no question id begins with it. */
const homePrefix = "home:"

const homeClaimIn = (token: string): string | undefined =>
  token.startsWith(homePrefix) ? token.slice(0, token.indexOf(".")) : undefined
