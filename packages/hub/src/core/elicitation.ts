// The elicitation: one question to one audience with one answer. Types, and predicates on them.

import type { Escalation } from "./agenda.ts"
import type { YesOrNo } from "./decision.ts"
import type { Content, Form } from "./form.ts"
import type { Audience, PrincipalId } from "./principal.ts"
import type { Vote } from "./votes.ts"

export type Mode = "form" | "url"
export type OpenStatus = "pending" | "accepted"
export type SettledStatus = "completed" | "declined" | "cancelled" | "expired" | "failed" | "unsupported"
/** The state of a question: open (`pending`, `accepted`), or one of the six ways in which it ended. */
export type Status = OpenStatus | SettledStatus

/** The program that asks. Idempotency keys are scoped to one requester. */
export interface Requester {
  readonly id: string
  readonly name?: string
}

/** The protocol client through which the asker was called. Self-reported: shown to people, never trusted. */
export interface AskingClient {
  readonly name: string
  readonly version?: string
}

export type Trigger =
  | "credential_required"
  | "mcp_elicitation"
  | "a2a_input_required"
  | "shell"
  | "approval"
  // A function that an agent called asks for something.
  | "tool_input_required"

/** What a question is about, for surfaces that show it: why it is asked, and what the asker adds. */
export interface Context {
  readonly trigger: Trigger
  readonly [detail: string]: string | number | boolean
}

/** The reason for an outcome. `code` is for programs, `message` for people; neither contains the answer. */
export interface Reason {
  readonly code: string
  readonly message?: string
}

/**
 * `always`: the key belongs to this question for as long as the question is stored. `open`: the key is free again once
 * the question is settled.
 */
export type KeyReuse = "always" | "open"

/** The whole text of a question whose message is shortened. */
export interface Detail {
  readonly text: string
  /** The page of this server that shows the text, and where the question is answered. */
  readonly page: string
}

interface QuestionBase {
  readonly id: string
  readonly tenant: string
  readonly message: string
  /** Present when the message is shortened: a Yes then counts only from a place that showed this text. */
  readonly detail?: Detail
  readonly audience: Audience
  readonly requester: Requester
  readonly client?: AskingClient
  readonly context: Context
  /** The stream, task or call that this question belongs to. */
  readonly parent?: string
  readonly key?: string
  readonly keyReuse?: KeyReuse
  /** While true, another ask with the same key can widen this question; false once a person has begun to answer. */
  readonly grows?: boolean
  /** How many different people have to say Yes. Absent when one answer decides. */
  readonly approvals?: number
  /** A person who may not answer although they belong to the audience: usually the one on whose behalf it is asked. */
  readonly notBy?: PrincipalId
  readonly remindEveryMs?: number
  readonly escalate?: Escalation
  readonly createdAt: number
}

/** The part that never changes after asking, except for the message and context of a question that grows. */
export type Question =
  | (QuestionBase & { readonly mode: "form"; readonly requestedSchema: Form })
  | (QuestionBase & { readonly mode: "url"; readonly url: string })

/** The part that changes. Every change increments `revision`; times are in milliseconds since 1970. */
export interface Progress {
  readonly status: Status
  readonly revision: number
  readonly expiresAt: number
  /** The number of hubs with a waiting call; when the last one gives up, the question is cancelled. */
  readonly holders: number
  readonly openedAt?: number
  readonly verifiedAt?: number
  readonly acceptedAt?: number
  readonly settledAt?: number
  readonly answeredBy?: PrincipalId
  readonly answeredVia?: string
  readonly reason?: Reason
  /** Whether a yes-or-no question was answered with Yes or No. Kept longer than the content, for the history. */
  readonly said?: YesOrNo
  /**
   * The votes so far, in order, when more than one person has to say Yes. No person is in it twice with the same word.
   */
  readonly votes?: readonly Vote[]
  /** The role that may answer too, since the escalation. */
  readonly escalatedTo?: string
  /** The number of the last reminder. */
  readonly reminders?: number
  /** The answer to a completed form, until retention removes it. */
  readonly content?: Content
}

/** One question to one audience, with its status and, once it is settled, its answer. */
export type Elicitation = Question & Progress
export type FormElicitation = Extract<Elicitation, { mode: "form" }>
export type UrlElicitation = Extract<Elicitation, { mode: "url" }>

/**
 * What the asker gets: one of six statuses. A completed form has its content, a completed url question has none (`C` is
 * undefined).
 */
export type Outcome<C extends Content | undefined = Content | undefined> = (
  | (C extends Content
      ? { readonly status: "completed"; readonly content: C }
      : { readonly status: "completed"; readonly content?: never })
  | { readonly status: Exclude<SettledStatus, "completed">; readonly reason?: Reason }
) & {
  /** The votes of the people who decided, when more than one person had to say Yes. */
  readonly votes?: readonly Vote[]
}

/** Whether a question in this status has ended. */
export function isSettled(status: Status): status is SettledStatus {
  return status !== "pending" && status !== "accepted"
}

/**
 * The outcome of a settled elicitation, undefined while it is open. A form whose answer retention removed has no
 * content.
 */
export function toOutcome(elicitation: Elicitation): Outcome | undefined {
  const { status, reason, votes } = elicitation
  if (!isSettled(status)) return undefined
  const decided = votes === undefined ? {} : { votes }
  if (status !== "completed") return reason === undefined ? { status, ...decided } : { status, reason, ...decided }
  const content = elicitation.content ?? (isEmptyForm(elicitation) ? {} : undefined)
  return content === undefined ? { status, ...decided } : { status, content, ...decided }
}

/** The answer to a form without fields is always empty, so that it need not be stored. */
const isEmptyForm = (elicitation: Elicitation): boolean =>
  elicitation.mode === "form" && Object.keys(elicitation.requestedSchema.properties).length === 0
