// The noun: one question to one audience with one answer. Types only, and the predicates that read them.

import type { Content, Form } from "./form.ts"
import type { Audience, PrincipalId } from "./principal.ts"

export type Mode = "form" | "url"
export type OpenStatus = "pending" | "accepted"
export type SettledStatus = "completed" | "declined" | "cancelled" | "expired" | "failed" | "unsupported"
export type Status = OpenStatus | SettledStatus

/** The program that asks. Idempotency keys live within one requester. */
export interface Requester {
  readonly id: string
  readonly name?: string
}

/** The protocol client through which the asker was called. Self-reported: shown to people, never trusted. */
export interface AskingClient {
  readonly name: string
  readonly version?: string
}

export type Trigger = "credential_required" | "mcp_elicitation" | "a2a_input_required" | "shell" | "approval"

export interface Context {
  readonly trigger: Trigger
  readonly [detail: string]: string | number | boolean
}

/** Why it ended as it did. `code` is for programs, `message` for people; neither holds an answer's content. */
export interface Reason {
  readonly code: string
  readonly message?: string
}

/** `always`: the key names this question as long as it is kept. `open`: the key is free again once it is settled. */
export type KeyReuse = "always" | "open"

interface QuestionBase {
  readonly id: string
  readonly tenant: string
  readonly message: string
  readonly audience: Audience
  readonly requester: Requester
  readonly client?: AskingClient
  readonly context: Context
  /** The stream, task or call that this question belongs to. */
  readonly parent?: string
  readonly key?: string
  readonly keyReuse?: KeyReuse
  /** While it is true, who asks for more under the same key makes this one wider; false once a person has begun with it. */
  readonly grows?: boolean
  readonly createdAt: number
}

/** What never changes after it was asked, but for the message and the context of one that grows. */
export type Question =
  | (QuestionBase & { readonly mode: "form"; readonly requestedSchema: Form })
  | (QuestionBase & { readonly mode: "url"; readonly url: string })

/** What does. Every change raises `revision` by one; times are milliseconds since 1970. */
export interface Progress {
  readonly status: Status
  readonly revision: number
  readonly expiresAt: number
  /** How many hubs have a call that waits for this; the last one to give up cancels it. */
  readonly holders: number
  readonly openedAt?: number
  readonly verifiedAt?: number
  readonly acceptedAt?: number
  readonly settledAt?: number
  readonly answeredBy?: PrincipalId
  readonly answeredVia?: string
  readonly reason?: Reason
  /** Of a completed form, until retention removes it. */
  readonly content?: Content
}

export type Elicitation = Question & Progress
export type FormElicitation = Extract<Elicitation, { mode: "form" }>
export type UrlElicitation = Extract<Elicitation, { mode: "url" }>

/** What the asker gets: one of six, never fewer. `content` is absent in url mode and once retention has removed it. */
export type Outcome<C extends Content = Content> =
  | { readonly status: "completed"; readonly content?: C }
  | { readonly status: Exclude<SettledStatus, "completed">; readonly reason?: Reason }

export function isSettled(status: Status): status is SettledStatus {
  return status !== "pending" && status !== "accepted"
}

/** The outcome of a settled elicitation, undefined while it is open. */
export function toOutcome(elicitation: Elicitation): Outcome | undefined {
  const { status, content, reason } = elicitation
  if (!isSettled(status)) return undefined
  if (status === "completed") return content === undefined ? { status } : { status, content }
  return reason === undefined ? { status } : { status, reason }
}
