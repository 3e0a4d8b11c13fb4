// The bodies of the HTTP API. Their shapes are a one-way door: members may be added, never changed or removed.

import type { JsonSchema } from "./advice.ts"
import type { Escalation } from "./agenda.ts"
import type { ConfirmWords } from "./confirmation.ts"
import type { Mode, Reason, SettledStatus, Status } from "./elicitation.ts"
import type { ErrorCode, Problem } from "./error.ts"
import type { Content, Form } from "./form.ts"

/** A person, as their identity provider names them. The tenant is the program's. */
export interface WirePerson {
  readonly issuer: string
  readonly subject: string
}

/** Who may answer. */
export type WireAudience = WirePerson | { readonly people: readonly WirePerson[] } | { readonly role: string }

/** A person who has signed in, by the e-mail address that their identity provider verified. */
interface ByEmail {
  readonly email: string
}

/** A question to be asked over HTTP: yes or no, a form, or a page to open. */
export type NewQuestion = {
  readonly message: string
  readonly audience: WireAudience | ByEmail | { readonly people: readonly (WirePerson | ByEmail)[] }
  /** How long it may be answered; 5 minutes by default. */
  readonly lifetimeMs?: number
  /** Idempotency key: the same question with the same key is asked only once. */
  readonly key?: string
  /** How many different people have to say Yes to a yes-or-no question; 1 by default. The first No declines it. */
  readonly approvals?: number
  /** The person on whose behalf it is asked, who may not answer it. */
  readonly notBy?: WirePerson | ByEmail
  /** Reminds people who have not answered, at most ten times. */
  readonly remindEveryMs?: number
  /** After this time, people with this role may answer too. */
  readonly escalate?: Escalation
} & ({ readonly confirm: true | ConfirmWords } | { readonly form: JsonSchema } | { readonly url: string })

/** The vote of one person. */
export interface WireVote {
  readonly by: WirePerson
  readonly said: "yes" | "no"
  readonly at: string
  /** The surface where the person voted: web, http, slack … */
  readonly via?: string
  /** Why the person said No. */
  readonly reason?: Reason
}

/** Who has to approve a question, when other people are asked, and the votes so far. */
export interface WireApprovals {
  readonly approvals?: number
  /** The votes so far, in order, when more than one person has to say Yes. */
  readonly votes?: readonly WireVote[]
  readonly notBy?: WirePerson
  readonly remindEveryMs?: number
  readonly escalate?: Escalation
  /** The role that may answer too, once the question was escalated. */
  readonly escalatedTo?: string
}

/** The current state of a question that a program asked. Times are ISO 8601. */
export interface WireQuestion extends WireApprovals {
  readonly id: string
  readonly status: Status
  readonly mode: Mode
  readonly message: string
  /** The fields of a form, as JSON Schema. */
  readonly form?: Form
  /** The address that a link leads to. */
  readonly url?: string
  readonly audience: WireAudience
  /** The page on which the person answers. */
  readonly page: string
  readonly key?: string
  readonly createdAt: string
  readonly expiresAt: string
  /** When the page of a link was first opened. */
  readonly openedAt?: string
  readonly settledAt?: string
  /** The answer to a completed form. */
  readonly content?: Content
  /** Whether a yes-or-no question was answered with Yes or No. */
  readonly said?: "yes" | "no"
  readonly answeredBy?: WirePerson
  /** Where it was answered: web, terminal, http … */
  readonly answeredVia?: string
  /** Why it was declined, cancelled or failed. */
  readonly reason?: Reason
}

/** A step of a question, as the data of a server-sent event. The event's id is the revision of the question. */
export interface QuestionStep {
  readonly kind: string
  readonly status: Status
  readonly at: string
}

/** How a question had ended before a request that came too late. */
export interface WireEnded {
  readonly status: SettledStatus
  readonly at: string
  readonly by?: WirePerson
  readonly reason?: Reason
}

/** A refusal (RFC 9457). */
export interface WireProblem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: ErrorCode
  readonly detail: string
  readonly problems?: readonly Problem[]
  readonly ended?: WireEnded
}
