// The person at the inbox and the pages, in their own process on the same storage. Also what strangers try there, and
// passing time.

import { activate, change, connectionKind, readContext, storeGrant } from "@holdpoint/accounts/internal"
import type { Elicitation, Hub, Principal, Status, StepResult, Storage } from "@holdpoint/hub"
import { createHub, inbox, isSettled, systemRuntime } from "@holdpoint/hub"
import type { Connection } from "@holdpoint/hub/internal"
import type { KeyRing } from "@holdpoint/hub/sealing"
import { createSealer } from "@holdpoint/hub/sealing"
import { alice, bob } from "../../fixtures.ts"

export interface PersonAtPages {
  readonly hub: Hub
  /** The one question that is open for alice. */
  question(): Promise<Elicitation>
  /** Resolves when a question is open for alice. */
  comes(): Promise<void>
  /** The statuses of all her questions, oldest first. */
  statuses(): Promise<readonly Status[]>
  /** Resolves when the question has this status, or was settled otherwise. */
  reaches(id: string, status: Status): Promise<void>
  /** Does what the page asks for: answers the form, pays, connects the account. */
  finishes(question: Elicitation, content?: object): Promise<void>
  says(question: Elicitation, action: "decline" | "cancel"): Promise<StepResult>
  /** Another person who knows the question tries everything. Returns the results. */
  strangerTries(question: Elicitation): Promise<readonly StepResult[]>
  /** Moves the time to the deadline of the question, and sweeps. */
  letsExpire(question: Elicitation): Promise<void>
  /** Leaves nothing behind that the next call would find. */
  clears(): Promise<void>
  close(): Promise<void>
}

const mostQuestions = 100

export function createPersonAtPages(storage: Storage, keys: KeyRing, person: Principal = alice): PersonAtPages {
  const hub = createHub({ storage, outlets: [inbox()] })
  const fetchNothing = (): Promise<never> => Promise.reject(new Error("nothing is fetched here"))
  const grants = { storage, sealer: createSealer(keys), tools: { runtime: systemRuntime, fetch: fetchNothing } }
  const { tenant } = person
  const openOnes = { tenant, state: "open", limit: mostQuestions } as const

  const connect = async (question: Elicitation): Promise<void> => {
    const context = readContext(question)
    if (context === undefined) return
    const { owner, provider, scopes } = context
    const fields = { access_token: "access-of-alice-at-drive" }
    const credentials = { fields, scopes, issuedAt: systemRuntime.now() }
    const pending = await storeGrant(grants, { owner, provider, credentials, by: person })
    await activate(grants, pending.id, { account: { id: "1", name: "alice@drive.example" }, by: person })
  }

  return {
    hub,
    async question() {
      const [first, second] = await hub.list({ ...openOnes, principal: person })
      if (first === undefined || second !== undefined) throw new Error(`not one open question: ${second?.message}`)
      return first
    },
    async comes() {
      const stop = new AbortController()
      const watching = hub.watch({ principal: person, afterPosition: 0 }, { signal: stop.signal })
      for await (const event of watching) if (event.kind === "asked") break
      stop.abort()
    },
    async statuses() {
      const all = await hub.list({ tenant, state: "all", limit: mostQuestions })
      return [...all].sort((a, b) => a.createdAt - b.createdAt).map(({ status }) => status)
    },
    async reaches(id, status) {
      const now = await hub.get(id)
      if (now === undefined || now.status === status || isSettled(now.status)) return
      for await (const event of hub.watch({ id, afterRevision: now.revision })) if (event.status === status) return
    },
    async finishes(question, content) {
      if (question.mode === "form") {
        await must(hub.answer(question.id, { by: person, action: "accept", content }))
        return
      }
      await must(hub.open(question.id, { by: person }))
      await must(hub.answer(question.id, { by: person, action: "accept" }))
      await connect(question)
      await must(hub.complete(question.id))
    },
    says: (question, action) => hub.answer(question.id, { by: person, action }),
    strangerTries: ({ id }) =>
      Promise.all([
        hub.open(id, { by: bob }),
        hub.answer(id, { by: bob, action: "accept", content: { colour: "green" } }),
        hub.answer(id, { by: bob, action: "decline" }),
        hub.answer(id, { by: bob, action: "cancel" }),
      ]),
    async letsExpire({ id, expiresAt }) {
      const later = createHub({ storage, outlets: [inbox()], runtime: { ...systemRuntime, now: () => expiresAt } })
      await later.wait(id)
      await later.close()
    },
    async clears() {
      for (const { id } of await hub.list(openOnes)) await hub.cancel(id)
      const connections = await storage.records(connectionKind).list({ tenant, limit: mostQuestions })
      for (const { id } of connections) {
        const ended = { type: "revoke", reason: { code: "disconnected" } } as const
        const isOver = ({ status }: Connection) => status === "revoked"
        const { connection } = await change(grants, id, (one) => (isOver(one) ? undefined : ended), {
          entryKind: "disconnected",
        })
        if (connection !== undefined) await storage.records(connectionKind).remove(connection)
      }
      // The listeners on this storage hear of it at the end of the turn.
      await new Promise((resolve) => setImmediate(resolve))
    },
    close: () => hub.close(),
  }
}

/** Throws when a step that must succeed is refused. */
async function must(step: Promise<StepResult>): Promise<void> {
  const result = await step
  if (!result.ok) throw new Error(`${result.refusal.code}: ${result.refusal.message}`)
}
