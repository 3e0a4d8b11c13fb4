// Where oidc-provider keeps what it issued: in our store. A code or a refresh token is consumed by one conditional write;
// whoever comes second, even at the same moment, ends everything that the first one got (RFC 9700 §4.14.2).

import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider"
import { errors } from "oidc-provider"
import type { Runtime } from "../../ports/runtime.ts"
import type { ArtifactStore, Payload } from "./artifact-store.ts"

export interface AdapterParts {
  readonly artifacts: ArtifactStore
  readonly runtime: Runtime
  /** How long a client that registered itself is known. */
  readonly registrationMs: number
  /** Asked before a request is kept: until a person answers, it is of nobody, and anybody can make one. */
  readonly isTooOften: () => boolean
}

/** All that came of one consent, itself included. */
export const ofGrant = (grantId: string): string => `grant:${grantId}`
const byUid = (kind: string): string => `${kind} by uid`
/** Clients that registered themselves. */
export const registered = "registered clients"

export function createAdapter({ artifacts, runtime, registrationMs, isTooOften }: AdapterParts): AdapterFactory {
  return (kind): Adapter => {
    const find = async (id: string): Promise<AdapterPayload | undefined> => {
      const entry = await artifacts.read(kind, id)
      if (entry === undefined) return undefined
      const { payload, consumedAt } = entry
      return consumedAt === undefined ? payload : { ...payload, consumed: Math.floor(consumedAt / 1_000) }
    }
    return {
      find,
      async upsert(id, payload, expiresIn) {
        if (kind === "Interaction" && payload.result === undefined) assertRoom(payload, isTooOften)
        const lifeMs = kind === "Client" ? registrationMs : expiresIn === undefined ? undefined : expiresIn * 1_000
        const expiresAt = lifeMs === undefined ? undefined : runtime.now() + lifeMs
        const { consumed: _consumed, ...kept } = payload
        await artifacts.write(kind, id, kept as Payload, { group: groupOf(kind, id, payload), expiresAt })
        // Found by another name too: what it is called there leads to what it is called here.
        if (kind === "Session" && payload.uid !== undefined)
          await artifacts.write(byUid(kind), payload.uid, { id }, { expiresAt })
      },
      async findByUid(uid) {
        const { id } = (await artifacts.read(byUid(kind), uid))?.payload ?? {}
        return typeof id === "string" ? find(id) : undefined
      },
      findByUserCode: async () => undefined,
      async consume(id) {
        const { grantId } = (await find(id)) ?? {}
        if ((await artifacts.consume(kind, id)) === "consumed") return
        if (grantId !== undefined) await artifacts.removeGroup(ofGrant(grantId))
        throw new errors.InvalidGrant("it was used already")
      },
      async destroy(id) {
        const isRemoved = await artifacts.remove(kind, id)
        // Who was sent back is led on once, with one code.
        if (kind === "Interaction" && !isRemoved) throw new errors.SessionNotFound("it was answered already")
      },
      revokeByGrantId: (grantId) => artifacts.removeGroup(ofGrant(grantId), kind),
    }
  }
}

/** In characters. An address alone may have 2,048. */
const longestRequest = 8_192

function assertRoom(payload: AdapterPayload, isTooOften: () => boolean): void {
  if (JSON.stringify(payload).length > longestRequest) throw new errors.InvalidRequest("the request is too long")
  if (isTooOften()) throw new errors.TemporarilyUnavailable("too many ask at the moment; try again in a minute")
}

function groupOf(kind: string, id: string, { grantId }: AdapterPayload): string | undefined {
  if (kind === "Client") return registered
  if (kind === "Grant") return ofGrant(id)
  return grantId === undefined ? undefined : ofGrant(grantId)
}
