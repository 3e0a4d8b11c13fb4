// The question that everything is measured with, and its round trip. Each question has its own person and message; the
// form is one object, as in a program that repeats a question.

import type { Hub, Principal } from "@holdpoint/hub"
import { choice, form, text } from "@holdpoint/hub"

const approval = form(
  {
    decision: choice(["approve", "reject"], { title: "Decision" }),
    comment: text({ title: "Comment", maxLength: 200 }),
  },
  { optional: ["comment"] },
)

export const content = { decision: "approve", comment: "Looks right to me." } as const

/** Longer than any run, so that nothing expires during a measurement. */
const lifetimeMs = 6 * 24 * 60 * 60 * 1_000

let asked = 0

export function personOf(worker: number): Principal {
  return { tenant: "bench", issuer: "https://login.example.com", subject: `person-${worker}` }
}

export async function askOne(hub: Hub, person: Principal): Promise<string> {
  const { id } = await hub.ask({
    message: `Deploy build ${++asked} to production?`,
    audience: person,
    requester: { id: "deploy", name: "Deploy bot" },
    context: { trigger: "approval", build: asked },
    form: approval,
    lifetimeMs,
  })
  return id
}

export async function answerOne(hub: Hub, id: string, by: Principal): Promise<void> {
  const result = await hub.answer(id, { by, action: "accept", content, via: "bench" })
  if (!result.ok) throw new Error(`An answer was refused: ${result.refusal.message}`)
}

/** A full round trip: ask, wait, answer, resume with the content. */
export async function roundTrip(hub: Hub, person: Principal): Promise<void> {
  const id = await askOne(hub, person)
  const resumed = hub.wait(id)
  await answerOne(hub, id, person)
  const outcome = await resumed
  if (outcome.status !== "completed" || outcome.content === undefined) throw new Error("A waiter got no content.")
}
