// Composes the parts that serve the configured agents over A2A.

import type { AgentCard } from "@a2a-js/sdk"
import type { Origins } from "@holdpoint/agents/internal"
import type { Mount } from "@holdpoint/hub/internal"
import type { Site } from "@holdpoint/server"
import { createEventStreams } from "@holdpoint/server/http"
import type { A2aBinding } from "./binding.ts"
import { createA2aCallers } from "./callers.ts"
import { toCard } from "./card.ts"
import { createA2aHandler } from "./handler.ts"
import { jsonRpcBinding } from "./json-rpc.ts"
import { createA2aMount } from "./mount.ts"
import type { A2aParts } from "./parts.ts"
import type { A2aPush, PushSource } from "./push-port.ts"
import { createPushSource, notifyChanges } from "./push-source.ts"
import { a2aMessageKind, a2aTaskKind } from "./records.ts"

export interface A2aOptions extends Omit<A2aParts, "push" | "tasks" | "messages" | "runtime" | "addresses"> {
  readonly origins: Origins
  /** The version on the agents' cards. */
  readonly version: string
  /** Bindings that are tried before JSON-RPC. */
  readonly bindings?: readonly A2aBinding[]
  /** Creates the part that sends push notifications. Without it, the agents offer none. */
  readonly push?: (source: PushSource) => A2aPush
  readonly sign?: (card: AgentCard) => Promise<AgentCard>
}

/** Creates the A2A mount. Undefined when there is no way to authenticate callers: then A2A is not served. */
export function createA2a(site: Site, options: A2aOptions): Mount | undefined {
  const { storage, runtime, report, addresses, places } = site
  const { config, readers, origins, version, sign = async (card) => card } = options
  const callers = createA2aCallers(site, config)
  if (callers === undefined) return undefined
  const bindings = [...(options.bindings ?? []), jsonRpcBinding]
  const records = { tasks: storage.records(a2aTaskKind), messages: storage.records(a2aMessageKind) }
  const partsWithoutPush: A2aParts = { ...options, ...records, runtime, addresses, push: undefined }
  const push = options.push?.(createPushSource(partsWithoutPush))
  const parts: A2aParts = { ...partsWithoutPush, push }
  const interfaces = [...bindings].reverse().flatMap((binding) => binding.interfaces)
  const cardOf = async (name: string): Promise<AgentCard> => {
    const agent = config.agents[name]
    if (agent === undefined) throw new Error(`There is no agent “${name}”.`)
    return sign(
      toCard({
        ...{ name, agent, version, publicUrl: addresses.publicUrl, interfaces, hasPush: push !== undefined },
        token: callers.token,
        issuer: callers.issuer,
      }),
    )
  }
  const unfollow = push === undefined ? () => {} : notifyChanges(parts, push, { followers: readers.followers, report })
  const mount = createA2aMount({
    ...{ config, callers, origins, bindings, cardOf, runtime, report, places, streams: createEventStreams(runtime) },
    handlerOf: (visit) => createA2aHandler({ ...parts, cardOf, report }, visit),
  })
  return {
    ...mount,
    async close() {
      unfollow()
      await mount.close()
      await push?.close()
    },
  }
}
