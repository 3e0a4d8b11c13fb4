// Places where people see questions. An outlet shows and withdraws; it answers by calling the hub like anybody else, and
// must not assume that its prompt is the only one.

import type { Receipt } from "../core/delivery.ts"
import type { Elicitation } from "../core/elicitation.ts"

/** Lives and dies with this process, or with the connection of one call: a client, a stream, a terminal, a list. */
export interface Outlet {
  /** For the trail: where it was shown. */
  readonly name: string
  /**
   * Shows the question, or says that it cannot be shown to this audience here. Resolves once it is on its way to the
   * person, not when they answer. Throwing means "failed now": the question stays open for others and for later.
   */
  deliver(elicitation: Elicitation): Promise<Delivered>
  /**
   * The question is settled, elsewhere or here, or the hub closes and leaves it open: take the prompt away. Called once
   * for each that was shown.
   */
  withdraw(elicitation: Elicitation): Promise<void>
}

/**
 * `shown`: put before the person, to be withdrawn when it is settled. `listed`: found there by whoever looks, nothing
 * to withdraw. `unable`: this outlet cannot reach this audience.
 */
export type Delivered =
  | { readonly state: "shown" }
  | { readonly state: "listed" }
  | { readonly state: "unable"; readonly why: string }

/**
 * Its prompts outlive the process: messages in a chat, e-mails, files. Each one is a delivery, which is stored with the
 * question and carried out by any process that has an outlet of this name. The hub sees to leases, retries and restarts.
 *
 * The outlet owns that its message carries `prompt.id`, so that `find` finds it. It must stop when `prompt.signal` says
 * so: another process may be next. What it throws is tried again later.
 */
export interface LastingOutlet {
  /** Deliveries are found by it: the same in every process, and after every restart. */
  readonly name: string
  /** What the directory has to know of a person: `email`, `slack`. */
  readonly addressKind: string
  /** Shows the question at this one address. May be called again for the same prompt when `find` found nothing. */
  post(elicitation: Elicitation, prompt: Prompt): Promise<Posted>
  /** The message of this prompt, which a process may have posted just before it died. Undefined when there is none. */
  find(prompt: Prompt): Promise<Receipt | undefined>
  /** The question is settled: take the message away, or show how it ended. May be called again after a failure. */
  withdraw(settled: Elicitation, prompt: Prompt & { readonly receipt: Receipt }): Promise<void>
}

export interface Prompt {
  /** Stable over processes and attempts. It is not a secret, and not an authority to answer. */
  readonly id: string
  readonly address: string
  readonly signal: AbortSignal
}

export type Posted =
  | { readonly state: "shown"; readonly receipt: Receipt }
  | { readonly state: "unable"; readonly why: string }

export type AnyOutlet = Outlet | LastingOutlet | OutletElsewhere

/** A lasting outlet of another process: questions of this one are owed to it. */
export interface OutletElsewhere {
  readonly name: string
  readonly isElsewhere: true
}
