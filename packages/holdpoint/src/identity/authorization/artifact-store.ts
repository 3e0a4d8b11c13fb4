// What the authorization server keeps, in our store: found by the hash of what its holder has, sealed, and changed by
// conditional writes only, so that any number of nodes share it.

import { sealBindings } from "../../core/seal-bindings.ts"
import type { Runtime } from "../../ports/runtime.ts"
import type { Sealer } from "../../ports/sealer.ts"
import type { Storage } from "../../ports/storage.ts"
import { hashOf } from "../../sealing/hash.ts"
import type { Artifact } from "./records.ts"
import { artifactKind } from "./records.ts"

export type Payload = Readonly<Record<string, unknown>>

export interface Entry {
  readonly payload: Payload
  readonly consumedAt?: number
  /** Raised with every change. */
  readonly version: number
}

export interface ArtifactOptions {
  /** What it goes with, and is removed with. */
  readonly group?: string | undefined
  readonly expiresAt?: number | undefined
}

export interface ArtifactStore {
  /** Undefined also for what has expired. */
  read(kind: string, id: string): Promise<Entry | undefined>
  /** False when there is one already. */
  add(kind: string, id: string, payload: Payload, filed?: ArtifactOptions): Promise<boolean>
  /** Added, or put in the place of what is there. That it was consumed stays. */
  write(kind: string, id: string, payload: Payload, filed?: ArtifactOptions): Promise<void>
  /** What `change` makes of the newest; written only if nobody was in between, else tried again. */
  change(kind: string, id: string, change: (payload: Payload) => Payload): Promise<void>
  /** Like `change`, also of nothing: what was never there, or is over. */
  merge(
    kind: string,
    id: string,
    merge: (payload: Payload | undefined) => Payload,
    filed: ArtifactOptions,
  ): Promise<void>
  /** One caller is told `consumed`, whoever else tries at the same moment. */
  consume(kind: string, id: string): Promise<"consumed" | "consumed_before" | "gone">
  /** One caller is told true. */
  remove(kind: string, id: string): Promise<boolean>
  /** Everything that goes with it; of one kind, if one is named. */
  removeGroup(group: string, kind?: string): Promise<void>
  /** What goes with it. */
  list(group: string): Promise<readonly Entry[]>
  /** How many go with it; counted no further than this. */
  count(group: string, most: number): Promise<number>
}

export interface ArtifactStoreParts {
  readonly storage: Pick<Storage, "records">
  readonly sealer: Sealer
  readonly runtime: Runtime
}

/** They belong to the server itself: whose they are stands inside, sealed. */
const tenant = "authorization"
const pageSize = 200

export function createArtifactStore({ storage, sealer, runtime }: ArtifactStoreParts): ArtifactStore {
  const artifacts = storage.records(artifactKind)
  const idOf = (kind: string, id: string): string => hashOf(`${kind}:${id}`)
  const groupOf = (group: string | undefined): string => (group === undefined ? "" : hashOf(group))
  const seal = (record: Pick<Artifact, "id" | "kind">, payload: Payload, previous?: Artifact) =>
    sealer.seal(sealBindings.artifact({ tenant, ...record }), { payload: JSON.stringify(payload) }, previous?.sealed)
  const open = (record: Artifact): Payload =>
    JSON.parse(sealer.open(sealBindings.artifact(record), record.sealed).payload ?? "{}") as Payload
  const toEntry = (record: Artifact): Entry => {
    const { version, consumedAt } = record
    return { payload: open(record), version, ...(consumedAt === undefined ? {} : { consumedAt }) }
  }
  const isOver = ({ expiresAt }: Artifact): boolean => expiresAt !== undefined && runtime.now() >= expiresAt

  const add: ArtifactStore["add"] = (kind, id, payload, { group, expiresAt } = {}) => {
    const named = { id: idOf(kind, id), kind }
    return artifacts.insert({
      ...named,
      ...{ tenant, version: 1, group: groupOf(group), sealed: seal(named, payload) },
      ...(expiresAt === undefined ? {} : { expiresAt }),
    })
  }

  /** Again and again, because a rotation of keys may write the same record in between. */
  async function update(id: string, next: (record: Artifact) => Artifact | undefined): Promise<boolean> {
    for (let record = await artifacts.get(id); record !== undefined; record = await artifacts.get(id)) {
      const changed = next(record)
      if (changed === undefined) return false
      if (await artifacts.replace({ ...changed, version: record.version + 1 })) return true
    }
    return false
  }

  const merge: ArtifactStore["merge"] = async (kind, id, toPayload, filed) => {
    const { expiresAt } = filed
    const put = (record: Artifact): Artifact => ({
      ...record,
      sealed: seal(record, toPayload(isOver(record) ? undefined : open(record)), record),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    })
    while (!(await add(kind, id, toPayload(undefined), filed)) && !(await update(idOf(kind, id), put)));
  }

  async function all(group: string): Promise<readonly Artifact[]> {
    const found: Artifact[] = []
    const query = { tenant, owner: groupOf(group), limit: pageSize }
    for (let page = await artifacts.list(query); page.length > 0; ) {
      found.push(...page)
      page = page.length < pageSize ? [] : await artifacts.list({ ...query, afterId: (page.at(-1) as Artifact).id })
    }
    return found
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
      return record === undefined || isOver(record) ? undefined : toEntry(record)
    },
    write: (kind, id, payload, filed = {}) => merge(kind, id, () => payload, filed),
    async change(kind, id, change) {
      await update(idOf(kind, id), (record) => ({ ...record, sealed: seal(record, change(open(record)), record) }))
    },
    merge,
    async consume(kind, id) {
      let isThere = false
      const isFirst = await update(idOf(kind, id), (record) => {
        isThere = true
        return record.consumedAt === undefined ? { ...record, consumedAt: runtime.now() } : undefined
      })
      return isFirst ? "consumed" : isThere ? "consumed_before" : "gone"
    },
    remove: (kind, id) => removeRecord(idOf(kind, id)),
    async removeGroup(group, kind) {
      const wanted = (await all(group)).filter((record) => kind === undefined || record.kind === kind)
      await Promise.all(wanted.map(({ id }) => removeRecord(id)))
    },
    list: async (group) => (await all(group)).filter((record) => !isOver(record)).map(toEntry),
    count: async (group, most) =>
      (await artifacts.list({ tenant, owner: groupOf(group), limit: most })).filter((record) => !isOver(record)).length,
  }
}
