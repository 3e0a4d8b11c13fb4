// The timeline of a run, read from the trail: first what has happened so far, then entry by entry. Several runs may
// wait for the same request to connect an account. Such a shared question is in the timeline of each run that waited
// for it.

import { callOfParent, parentOfCall } from "@holdpoint/calls"
import type { Entry } from "@holdpoint/hub"
import { createTimeline } from "@holdpoint/hub/internal"
import type { StreamEvent, TimelineItem } from "@holdpoint/hub/stream"
import { chatName } from "../carrier.ts"
import type { Run } from "../records.ts"
import type { ApiParts } from "./parts.ts"

/** An item of a conversation's timeline. */
export type ConversationItem = TimelineItem & {
  /** The id of the reply in which it happened. */
  readonly messageId: string
}

export interface RunTimeline {
  /** Reads the items that the trail has so far. */
  read(): Promise<readonly ConversationItem[]>
  /**
   * Returns the items of a new entry of the trail: none if the entry is not shown in timelines, or was read already.
   */
  add(entry: Entry): Promise<readonly ConversationItem[]>
}

export interface RunTimelineOptions {
  /** Receives the id of each question that several runs may wait for, before the entries of the question are read. */
  readonly onShared?: (question: string) => void
}

/** The id of the run that begins to wait for the entry's question. Undefined when the entry records something else. */
export const waitingRunOf = ({ kind, detail }: Entry): string | undefined =>
  kind === "asker" && detail.message === "waits" ? callOfParent(detail.via) : undefined

export function createRunTimeline(
  parts: Pick<ApiParts, "trail" | "hub" | "logs">,
  run: Pick<Run, "id" | "tenant" | "message">,
  { onShared = () => {} }: RunTimelineOptions = {},
): RunTimeline {
  const { trail, hub } = parts
  const timeline = createTimeline()
  const sharedQuestionIds = new Set<string>()
  let last = 0
  let pausedAt: number | undefined
  let resumed: ConversationItem | undefined

  /** Drops the items `resumed` and `paused` if nothing happened in between: the waiting time of the run continues. */
  const withoutIdleWakes = (item: ConversationItem): readonly ConversationItem[] => {
    const heldItem = resumed
    const at = Date.parse(item.at)
    resumed = item.kind === "resumed" ? { ...item, waitedMs: at - (pausedAt ?? at) } : undefined
    if (item.kind === "resumed" || (heldItem !== undefined && item.kind === "paused")) return []
    if (item.kind === "paused") pausedAt = at
    return heldItem === undefined ? [item] : [heldItem, item]
  }
  const toItems = async (entry: Entry): Promise<readonly ConversationItem[]> => {
    if (entry.position <= last) return []
    last = entry.position
    // What other runs did after a shared question does not belong to this timeline.
    if (sharedQuestionIds.has(entry.id) && (entry.kind === "effect" || entry.kind === "asker")) return []
    // The chat shows the question next to the timeline, so the timeline does not say that it was shown there.
    if (entry.kind === "shown" && entry.detail.via === chatName) return []
    const yesOrNo = entry.kind === "completed" ? (await hub.get(entry.id))?.said : undefined
    const item = timeline.add(entry, yesOrNo)
    return item === undefined ? [] : withoutIdleWakes({ ...item, messageId: run.message })
  }
  const toAllItems = async (entries: readonly Entry[]): Promise<readonly ConversationItem[]> => {
    const items: ConversationItem[] = []
    for (const entry of entries) items.push(...(await toItems(entry)))
    return items
  }
  const readShared = async (question: string): Promise<readonly Entry[]> => {
    sharedQuestionIds.add(question)
    onShared(question)
    return readTrail(trail, { tenant: run.tenant, id: question })
  }

  return {
    async read() {
      const sharedEntries = await Promise.all((await sharedQuestions(parts, run)).map(readShared))
      const ownEntries = await readTrail(trail, { tenant: run.tenant, parent: parentOfCall(run.id) })
      return toAllItems([...ownEntries, ...sharedEntries.flat()].sort((one, other) => one.position - other.position))
    },
    async add(entry) {
      const isNew = waitingRunOf(entry) === run.id && !sharedQuestionIds.has(entry.id) && entry.parent === undefined
      return isNew ? toAllItems(await readShared(entry.id)) : toItems(entry)
    },
  }
}

/** The ids of the requests to connect accounts that the run announced in its log. */
async function sharedQuestions(
  { logs }: Pick<ApiParts, "logs">,
  run: Pick<Run, "id" | "tenant">,
): Promise<readonly string[]> {
  const events = (await logs.read(run, 0)).flatMap(({ chunk }) =>
    chunk.type === "data-elicitation" ? [chunk.data as StreamEvent] : [],
  )
  const requests = events.filter(({ context }) => context.trigger === "credential_required")
  return [...new Set(requests.map(({ elicitationId }) => elicitationId))]
}

const pageSize = 200

async function readTrail(
  trail: ApiParts["trail"],
  query: { readonly tenant: string; readonly parent?: string; readonly id?: string },
): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for (;;) {
    const page = await trail.read({ ...query, afterPosition: entries.at(-1)?.position ?? 0, limit: pageSize })
    entries.push(...page)
    if (page.length < pageSize) return entries
  }
}
