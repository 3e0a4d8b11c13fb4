// The timelines of the followed conversations: what happened in the reply that is under way, or since the client left,
// and then each step as the trail tells of it.

import type { Entry } from "@holdpoint/sdk"
import { callOfParent } from "@holdpoint/sdk/asking"
import type { ApiParts } from "../parts.ts"
import { type ConversationItem, createRunTimeline, type RunTimeline } from "../run-timeline.ts"
import { createSleeper } from "../sleeper.ts"
import type { ConversationPosition } from "./cursor.ts"

export interface FollowedTimeline {
  readonly name: string
  readonly id: string
  readonly from: ConversationPosition
}

/** An item of one of the conversations. */
export interface TimelineStep {
  readonly name: string
  readonly item: ConversationItem
}

export interface FollowedTimelines {
  readonly tenant: string
  readonly conversations: readonly FollowedTimeline[]
  readonly signal: AbortSignal
}

export async function* followTimelines(
  parts: ApiParts,
  { tenant, conversations, signal }: FollowedTimelines,
): AsyncGenerator<TimelineStep> {
  const { followers, runtime } = parts.readers
  const sleeper = createSleeper(runtime)
  const names = new Map(conversations.map(({ id, name }) => [id, name]))
  const timelines = new Map<string, RunTimeline>()
  const waiting: Entry[] = []
  const unfollow = followers.followAll((entry) => {
    if (!names.has(conversationOf(runOf(entry)))) return
    waiting.push(entry)
    sleeper.wake()
  })
  signal.addEventListener("abort", sleeper.wake)
  try {
    for (const { id, name, from } of conversations) {
      const runs = (await parts.conversations.runs({ id, tenant })).filter(({ number }) => number >= from.run)
      for (const run of runs) {
        const timeline = createRunTimeline(parts, run)
        timelines.set(run.id, timeline)
        for (const item of await timeline.read()) if (item.number > from.item) yield { name, item }
      }
    }
    while (!signal.aborted) {
      const entry = waiting.shift()
      if (entry === undefined) {
        await sleeper.sleep()
        continue
      }
      const name = names.get(conversationOf(runOf(entry))) ?? ""
      for (const item of await itemsOf(parts, timelines, entry)) yield { name, item }
    }
  } finally {
    unfollow()
    signal.removeEventListener("abort", sleeper.wake)
  }
}

/** The items of an entry and, for a run that was not followed before, of what follows it. */
async function itemsOf(
  parts: ApiParts,
  timelines: Map<string, RunTimeline>,
  entry: Entry,
): Promise<readonly ConversationItem[]> {
  const id = runOf(entry)
  const known = timelines.get(id)
  if (known !== undefined) {
    const item = await known.add(entry)
    return item === undefined ? [] : [item]
  }
  const run = await parts.conversations.get(id)
  if (run === undefined) return []
  const made = createRunTimeline(parts, run)
  timelines.set(id, made)
  return (await made.read()).filter(({ number }) => number >= entry.position)
}

/** The id of the run to which an entry belongs; empty for other entries. */
const runOf = ({ parent }: Entry): string => callOfParent(parent) ?? ""

/** A run's id begins with that of its conversation. */
export const conversationOf = (run: string): string => run.slice(0, Math.max(0, run.lastIndexOf(".")))
