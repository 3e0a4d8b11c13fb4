// People and questions that the tests share.

import type { Draft, Elicitation, Principal } from "@holdpoint/hub"
import { defaultLimits, form, yesNo } from "@holdpoint/hub"
import { secretRule, toElicitation } from "@holdpoint/hub/internal"

export const now = Date.UTC(2026, 0, 1)

export const alice: Principal = { tenant: "acme", issuer: "https://id.example", subject: "alice" }
export const bob: Principal = { ...alice, subject: "bob" }
export const carol: Principal = { ...alice, subject: "carol", roles: ["manager"] }
export const mallory: Principal = { tenant: "evil", issuer: "https://id.example", subject: "alice" }

export const requester = { id: "deployer", name: "Deployer" }
export const approval = form({ ok: yesNo() })

export const formDraft = {
  message: "Deploy to production?",
  form: approval,
  audience: alice,
  requester,
} satisfies Draft
export const urlDraft = {
  message: "Connect your account",
  url: (id: string) => `https://hub.example/connect/${id}`,
  audience: alice,
  requester,
  context: { trigger: "credential_required", provider: "nextcloud" },
} satisfies Draft

const id = "7b9c1f1e-6f0b-4a6e-9b1f-0f6f3f3f3f3f"

export const asked = (draft: Draft = formDraft): Elicitation =>
  toElicitation(draft, { id, now, limits: defaultLimits, secrets: secretRule })
