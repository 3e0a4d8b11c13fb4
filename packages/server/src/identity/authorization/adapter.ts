// oidc-provider's storage adapter on our store. A code or refresh token is consumed by one conditional write; a second
// use, even a concurrent one, revokes everything the first one obtained (RFC 9700 §4.14.2).

import type { Runtime } from "@holdpoint/hub"
import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider"
import { errors } from "oidc-provider"
import type { ArtifactStore, Payload } from "./artifact-store.ts"

export interface AdapterParts {
  readonly artifacts: ArtifactStore
  readonly runtime: Runtime
  /** How long a dynamically registered client is kept. */
  readonly registrationMs: number
  /**
   * Whether the rate limit is exceeded. Checked before an authorization request is stored, because requests are
   * unauthenticated until a person answers.
   */
  readonly isTooOften: () => boolean
}

/** The group of everything issued from one grant, including the grant. */
export const ofGrant = (grantId: string): string => `grant:${grantId}`
const byUid = (kind: string): string => `${kind} by uid`
/** The group of dynamically registered clients. */
export const registeredClientsGroup = "registered clients"

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
        const { consumed: _consumed, ...storedPayload } = payload
        await artifacts.write(kind, id, storedPayload as Payload, { group: groupOf(kind, id, payload), expiresAt })
        // Sessions are also looked up by uid: this entry maps the uid to the id.
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
        // An interaction resumes once and yields one code.
        if (kind === "Interaction" && !isRemoved) throw new errors.SessionNotFound("it was answered already")
      },
      revokeByGrantId: (grantId) => artifacts.removeGroup(ofGrant(grantId), kind),
    }
  }
}

/** The most characters of a stored request. Each address in it may have 2,048. */
const longestRequest = 8_192

function assertRoom(payload: AdapterPayload, isTooOften: () => boolean): void {
  if (JSON.stringify(payload).length > longestRequest) throw new errors.InvalidRequest("the request is too long")
  if (isTooOften()) throw new errors.TemporarilyUnavailable("too many requests at the moment; try again in a minute")
}

function groupOf(kind: string, id: string, { grantId }: AdapterPayload): string | undefined {
  if (kind === "Client") return registeredClientsGroup
  if (kind === "Grant") return ofGrant(id)
  return grantId === undefined ? undefined : ofGrant(grantId)
}
