// The timelines of the followed conversations: first what happened in the current reply or since the client
// disconnected, then each step as the trail reports it.

import { callOfParent } from "@holdpoint/calls"
import type { Entry } from "@holdpoint/hub"
import type { Run } from "../../records.ts"
import type { ApiParts } from "../parts.ts"
import { type ConversationItem, createRunTimeline, type RunTimeline, waitingRunOf } from "../run-timeline.ts"
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
  const shared = createSharedQuestions()
  const queue: RunEntry[] = []
  const open = (run: Run): RunTimeline => {
    const timeline = createRunTimeline(parts, run, { onShared: (question) => shared.add(question, run.id) })
    timelines.set(run.id, timeline)
    return timeline
  }
  const unfollow = followers.followAll((entry) => {
    const runs = shared.runsOf(entry).filter((run) => names.has(conversationIdOfRun(run)))
    queue.push(...runs.map((run) => ({ run, entry })))
    if (runs.length > 0) sleeper.wake()
  })
  signal.addEventListener("abort", sleeper.wake)
  try {
    for (const { id, name, from } of conversations) {
      const runs = (await parts.conversations.runs({ id, tenant })).filter(({ number }) => number >= from.run)
      for (const run of runs) {
        for (const item of await open(run).read()) if (item.number > from.item) yield { name, item }
      }
    }
    while (!signal.aborted) {
      const next = queue.shift()
      if (next === undefined) {
        await sleeper.sleep()
        continue
      }
      const name = names.get(conversationIdOfRun(next.run)) ?? ""
      const timeline = timelines.get(next.run)
      const items = timeline === undefined ? await itemsSince(parts, next, open) : await timeline.add(next.entry)
      for (const item of items) yield { name, item }
    }
  } finally {
    unfollow()
    signal.removeEventListener("abort", sleeper.wake)
  }
}

/** An entry of the trail, and a run that it is about. */
interface RunEntry {
  readonly run: string
  readonly entry: Entry
}

/** Starts the timeline of a run that was not followed before, and returns its items from this entry on. */
async function itemsSince(
  { conversations }: ApiParts,
  { run: id, entry }: RunEntry,
  open: (run: Run) => RunTimeline,
): Promise<readonly ConversationItem[]> {
  const run = await conversations.get(id)
  return run === undefined ? [] : (await open(run).read()).filter(({ number }) => number >= entry.position)
}

/** Remembers which runs wait for a question that several runs share. */
function createSharedQuestions() {
  const runs = new Map<string, Set<string>>()
  const add = (question: string, run: string): void => {
    runs.set(question, (runs.get(question) ?? new Set()).add(run))
  }
  return {
    add,
    /** Returns the ids of the runs that an entry is about. */
    runsOf(entry: Entry): readonly string[] {
      const callId = callOfParent(entry.parent)
      if (callId !== undefined) return [callId]
      const waits = waitingRunOf(entry)
      if (waits !== undefined) add(entry.id, waits)
      return [...(runs.get(entry.id) ?? [])]
    },
  }
}

/** The id of the run's conversation, which is the first part of the run's id. */
export const conversationIdOfRun = (run: string): string => run.slice(0, Math.max(0, run.lastIndexOf(".")))
