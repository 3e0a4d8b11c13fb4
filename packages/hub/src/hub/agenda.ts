// Reminders and escalations. A question that has any is stored with one agenda record, which is due when the next one
// is. Every step can be repeated, so a process that dies in the middle loses none.

import type { AgendaItem } from "../core/agenda.ts"
import { nextItem } from "../core/agenda.ts"
import type { Due } from "../core/due.ts"
import type { Elicitation } from "../core/elicitation.ts"
import { isSettled } from "../core/elicitation.ts"
import type { Attempt } from "../due/attempts.ts"
import type { DueKind } from "../due/due-kind.ts"
import { createDueWork } from "../due/due-work.ts"
import type { Report, Work } from "../due/work.ts"
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
export interface AgendaRecord extends KeptRecord, Due {
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

/** `next`: the agenda goes on at this time. `over`: it has no more steps. */
type AgendaEvent = { readonly type: "next"; readonly dueAt: number } | { readonly type: "over" }

const agendaWork: DueKind<AgendaRecord, AgendaEvent> = {
  named: "reminders and escalations",
  record: agendaKind,
  exhausted: { type: "over" },
  delaysMs: [5_000],
  isEndless: true,
  transition: (current, event) => (event.type === "over" ? "remove" : { ...current, attempts: 0, dueAt: event.dueAt }),
}

export interface AgendaNeeds extends Pick<Work, "background"> {
  readonly storage: Pick<Storage, "store" | "records">
  readonly runtime: Runtime
  readonly deliveries: Pick<Deliveries, "deliverAgain">
  readonly step: Step
  readonly report: Report
}

export function createAgenda({ storage, runtime, deliveries, step, report, background }: AgendaNeeds): Agenda {
  const records = storage.records(agendaKind)
  const due = createDueWork({
    ...{ kind: agendaWork, records, runtime, report, background },
    carryOut: async (record, { underLease }) => {
      await underLease(record, takeSteps)
    },
  })

  /** Takes the due steps of one question. Updates the record last: after a crash, another process repeats the steps. */
  const takeSteps = async ({ id }: AgendaRecord, attempt: Attempt<AgendaRecord, AgendaEvent>): Promise<void> => {
    let question = await storage.store.get(id)
    let item = itemOf(question)
    while (item !== undefined && item.at <= runtime.now()) {
      const result = await step(id, item.event)
      // A step is refused when the question has ended in the meantime.
      question = result.ok ? result.elicitation : undefined
      item = itemOf(question)
    }
    // Delivers even when nothing was due: an earlier process may have died between a step and its deliveries.
    if (question !== undefined) await deliver(question)
    await attempt.end(item === undefined ? { type: "over" } : { type: "next", dueAt: item.at })
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
      const record: AgendaRecord = { id, tenant, version: 1, attempts: 0, dueAt: item.at, endsAt: expiresAt }
      return { beside: [{ kind: agendaKind, record }], detail: { nextAt: item.at } }
    },
    follow: ({ detail }) => (detail.nextAt === undefined ? undefined : due.arm(detail.nextAt)),
    sweep: due.sweep,
    stop: due.stop,
  }
}
