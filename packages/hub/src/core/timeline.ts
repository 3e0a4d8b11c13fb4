// What happened in a run, a call or a question, as pages show it: one item for each step. Items have no text for
// people, which pages add, and never the content of an answer. The shapes are a one-way door: members and kinds may be
// added, never changed or removed.

import type { YesOrNo } from "./decision.ts"
import type { Mode } from "./elicitation.ts"

/** One step. Readers ignore kinds that they do not know. */
export type TimelineItem = TimelineStep & {
  /** ISO 8601. */
  readonly at: string
  /** Unique, and increasing in the order in which things happened. */
  readonly number: number
}

export type TimelineStep =
  | { readonly kind: "run-started"; readonly agent: string }
  | (TimelineCall & { readonly kind: "tool-called" })
  /** `denied`: a person did not allow it. */
  | (TimelineCall & { readonly kind: "tool-finished"; readonly outcome: "done" | "failed" | "denied" })
  | (TimelineQuestion & {
      readonly kind: "asked"
      readonly mode: Mode
      readonly message: string
      /** The name of the program that asks. */
      readonly requester: string
      /** The outlets that showed the question immediately. Each later outlet has its own step `shown`. */
      readonly shown: readonly string[]
      readonly tool?: string
      /** The agent that asks, if it is not the one that the person talks to. */
      readonly agent?: string
    })
  | (TimelineQuestion & { readonly kind: "shown"; readonly via: string })
  | (TimelineQuestion & { readonly kind: "opened" })
  /** The person agreed to open the link. */
  | (TimelineQuestion & TimelinePerson & { readonly kind: "accepted" })
  | (TimelineQuestion &
      TimelinePerson & {
        readonly kind: "answered"
        readonly answer: TimelineAnswer
        /** The time from asking to this step. */
        readonly waitedMs: number
      })
  /** A person said Yes, and more people have to say Yes. */
  | (TimelineQuestion & TimelinePerson & { readonly kind: "voted" })
  /** People with this role may answer too, from now on. */
  | (TimelineQuestion & { readonly kind: "escalated"; readonly role: string })
  /** People who have not answered are reminded. */
  | (TimelineQuestion & { readonly kind: "reminded" })
  | (TimelineQuestion & { readonly kind: "expired"; readonly waitedMs: number })
  /** The person edited these arguments of the call that they approved. */
  | (TimelineQuestion & TimelinePerson & { readonly kind: "edited"; readonly names: string })
  /** The person said No after their answer. */
  | (TimelineQuestion & TimelinePerson & { readonly kind: "taken-back" })
  /** The run waits for people. */
  | { readonly kind: "paused" }
  | { readonly kind: "resumed"; readonly waitedMs: number }
  | { readonly kind: "stop-requested" }
  | { readonly kind: "run-ended"; readonly status: "done" | "failed" | "stopped" }
  /** An effect of the call that asked, after the answer. */
  | (TimelineQuestion & { readonly kind: "effect"; readonly step: "begun" | "done" | "failed" })
  /** The call that asked is over, or its caller gave up. */
  | { readonly kind: "call-ended"; readonly status: "over" | "gone" | "cancelled" }

/**
 * How a question was answered. `completed`: a form or a page was finished. `unsupported`: it could be shown nowhere.
 */
export type TimelineAnswer = YesOrNo | "completed" | "declined" | "cancelled" | "failed" | "unsupported"

interface TimelineQuestion {
  readonly elicitationId: string
}

interface TimelinePerson {
  /** The person, as their identity provider calls them. */
  readonly by?: string
  /** The surface where the person did this. */
  readonly via?: string
}

interface TimelineCall {
  /** The id of the tool call in the stream. */
  readonly toolId: string
  readonly tool: string
  /** The agent that calls it, if it is not the one that the person talks to. */
  readonly agent?: string
}
