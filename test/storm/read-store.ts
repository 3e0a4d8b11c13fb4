// Reads the database directly, after all nodes have ended: questions, and what is still under way.

import type { Storage } from "@holdpoint/sdk"
import { runKind } from "../../apps/server/src/agents/records.ts"
import { slackReplyKind } from "../../apps/server/src/agents/slack/records.ts"
import { callKind } from "../../packages/holdpoint/src/asking/records.ts"
import { deliveryKind } from "../../packages/holdpoint/src/hub/deliveries/delivery-records.ts"
import { sentMailKind } from "../../packages/holdpoint/src/surfaces/email/records.ts"
import { type WebhookDelivery, webhookDeliveryKind } from "../../packages/holdpoint/src/surfaces/webhook/records.ts"
import type { OpenFact, QuestionFact, WebhookFact } from "./facts.ts"
import type { StormProgram } from "./programs.ts"
import { mostOverdueMs } from "./rules/webhooks.ts"

export interface Stored {
  readonly questions: readonly QuestionFact[]
  readonly open: readonly OpenFact[]
  readonly webhooks: readonly WebhookFact[]
  readonly owedMails: ReadonlySet<string>
  readonly sentMails: ReadonlySet<string>
  /** The questions whose messages in Slack a process still has to post or to withdraw. */
  readonly owedPosts: ReadonlySet<string>
  readonly owedPlaces: ReadonlySet<string>
}

const tenant = "storm"

export async function readStore(storage: Storage, programs: readonly StormProgram[]): Promise<Stored> {
  const questions = await storage.store.list({ tenant, state: "all", limit: 100_000 })
  const runs = await storage.records(runKind).list({ tenant, limit: 100_000 })
  const calls = await storage.records(callKind).list({ tenant, limit: 100_000 })
  const deliveries = await storage.records(webhookDeliveryKind).list({ tenant, limit: 100_000 })
  const mails = await storage.records(deliveryKind("email")).list({ tenant, limit: 100_000 })
  const posts = await storage.records(deliveryKind("slack")).list({ tenant, limit: 100_000 })
  const replies = await storage.records(slackReplyKind).list({ tenant, limit: 100_000 })
  const sent = await storage.records(sentMailKind).list({ tenant, limit: 100_000 })
  const now = Date.now()
  const running = runs.filter(({ status }) => status === "running" || status === "waiting")
  return {
    questions: questions.map(({ id, status, said, message, approvals, votes }) => ({
      ...{ id, status, said, message, approvals },
      votes: votes?.map((vote) => ({ by: vote.by.subject, said: vote.said })),
    })),
    sentMails: new Set(sent.map(({ messageId }) => messageId)),
    owedPosts: new Set(posts.map(({ elicitation }) => elicitation)),
    owedPlaces: new Set(
      replies.flatMap(({ id, status, team, channel, thread }) => {
        const call = calls.find((one) => one.id.includes(id))
        const isOwed = status === "under_way" && call?.lease !== undefined
        return isOwed ? [`${team}:${channel}:${thread}`] : []
      }),
    ),
    owedMails: new Set(mails.map(({ elicitation }) => elicitation)),
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
      // Leases last a minute: what another process has is not overdue.
      ...[...mails, ...posts].flatMap(({ outlet, id, state, dueAt, elicitation }) => {
        const isOver = questions.find((one) => one.id === elicitation)?.status !== "pending"
        const isOverdue = isOver && dueAt !== undefined && now - dueAt > mostOverdueMs
        return isOverdue
          ? [{ kind: `${outlet} message`, id: elicitation, state: `${state} delivery ${id} is due since ${dueAt}` }]
          : []
      }),
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
    overdueMs: delivery === undefined || isBehind(delivery, deliveries) ? 0 : Date.now() - delivery.dueAt,
  }
}

/** Whether an earlier event of the same question is still owed to the endpoint, which comes first. */
const isBehind = ({ endpoint, question, revision }: WebhookDelivery, deliveries: readonly WebhookDelivery[]): boolean =>
  deliveries.some(
    (one) => one.endpoint === endpoint && one.question === question && one.state === "owed" && one.revision < revision,
  )
