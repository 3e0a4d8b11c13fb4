// Limits for each program: how many of its questions are open, and how many it asks in a minute. Counted from the
// trail, so that the questions that a program asked through other processes count too.

import type { Elicitation, Hub, Runtime } from "@holdpoint/hub"
import { isSettled } from "@holdpoint/hub"
import { requesterIdOf } from "@holdpoint/hub/internal"
import type { Program } from "../identity/programs/records.ts"
import { toProblem } from "./problem.ts"

/** The limits of each program with a key. Without a number there is no limit. */
export interface ProgramLimits {
  /** The most questions of one program that may be open at once. */
  readonly open?: number
  /** The most questions that one program may ask in a minute. */
  readonly perMinute?: number
}

export interface ProgramCounts {
  /**
   * Calls `ask` if the program is within its limits, and otherwise returns a problem document. A question that was
   * already asked with the same key does not count.
   */
  askWithin(program: Program, key: string | undefined, ask: (count: Count) => Promise<Response>): Promise<Response>
  close(): void
}

/** Counts a new question immediately, before this process reads it from the trail. */
export type Count = (asked: Pick<Elicitation, "id" | "createdAt">) => void

interface ProgramCount {
  /** The ids of the program's open questions. */
  readonly open: Set<string>
  /** When each question of the last minute was asked, by id. */
  readonly askedAt: Map<string, number>
  /** The number of requests of this process that are asking at the moment. */
  asking: number
}

const minuteMs = 60_000
const pageSize = 500

export function createProgramLimits(parts: {
  readonly hub: Pick<Hub, "watch" | "list" | "get">
  readonly runtime: Pick<Runtime, "now">
  readonly limits: ProgramLimits
  readonly report: (activity: string, error: unknown) => void
}): ProgramCounts {
  const { hub, runtime, report } = parts
  const { open: mostOpen = Infinity, perMinute = Infinity } = parts.limits
  const counts = new Map<string, ProgramCount>()
  const owners = new Map<string, { readonly tenant: string; readonly count: ProgramCount }>()
  const followed = new Map<string, Promise<void>>()
  const stop = new AbortController()

  const countOf = (requester: string): ProgramCount => {
    const count = counts.get(requester) ?? { open: new Set<string>(), askedAt: new Map<string, number>(), asking: 0 }
    counts.set(requester, count)
    return count
  }
  /** Forgets the questions that were asked more than a minute ago, which are the first in the map. */
  const forgetOld = ({ askedAt }: ProgramCount): void => {
    for (const [id, at] of askedAt) {
      if (runtime.now() - at < minuteMs) return
      askedAt.delete(id)
    }
  }
  const addOpen = (tenant: string, requester: string, id: string): void => {
    const count = countOf(requester)
    count.open.add(id)
    owners.set(id, { tenant, count })
  }
  const follow = async (tenant: string, events: ReturnType<Hub["watch"]>): Promise<void> => {
    for await (const { id, kind, status, at, detail } of events) {
      const requester = detail.question?.requester.id
      if (kind === "asked" && requester !== undefined) {
        addOpen(tenant, requester, id)
        countOf(requester).askedAt.set(id, at)
        forgetOld(countOf(requester))
      }
      if (!isSettled(status)) continue
      owners.get(id)?.count.open.delete(id)
      owners.delete(id)
    }
  }
  const countOpen = async (tenant: string, signal: AbortSignal): Promise<void> => {
    for (let after: { readonly createdAt: number; readonly id: string } | undefined; ; ) {
      const cursor = after === undefined ? {} : { after }
      const page = await hub.list({ tenant, state: "open", limit: pageSize, ...cursor })
      signal.throwIfAborted()
      for (const { id, requester } of page) addOpen(tenant, requester.id, id)
      after = page.at(-1)
      if (after === undefined || page.length < pageSize) return
    }
  }
  /** Forgets the tenant's open questions: some may have ended since they were counted. */
  const forgetOpen = (tenant: string): void => {
    for (const [id, owner] of owners) {
      if (owner.tenant !== tenant) continue
      owner.count.open.delete(id)
      owners.delete(id)
    }
  }
  /** Begins to follow a tenant's questions, and counts the open ones. After a failure, the next request begins again. */
  const begin = (tenant: string): Promise<void> => {
    const failure = new AbortController()
    const signal = AbortSignal.any([stop.signal, failure.signal])
    const fail = (error: unknown): void => {
      if (failure.signal.aborted) return
      failure.abort(error)
      followed.delete(tenant)
    }
    forgetOpen(tenant)
    follow(tenant, hub.watch({ tenant }, { signal })).catch((error: unknown) => {
      if (!signal.aborted) report("counting the questions of programs", error)
      fail(error)
    })
    const counted = countOpen(tenant, signal)
    followed.set(tenant, counted)
    counted.catch(fail)
    return counted
  }
  const ready = (tenant: string): Promise<void> => followed.get(tenant) ?? begin(tenant)
  const hasAsked = async ({ open }: ProgramCount, key: string | undefined): Promise<boolean> => {
    if (key === undefined) return false
    for (const id of open) if ((await hub.get(id))?.key === key) return true
    return false
  }

  return {
    async askWithin(program, key, ask) {
      if (mostOpen === Infinity && perMinute === Infinity) return ask(() => {})
      await ready(program.tenant)
      const count = countOf(requesterIdOf(program))
      forgetOld(count)
      const now = runtime.now()
      const isFull = count.open.size + count.asking >= mostOpen
      const isTooOften = count.askedAt.size + count.asking >= perMinute
      if ((isFull || isTooOften) && !(await hasAsked(count, key)))
        return isFull
          ? tooMany(mostOpen)
          : tooOften(perMinute, Math.min(now, ...count.askedAt.values()) + minuteMs - now)
      count.asking += 1
      try {
        return await ask(({ id, createdAt }) => {
          addOpen(program.tenant, requesterIdOf(program), id)
          count.askedAt.set(id, createdAt)
        })
      } finally {
        count.asking -= 1
      }
    },
    close: () => stop.abort(),
  }
}

const tooMany = (most: number): Response =>
  toProblem(
    "too_many_for_program",
    `This program has ${most} open questions, which is as many as it may have. Ask again when some are answered, or cancel one.`,
  )

const tooOften = (most: number, waitMs: number): Response =>
  toProblem("too_often", `This program may ask ${most} questions in a minute. Ask again after the given time.`, {
    headers: { "retry-after": String(Math.max(1, Math.ceil(waitMs / 1_000))) },
  })
