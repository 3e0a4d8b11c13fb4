// Questions on your own pages, with your own sign-in: a list, and an answer.

import type { Hub, Principal } from "@holdpoint/hub"

/** What this person can answer now. `requestedSchema` is the form as JSON Schema. */
export async function openQuestions(hub: Hub, person: Principal) {
  const open = await hub.list({ tenant: person.tenant, principal: person, state: "open", limit: 50 })
  return open.map((one) => ({ id: one.id, message: one.message, form: one.mode === "form" ? one.requestedSchema : {} }))
}

/** Undefined when the answer was taken; otherwise why not, for example that somebody else was faster. */
export async function answer(hub: Hub, person: Principal, id: string, content: Record<string, string>) {
  const result = await hub.answer(id, { by: person, action: "accept", content })
  return result.ok ? undefined : result.refusal.message
}
