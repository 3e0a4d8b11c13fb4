// What the chat sends when a person presses a button becomes their answer.

import { createHmac, timingSafeEqual } from "node:crypto"
import type { Hub, Principal } from "@holdpoint/hub"
import { yesOrNoOf } from "./outlet.ts"

/** Takes a press. The chat's signature proves who pressed; the hub believes `by`, and judges whether they may answer. */
export async function takePress(hub: Hub, body: string, { signature, token }: { signature: string; token: string }) {
  const [actual, expected] = [Buffer.from(signature, "hex"), createHmac("sha256", token).update(body).digest()]
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return "forged"
  const { user, about, isYes } = (await new Response(body).json()) as { user: string; about: string; isYes: boolean }
  const by: Principal = { tenant: "local", issuer: "local", subject: user }
  const question = await hub.get(about)
  const content = question && yesOrNoOf(question)?.answers[isYes ? "yes" : "no"]
  if (content === undefined) return "This question has no buttons."
  const answered = await hub.answer(about, { by, via: "chat", action: "accept", content })
  return answered.ok ? "Thank you." : answered.refusal.message
}
