// Reminders and escalations. A question that has any is stored with one agenda record, which is due when the next one
// is. Any process may act on the record. Every step can be repeated, so a process that dies in the middle loses none.

import type { AgendaItem } from "../core/agenda.ts"
import { nextItem } from "../core/agenda.ts"
import type { Elicitation } from "../core/elicitation.ts"
import { isSettled } from "../core/elicitation.ts"
import type { Work } from "../due/work.ts"
import type { KeptRecord, NewRecord, RecordKind } from "../ports/records.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Storage } from "../ports/storage.ts"
import type { Entry, EntryDetail } from "../ports/trail.ts"
import type { Deliveries } from "./deliveries/deliveries.ts"
import type { Step } from "./steps.ts"

export interface Agenda {
  /**
   * Returns the record to store with a new question. Undefined when the question has no reminders and no escalation.
   */
  plan(question: Elicitation): AgendaPlan | undefined
  /** Reacts to a trail entry committed by this or another process. */
  follow(entry: Entry): void
  /** Sends all reminders and makes all escalations that are due. */
  sweep(): Promise<void>
  stop(): void
}

export interface AgendaPlan {
  readonly beside: readonly NewRecord[]
  readonly detail: Pick<EntryDetail, "nextAt">
}

/** When the next reminder or escalation of a question is due. The record has the question's id. */
export interface AgendaRecord extends KeptRecord {
  readonly dueAt: number
  /** The question's deadline. */
  readonly endsAt: number
}

export const agendaKind: RecordKind<AgendaRecord> = {
  name: "agenda",
  owner: () => undefined,
  dueAt: ({ dueAt }) => dueAt,
  expiresAt: ({ endsAt }) => endsAt,
}

export interface AgendaNeeds extends Pick<Work, "background"> {
  readonly storage: Pick<Storage, "store" | "records">
  readonly runtime: Pick<Runtime, "now" | "after">
  readonly deliveries: Pick<Deliveries, "deliverAgain">
  readonly step: Step
}

const pageSize = 50
const retryMs = 5_000

export function createAgenda({ storage, runtime, deliveries, step, background }: AgendaNeeds): Agenda {
  const records = storage.records(agendaKind)
  let armedTime = Number.POSITIVE_INFINITY
  let cancel: () => void = () => {}
  let isStopped = false

  const arm = (time: number): void => {
    if (isStopped || time >= armedTime) return
    cancel()
    armedTime = time
    cancel = runtime.after(Math.max(0, time - runtime.now()), () => {
      armedTime = Number.POSITIVE_INFINITY
      background("reminding and escalating", sweep)
    })
  }

  const sweep = async (): Promise<void> => {
    try {
      for (;;) {
        const page = await records.list({ dueBefore: Number.MAX_SAFE_INTEGER, limit: pageSize })
        const now = runtime.now()
        const dueRecords = page.filter(({ dueAt }) => dueAt <= now)
        await Promise.all(dueRecords.map(advance))
        const nextRecord = page[dueRecords.length]
        if (nextRecord !== undefined) return arm(nextRecord.dueAt)
        if (page.length < pageSize) return
      }
    } catch (error) {
      arm(runtime.now() + retryMs)
      throw error
    }
  }

  /** Takes the due steps of one question. Updates the record last: after a crash, another process repeats the steps. */
  const advance = async (record: AgendaRecord): Promise<void> => {
    let question = await storage.store.get(record.id)
    let item = itemOf(question)
    while (item !== undefined && item.at <= runtime.now()) {
      const result = await step(record.id, item.event)
      // A step is refused when the question has ended in the meantime.
      question = result.ok ? result.elicitation : undefined
      item = itemOf(question)
    }
    // Delivers even when nothing was due: an earlier process may have died between a step and its deliveries.
    if (question !== undefined) await deliver(question)
    if (item === undefined) await records.remove(record)
    else {
      await records.replace({ ...record, version: record.version + 1, dueAt: item.at })
      arm(item.at)
    }
  }

  const itemOf = (question: Elicitation | undefined): AgendaItem | undefined =>
    question === undefined ? undefined : nextItem(question, runtime.now())

  const deliver = async (question: Elicitation): Promise<void> => {
    const { status, escalatedTo, reminders } = question
    if (isSettled(status)) return
    if (escalatedTo !== undefined) await deliveries.deliverAgain(question, { role: escalatedTo })
    if (reminders !== undefined) await deliveries.deliverAgain(question, { reminder: reminders })
  }

  return {
    plan(question) {
      const item = nextItem(question, question.createdAt)
      if (item === undefined) return undefined
      const { id, tenant, expiresAt } = question
      const record: AgendaRecord = { id, tenant, version: 1, dueAt: item.at, endsAt: expiresAt }
      return { beside: [{ kind: agendaKind, record }], detail: { nextAt: item.at } }
    },
    follow: ({ detail }) => (detail.nextAt === undefined ? undefined : arm(detail.nextAt)),
    sweep,
    stop() {
      isStopped = true
      cancel()
    },
  }
}
