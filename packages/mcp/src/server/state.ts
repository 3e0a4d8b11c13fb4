// The tokens that a client carries between requests: the request state of a call, and the session id. Both are sealed
// and bound to their owner.

import type { Revision } from "@holdpoint/hub/forms"
import type { Tokens } from "@holdpoint/hub/sealing"
import type { Modes } from "./client.ts"

/** The caller and the call that a state is bound to: a state of one call is not valid for another. */
export interface CallFacts {
  readonly principal: string
  readonly client: string
  readonly method: string
  readonly digest: string
}

export interface State extends CallFacts {
  readonly call: string
  readonly round: number
  readonly expiresAt: number
}

export interface Session {
  readonly id: string
  readonly revision: Revision | undefined
  readonly modes: Modes
  readonly name?: string
  readonly version?: string
  readonly principal: string
  readonly expiresAt: number
}

/** The length of the longest token that this server issues. Longer text is refused without opening it. */
const mostCharacters = 4_096
const statePurpose = "mcp state"
const sessionPurpose = "mcp session"

export function sealState(tokens: Tokens, state: State): string {
  const { call, round, principal, client, method, digest, expiresAt } = state
  return tokens.seal(statePurpose, JSON.stringify([call, round, principal, client, method, digest, expiresAt]))
}

/** Opens a state. Undefined if this server did not issue it, it has expired, or belongs to another call or caller. */
export function openState(tokens: Tokens, text: unknown, facts: CallFacts, now: number): State | undefined {
  const state = readState(tokens, text)
  if (state === undefined || now >= state.expiresAt) return undefined
  const isSame = (["principal", "client", "method", "digest"] as const).every((name) => state[name] === facts[name])
  return isSame ? state : undefined
}

function readState(tokens: Tokens, text: unknown): State | undefined {
  const members = open(tokens, statePurpose, text)
  if (members === undefined) return undefined
  const [call, round, principal, client, method, digest, expiresAt] = members as [
    string,
    number,
    string,
    string,
    string,
    string,
    number,
  ]
  return { call, round, principal, client, method, digest, expiresAt }
}

export function sealSession(tokens: Tokens, session: Session): string {
  const { id, revision, modes, name, version, principal, expiresAt } = session
  const bits = (modes.form ? 1 : 0) + (modes.url ? 2 : 0)
  const parts = [id, revision ?? null, bits, name ?? null, version ?? null, principal, expiresAt]
  return tokens.seal(sessionPurpose, JSON.stringify(parts))
}

export function openSession(tokens: Tokens, text: string, principal: string, now: number): Session | undefined {
  const members = open(tokens, sessionPurpose, text)
  if (members === undefined) return undefined
  const [id, revision, bits, name, version, owner, expiresAt] = members as [
    string,
    Revision | null,
    number,
    string | null,
    string | null,
    string,
    number,
  ]
  if (owner !== principal || now >= expiresAt) return undefined
  return {
    id,
    revision: revision ?? undefined,
    modes: { form: (bits & 1) !== 0, url: (bits & 2) !== 0 },
    ...(name === null ? {} : { name }),
    ...(version === null ? {} : { version }),
    principal: owner,
    expiresAt,
  }
}

/** Opens a sealed token. Its parts need no validation, because only this server can seal them. */
function open(tokens: Tokens, purpose: string, text: unknown): readonly unknown[] | undefined {
  if (typeof text !== "string" || text.length > mostCharacters) return undefined
  const json = tokens.open(purpose, text)
  return json === undefined ? undefined : (JSON.parse(json) as readonly unknown[])
}
