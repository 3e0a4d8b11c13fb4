// Stores what the authorization server issues: keyed by the hash of the token or code, sealed, and changed by
// conditional writes only, so that several nodes can share it.

import type { Runtime, Storage } from "@holdpoint/hub"
import { change, hashOf, sealBindings } from "@holdpoint/hub/internal"
import type { Sealer } from "@holdpoint/hub/sealing"
import type { Artifact } from "./records.ts"
import { artifactKind } from "./records.ts"

export type Payload = Readonly<Record<string, unknown>>

export interface Entry {
  readonly payload: Payload
  readonly consumedAt?: number
  /** Incremented with every change. */
  readonly version: number
}

export interface ArtifactOptions {
  /** The group that the artifact is revoked with. */
  readonly group?: string | undefined
  readonly expiresAt?: number | undefined
}

export interface ArtifactStore {
  /** Undefined when missing or expired. */
  read(kind: string, id: string): Promise<Entry | undefined>
  /** False when the artifact already exists. */
  add(kind: string, id: string, payload: Payload, options?: ArtifactOptions): Promise<boolean>
  /** Inserts or replaces the artifact. A consumed artifact stays consumed. */
  write(kind: string, id: string, payload: Payload, options?: ArtifactOptions): Promise<void>
  /** Applies `change` to the newest payload by compare-and-set, and retries after a concurrent write. */
  change(kind: string, id: string, change: (payload: Payload) => Payload): Promise<void>
  /** Like `change`, but also for an artifact that is missing or expired. */
  merge(
    kind: string,
    id: string,
    merge: (payload: Payload | undefined) => Payload,
    options: ArtifactOptions,
  ): Promise<void>
  /** Returns `consumed` to exactly one of several concurrent callers. */
  consume(kind: string, id: string): Promise<"consumed" | "consumed_before" | "gone">
  /** Returns true to exactly one of several concurrent callers. */
  remove(kind: string, id: string): Promise<boolean>
  /** Removes the group's artifacts, optionally of one kind only. */
  removeGroup(group: string, kind?: string): Promise<void>
  /** The artifacts of a group. */
  list(group: string): Promise<readonly Entry[]>
  /** Counts the group's artifacts, up to `limit`. */
  count(group: string, limit: number): Promise<number>
}

export interface ArtifactStoreParts {
  readonly storage: Pick<Storage, "records">
  readonly sealer: Sealer
  readonly runtime: Runtime
}

/** Artifacts belong to the server itself; the person they concern is in the sealed payload. */
const tenant = "authorization"
const pageSize = 200

export function createArtifactStore({ storage, sealer, runtime }: ArtifactStoreParts): ArtifactStore {
  const artifacts = storage.records(artifactKind)
  const idOf = (kind: string, id: string): string => hashOf(`${kind}:${id}`)
  const groupOf = (group: string | undefined): string => (group === undefined ? "" : hashOf(group))
  const seal = (record: Pick<Artifact, "id" | "kind">, payload: Payload, previous?: Artifact) =>
    sealer.seal(sealBindings.artifact({ tenant, ...record }), { payload: JSON.stringify(payload) }, previous?.sealed)
  const openPayload = (record: Artifact): Payload =>
    JSON.parse(sealer.open(sealBindings.artifact(record), record.sealed).payload ?? "{}") as Payload
  const toEntry = (record: Artifact): Entry => {
    const { version, consumedAt } = record
    return { payload: openPayload(record), version, ...(consumedAt === undefined ? {} : { consumedAt }) }
  }
  const isExpired = ({ expiresAt }: Artifact): boolean => expiresAt !== undefined && runtime.now() >= expiresAt

  const add: ArtifactStore["add"] = (kind, id, payload, { group, expiresAt } = {}) => {
    const artifactKey = { id: idOf(kind, id), kind }
    return artifacts.insert({
      ...artifactKey,
      ...{ tenant, version: 1, group: groupOf(group), sealed: seal(artifactKey, payload) },
      ...(expiresAt === undefined ? {} : { expiresAt }),
    })
  }

  /** Retries, because a key rotation may write the same record concurrently. */
  const update = async (id: string, judge: (record: Artifact) => Artifact | undefined): Promise<boolean> =>
    (await change(artifacts, id, judge)) !== undefined

  const merge: ArtifactStore["merge"] = async (kind, id, toPayload, options) => {
    const { expiresAt } = options
    const withPayload = (record: Artifact): Artifact => ({
      ...record,
      sealed: seal(record, toPayload(isExpired(record) ? undefined : openPayload(record)), record),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    })
    while (!(await add(kind, id, toPayload(undefined), options)) && !(await update(idOf(kind, id), withPayload)));
  }

  async function listGroup(group: string): Promise<readonly Artifact[]> {
    const records: Artifact[] = []
    const query = { tenant, owner: groupOf(group), limit: pageSize }
    for (let page = await artifacts.list(query); page.length > 0; ) {
      records.push(...page)
      page = page.length < pageSize ? [] : await artifacts.list({ ...query, afterId: (page.at(-1) as Artifact).id })
    }
    return records
  }

  async function removeRecord(id: string): Promise<boolean> {
    for (let record = await artifacts.get(id); record !== undefined; record = await artifacts.get(id))
      if (await artifacts.remove(record)) return true
    return false
  }

  return {
    add,
    async read(kind, id) {
      const record = await artifacts.get(idOf(kind, id))
      return record === undefined || isExpired(record) ? undefined : toEntry(record)
    },
    write: (kind, id, payload, options = {}) => merge(kind, id, () => payload, options),
    async change(kind, id, change) {
      await update(idOf(kind, id), (record) => ({
        ...record,
        sealed: seal(record, change(openPayload(record)), record),
      }))
    },
    merge,
    async consume(kind, id) {
      let exists = false
      const isConsumed = await update(idOf(kind, id), (record) => {
        exists = true
        return record.consumedAt === undefined ? { ...record, consumedAt: runtime.now() } : undefined
      })
      return isConsumed ? "consumed" : exists ? "consumed_before" : "gone"
    },
    remove: (kind, id) => removeRecord(idOf(kind, id)),
    async removeGroup(group, kind) {
      const artifactsToRemove = (await listGroup(group)).filter((record) => kind === undefined || record.kind === kind)
      await Promise.all(artifactsToRemove.map(({ id }) => removeRecord(id)))
    },
    list: async (group) => (await listGroup(group)).filter((record) => !isExpired(record)).map(toEntry),
    count: async (group, limit) =>
      (await artifacts.list({ tenant, owner: groupOf(group), limit })).filter((record) => !isExpired(record)).length,
  }
}
