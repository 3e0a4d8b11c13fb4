// A2A as a surface of agents: other parties' agents give tasks to ours, and ours give tasks to theirs.

import type { AgentSurface } from "@holdpoint/agents"
import { createPoster } from "@holdpoint/fetching"
import { createSealer } from "@holdpoint/hub/sealing"
import type { HoldpointOptions } from "@holdpoint/server"
import { createA2a } from "./a2a.ts"
import { readCardKey } from "./card-key.ts"
import { createA2aTools } from "./client/a2a-tools.ts"
import { createLegacyRpcBinding } from "./legacy/rpc-binding.ts"
import { createPush } from "./push/push.ts"
import { a2aPushKind } from "./push/records.ts"
import { createRestBinding } from "./rest/binding.ts"

/** The options of `a2a`. */
export interface A2aSurfaceOptions {
  /** The version of your agents, on their cards. */
  readonly version: string
  /** Non-public addresses that push notifications may be sent to. */
  readonly webhooks?: HoldpointOptions["network"] | undefined
}

const day = 24 * 60 * 60_000

/** Serves agents over A2A, and offers the remote agents of the configuration as tools. */
export const a2a = ({ version, webhooks }: A2aSurfaceOptions): AgentSurface => ({
  openTools: createA2aTools,
  open({ site, config, runs, conversations, readers, origins }) {
    const { storage, keys, runtime, report, hub } = site
    const mount = createA2a(site, {
      config,
      version,
      hub,
      runs,
      conversations,
      readers,
      origins,
      questionMs: config.questionMs ?? day,
      bindings: [createLegacyRpcBinding({ report }), createRestBinding({ report })],
      push: (source) =>
        createPush({
          records: storage.records(a2aPushKind),
          sealer: createSealer(keys),
          runtime,
          source,
          report,
          poster: createPoster(webhooks),
        }),
      ...(config.cardKey === undefined ? {} : { sign: readCardKey(config.cardKey) }),
    })
    return mount && { mount }
  },
})
