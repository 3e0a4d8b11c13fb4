// alice at her inbox, on the same storage as the server, and a clock that expires her questions.

import type { Elicitation, Principal, Status, Storage } from "@holdpoint/hub"
import { createHub, inbox, systemRuntime } from "@holdpoint/hub"

export interface Person {
  /** Her open question, as soon as there is one. */
  question(): Promise<Elicitation>
  /** All her open questions. */
  questions(): Promise<readonly Elicitation[]>
  /** The statuses of all her questions, oldest first. */
  statuses(): Promise<readonly Status[]>
  /** Resolves when the question has this status. */
  reaches(id: string, status: Status): Promise<void>
  answers(question: Elicitation, content: object): Promise<void>
  /** Advances the clock to the deadline of the question. */
  letsExpire(question: Elicitation): Promise<void>
  close(): Promise<void>
}

export function createPerson(storage: Storage, person: Principal): Person {
  const hub = createHub({ storage, outlets: [inbox()] })
  const { tenant } = person
  const questions = () => hub.list({ tenant, principal: person, state: "open", limit: most })
  return {
    questions,
    async question() {
      const watching = hub.watch({ principal: person, afterPosition: 0 })
      for await (const { kind } of watching) if (kind === "asked" && (await questions()).length > 0) break
      const [first, second] = await questions()
      if (first === undefined || second !== undefined) throw new Error(`not one open question: ${second?.message}`)
      return first
    },
    async statuses() {
      const all = await hub.list({ tenant, state: "all", limit: most })
      return [...all].sort((a, b) => a.createdAt - b.createdAt).map(({ status }) => status)
    },
    async reaches(id, status) {
      const now = await hub.get(id)
      if (now === undefined || now.status === status) return
      for await (const event of hub.watch({ id, afterRevision: now.revision })) if (event.status === status) return
    },
    async answers({ id }, content) {
      const step = await hub.answer(id, { by: person, action: "accept", content: content as never })
      if (!step.ok) throw new Error(`${step.refusal.code}: ${step.refusal.message}`)
    },
    async letsExpire({ id, expiresAt }) {
      const runtime = { ...systemRuntime, now: () => expiresAt }
      const later = createHub({ storage, outlets: [inbox()], runtime })
      await later.sweep()
      await later.wait(id)
      await later.close()
    },
    close: () => hub.close(),
  }
}

const most = 1_000
