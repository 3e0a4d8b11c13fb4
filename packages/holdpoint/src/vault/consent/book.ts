// The book of flows: how one is written, found, moved on and closed. Compare-and-set decides who moves it.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import type { Reason } from "../../core/elicitation.ts"
import { places } from "../../core/place.ts"
import { isSamePerson } from "../../core/principal.ts"
import type { Flow } from "../../ports/accounts.ts"
import { discard } from "../grants.ts"
import type { ConsentParts, Visitor } from "./consent.ts"

/** All in milliseconds. */
export interface ConsentTimes {
  /** From the click to the provider's answer. */
  readonly oauthMs: number
  /** As long as the server keeps a login flow. */
  readonly loginFlowMs: number
  /** How long a failed attempt leaves for another try before the asker is told. */
  readonly retryMs: number
  /** After this, what a process began is taken to be left behind by a dead one. */
  readonly abandonedMs: number
  /** How long the end of a flow is remembered, so that its page can tell it. */
  readonly rememberMs: number
}

export const defaultConsentTimes: ConsentTimes = {
  oauthMs: 10 * 60_000,
  loginFlowMs: 20 * 60_000,
  retryMs: 2 * 60_000,
  abandonedMs: 60_000,
  rememberMs: 24 * 60 * 60_000,
}

/** 256 random bits, for `state` and for cookies. */
export const newToken = (): string => randomBytes(32).toString("base64url")

/** How a token is kept: whoever reads the database cannot use it. */
export const hashOf = (token: string): string => createHash("sha256").update(token).digest("base64url")

/** Compares what was given with the hash that is kept, in constant time. */
export function isHashOf(token: string | undefined, hash: string): boolean {
  if (token === undefined) return false
  const [given, kept] = [Buffer.from(hashOf(token)), Buffer.from(hash)]
  return given.length === kept.length && timingSafeEqual(given, kept)
}

export const placeOf = places.flows

/** The attempts of one person at one question, newest first. */
export async function flowsOf(
  { storage }: Pick<ConsentParts, "storage">,
  { id, tenant }: { readonly id: string; readonly tenant: string },
  { principal }: Pick<Visitor, "principal">,
): Promise<readonly Flow[]> {
  const found = await storage.flows.list({ tenant, owner: id, limit: 200 })
  return found.filter(({ by }) => isSamePerson(by, principal)).sort((a, b) => b.createdAt - a.createdAt)
}

/** Of several attempts at a question the first that comes back counts: whoever clicks twice follows either. */
export async function isFirst({ storage }: Pick<ConsentParts, "storage">, flow: Flow): Promise<boolean> {
  const all = await storage.flows.list({ tenant: flow.tenant, owner: flow.elicitation, limit: 200 })
  return !all.some(({ id, status }) => id !== flow.id && status !== "failed" && status !== "consented")
}

/** A person who said No on our page meant it; an asker who gave up does not end a consent. */
export async function isWanted(parts: Pick<ConsentParts, "storage" | "questions">, flow: Flow): Promise<boolean> {
  return !(await isDeclined(parts, flow)) && (await isFirst(parts, flow))
}

export async function isDeclined({ questions }: Pick<ConsentParts, "questions">, flow: Flow): Promise<boolean> {
  const elicitation = await questions.get(flow.elicitation)
  return elicitation === undefined || elicitation.status === "declined"
}

/** Moves a flow on; undefined when somebody else has moved it meanwhile. */
export async function move(
  { storage, arm }: Pick<ConsentParts, "storage" | "arm">,
  flow: Flow,
  change: Partial<Flow>,
): Promise<Flow | undefined> {
  const next: Flow = { ...flow, ...change, version: flow.version + 1 }
  if (!(await storage.flows.replace(next))) return undefined
  arm(next.dueAt)
  return next
}

/** Without its secrets: they are of no use any more. */
export function shredded(flow: Flow): Flow {
  const { sealed: _sealed, ...rest } = flow
  return rest
}

/** This attempt is over, and why. Another try is possible until the asker is told. */
export async function failFlow(parts: ConsentParts, flow: Flow, reason: Reason): Promise<Flow | undefined> {
  const now = parts.tools.runtime.now()
  // The asker hears the reason, not that time ran out.
  const dueAt = Math.max(now, Math.min(now + parts.times.retryMs, flow.expiresAt - 1_000))
  return move(parts, shredded(flow), { status: "failed", reason, dueAt })
}

/** The same for one whose grant is stored. Who closes it gives back: whoever was faster may have made use of it. */
export async function giveUp(parts: ConsentParts, flow: Flow, reason: Reason): Promise<Flow | undefined> {
  const failed = await failFlow(parts, flow, reason)
  if (failed !== undefined) await discard(parts, flow.connection)
  return failed
}
