// Reads the database directly, after all nodes have ended: questions, and what is still under way.

import type { Storage } from "@holdpoint/sdk"
import { runKind } from "../../apps/server/src/agents/records.ts"
import { callKind } from "../../packages/holdpoint/src/asking/records.ts"
import { type WebhookDelivery, webhookDeliveryKind } from "../../packages/holdpoint/src/surfaces/webhook/records.ts"
import type { OpenFact, QuestionFact, WebhookFact } from "./facts.ts"
import type { StormProgram } from "./programs.ts"

export interface Stored {
  readonly questions: readonly QuestionFact[]
  readonly open: readonly OpenFact[]
  readonly webhooks: readonly WebhookFact[]
}

const tenant = "storm"

export async function readStore(storage: Storage, programs: readonly StormProgram[]): Promise<Stored> {
  const questions = await storage.store.list({ tenant, state: "all", limit: 100_000 })
  const runs = await storage.records(runKind).list({ tenant, limit: 100_000 })
  const calls = await storage.records(callKind).list({ tenant, limit: 100_000 })
  const deliveries = await storage.records(webhookDeliveryKind).list({ tenant, limit: 100_000 })
  const running = runs.filter(({ status }) => status === "running" || status === "waiting")
  return {
    questions: questions.map(({ id, status, said, message, approvals, votes }) => ({
      ...{ id, status, said, message, approvals },
      votes: votes?.map((vote) => ({ by: vote.by.subject, said: vote.said })),
    })),
    webhooks: programs.flatMap((program) =>
      questions
        .filter(({ requester }) => requester.name === program.name)
        .flatMap(({ id, status }) => [
          toWebhookFact(program, id, "question.asked", deliveries),
          ...(status === "pending" ? [] : [toWebhookFact(program, id, "question.settled", deliveries)]),
        ]),
    ),
    open: [
      ...questions.flatMap(({ id, status, message }) =>
        status === "pending" ? [{ kind: "question", id, state: message }] : [],
      ),
      ...running.map(({ id, status }) => ({
        ...{ kind: "run", id },
        state: `${status}, ${calls.some((call) => call.id === id) ? "with a call" : "without a call"}`,
      })),
    ],
  }
}

function toWebhookFact(
  { name, id, receiver }: StormProgram,
  question: string,
  type: string,
  deliveries: readonly WebhookDelivery[],
): WebhookFact {
  const delivery = deliveries.find((one) => one.endpoint === id && one.question === question && one.type === type)
  return {
    ...{ endpoint: name, question, type, hangs: receiver.hangs },
    received: receiver.received.filter((one) => one.question === question && one.type === type).length,
    delivery: delivery?.state,
    attempts: delivery?.attempts ?? 0,
  }
}
