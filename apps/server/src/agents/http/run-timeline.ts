// The timeline of a run, read from the trail: what it has come to, and then entry by entry as it goes on.

import type { Entry } from "@holdpoint/sdk"
import { createTimeline, parentOfCall } from "@holdpoint/sdk/asking"
import type { TimelineItem } from "@holdpoint/sdk/stream"
import type { Run } from "../records.ts"
import type { ApiParts } from "./parts.ts"

/** An item of a conversation's timeline. */
export type ConversationItem = TimelineItem & {
  /** The id of the reply in which it happened. */
  readonly messageId: string
}

export interface RunTimeline {
  /** Reads the items of what the trail has by now. */
  read(): Promise<readonly ConversationItem[]>
  /** The item of an entry that was committed; undefined if there is none, or it was read already. */
  add(entry: Entry): Promise<ConversationItem | undefined>
}

const pageSize = 200

export function createRunTimeline(
  { trail, hub }: Pick<ApiParts, "trail" | "hub">,
  { id, tenant, message: messageId }: Pick<Run, "id" | "tenant" | "message">,
): RunTimeline {
  const timeline = createTimeline()
  let last = 0
  const add: RunTimeline["add"] = async (entry) => {
    if (entry.position <= last) return undefined
    last = entry.position
    const said = entry.kind === "completed" ? (await hub.get(entry.id))?.said : undefined
    const item = timeline.add(entry, said)
    return item === undefined ? undefined : { ...item, messageId }
  }
  return {
    add,
    async read() {
      const items: ConversationItem[] = []
      for (;;) {
        const page = await trail.read({ tenant, parent: parentOfCall(id), afterPosition: last, limit: pageSize })
        for (const entry of page) {
          const item = await add(entry)
          if (item !== undefined) items.push(item)
        }
        if (page.length < pageSize) return items
      }
    },
  }
}
