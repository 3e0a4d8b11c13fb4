// Where the test's authorization server keeps what it issued: a map of its own for each server, gone with it.

import type { CanaryKind } from "../../../canaries/kinds.ts"
import { noteCanary } from "../../../canaries/note.ts"

/** Models whose ids are what is given out. */
const secrets = new Map<string, CanaryKind>([
  ["AccessToken", "access_token"],
  ["RefreshToken", "refresh_token"],
  ["AuthorizationCode", "code"],
])

interface Payload {
  readonly [member: string]: unknown
  consumed?: unknown
  readonly uid?: string
  readonly userCode?: string
  readonly grantId?: string
}

/** A factory as oidc-provider wants it: one adapter for each of its models, all over one map. */
export function createOidcMemory() {
  const kept = new Map<string, Payload>()
  const grants = new Map<string, Set<string>>()

  return (model: string) => {
    const keyOf = (id: string): string => `${model}:${id}`
    const findBy = async (member: "uid" | "userCode", value: string): Promise<Payload | undefined> =>
      [...kept].find(([key, payload]) => key.startsWith(`${model}:`) && payload[member] === value)?.[1]

    return {
      async upsert(id: string, payload: Payload): Promise<undefined> {
        kept.set(keyOf(id), payload)
        const kind = secrets.get(model)
        if (kind !== undefined) noteCanary(kind, id)
        const { grantId } = payload
        if (grantId === undefined || model === "Session" || model === "Interaction") return
        grants.set(grantId, (grants.get(grantId) ?? new Set()).add(keyOf(id)))
      },
      find: async (id: string) => kept.get(keyOf(id)),
      findByUid: (uid: string) => findBy("uid", uid),
      findByUserCode: (userCode: string) => findBy("userCode", userCode),
      async consume(id: string): Promise<undefined> {
        const payload = kept.get(keyOf(id))
        if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000)
      },
      async destroy(id: string): Promise<undefined> {
        kept.delete(keyOf(id))
      },
      async revokeByGrantId(grantId: string): Promise<undefined> {
        for (const key of grants.get(grantId) ?? []) kept.delete(key)
        grants.delete(grantId)
      },
    }
  }
}
