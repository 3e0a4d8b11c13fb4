// Stores push configurations and sends due notifications to their receivers. Any number of processes may do this on one
// database.

import { createHash } from "node:crypto"
import { RequestMalformedError } from "@a2a-js/sdk/errors"
import { createSealedText } from "@holdpoint/agents/internal"
import type { Poster } from "@holdpoint/fetching"
import type { Runtime } from "@holdpoint/hub"
import { change, changeOrInsert, createDueWork, createWork } from "@holdpoint/hub/internal"
import type { Sealer } from "@holdpoint/hub/sealing"
import type { Records } from "@holdpoint/hub/storage"
import type { A2aPush, PushedTask, PushSource } from "../push-port.ts"
import { advance } from "./advance.ts"
import { readConfigId, readTarget, toShown, toTarget } from "./config.ts"
import { pushWork } from "./delivery.ts"
import { type A2aPushConfig, a2aPushKind } from "./records.ts"

export interface PushParts {
  readonly records: Records<A2aPushConfig>
  readonly sealer: Sealer
  readonly runtime: Runtime
  readonly source: PushSource
  /** Sends to public addresses, and to other addresses that the operator allows. */
  readonly poster: Poster
  readonly report: (activity: string, error: unknown) => void
}

/** The maximum number of configurations of one task. */
export const mostOfTask = 10
export function createPush(parts: PushParts): A2aPush {
  const { records, sealer, runtime, source, poster, report } = parts
  const sealed = createSealedText(sealer, a2aPushKind)
  const work = createWork({ runtime, report })
  const due = createDueWork({
    ...{ kind: pushWork, records, runtime, report, background: work.background },
    carryOut: (config, work) => advance({ records, sealed, runtime, source, poster }, config, work),
  })
  due.arm(runtime.now())

  const configsOf = ({ id, tenant }: PushedTask): Promise<readonly A2aPushConfig[]> =>
    records.list({ tenant, owner: id, limit: mostOfTask })
  const find = async (task: PushedTask, config: string): Promise<A2aPushConfig | undefined> => {
    const stored = await records.get(idOf(task, config))
    return stored?.task === task.id ? stored : undefined
  }
  const show = (record: A2aPushConfig) => toShown(record, toTarget(sealed.open(record)))

  return {
    check(requestedConfig) {
      readTarget(requestedConfig, poster.problemOf)
      readConfigId(requestedConfig.id)
    },
    async create(task, requestedConfig, version) {
      const target = readTarget(requestedConfig, poster.problemOf)
      const config = readConfigId(requestedConfig.id) ?? runtime.newId()
      const now = runtime.now()
      const newConfig: A2aPushConfig = {
        ...{ id: idOf(task, config), tenant: task.tenant, version: 1, task: task.id, config, protocol: version },
        ...{ receiver: digest(new URL(target.url).origin), told: 0, heard: 0, attempts: 0, isOver: false },
        ...{ dueAt: now, createdAt: now, expiresAt: task.expiresAt },
      }
      const existing = await find(task, config)
      if (existing === undefined && (await configsOf(task)).length >= mostOfTask)
        throw new RequestMalformedError(`A task can have at most ${mostOfTask} push notification configurations.`)
      const stored = await changeOrInsert(records, newConfig.id, () => sealed.seal(newConfig, { ...target }))
      due.arm(now)
      return show(stored ?? newConfig)
    },
    async get(task, id) {
      const stored = await find(task, id)
      return stored === undefined ? undefined : show(stored)
    },
    async list(task, { size, token }) {
      const laterConfigs = (await configsOf(task)).filter(({ id }) => id > token)
      const page = laterConfigs.slice(0, size === 0 ? mostOfTask : size)
      return {
        configs: page.map(show),
        nextPageToken: page.length < laterConfigs.length ? (page.at(-1)?.id ?? "") : "",
      }
    },
    async remove(task, id) {
      const stored = await find(task, id)
      if (stored !== undefined) await change(records, stored, () => "remove")
    },
    taskChanged({ task, number }) {
      if (work.isClosed()) return
      work.background("recording the change of a task for notifications", async () => {
        for (const config of await configsOf(task)) await due.apply(config, { type: "hear", number })
      })
    },
    async close() {
      due.stop()
      work.close()
      await work.drain()
    },
  }
}

const digest = (text: string): string => createHash("sha256").update(text).digest("base64url")

/** The id of the record. Clients choose any text as an id, and different tasks may use the same one. */
const idOf = ({ id }: PushedTask, config: string): string => `${id}:${digest(config)}`
