// Outlets: where people see questions. An outlet shows and withdraws prompts; it answers through the hub like any other
// caller, and must not assume that its prompt is the only one.

import type { Receipt } from "../core/delivery.ts"
import type { Elicitation } from "../core/elicitation.ts"
import type { PrincipalId } from "../core/principal.ts"

/**
 * A place where people see questions: a client, a stream, a terminal, a list. It lives as long as this process or one
 * connection.
 */
export interface Outlet {
  /** The name by which the trail refers to this outlet. */
  readonly name: string
  /**
   * Shows the question, or says that this outlet cannot show it to this audience. Resolves once the question is on its
   * way to the person, not when they answer. A throw means that it failed this time: the question stays open for other
   * outlets and later attempts.
   */
  deliver(elicitation: Elicitation): Promise<Delivered>
  /**
   * Removes the prompt: the question was settled, here or elsewhere, or the hub is closing. Called once for each prompt
   * that was shown.
   */
  withdraw(elicitation: Elicitation): Promise<void>
}

/**
 * The result of showing a question. `shown`: the person sees it, until it is withdrawn. `listed`: people find it when
 * they open the list, so that there is nothing to withdraw. `unable`: this outlet cannot reach this audience.
 */
export type Delivered =
  | { readonly state: "shown" }
  | { readonly state: "listed" }
  | { readonly state: "unable"; readonly why: string }

/**
 * An outlet whose prompts outlive the process: chat messages, e-mails, files. Each prompt is a delivery, which is
 * stored with the question and carried out by any process that has an outlet of this name. The hub handles leases,
 * retries and restarts. The outlet must put `prompt.id` into its message, so that `find` finds it, and must stop when
 * `prompt.signal` aborts, because another process may continue. When a method throws, the attempt is repeated later, no
 * sooner than `retryAfterMs` of a `HoldpointError`. The code `too_often` means that nothing was done, so the attempt
 * does not count.
 */
export interface LastingOutlet {
  /** Identifies the outlet's deliveries: the same in every process and after every restart. */
  readonly name: string
  /** The kind of address to look up in the directory: `email`, `slack`. */
  readonly addressKind: string
  /** Shows the question at this one address. May be called again for the same prompt when `find` found nothing. */
  post(elicitation: Elicitation, prompt: Prompt): Promise<Posted>
  /** The message of this prompt, which a process may have posted just before it died. Undefined when there is none. */
  find(prompt: Prompt, elicitation: Elicitation): Promise<Receipt | undefined>
  /** Removes the message of a settled question, or shows how it ended. May be called again after a failure. */
  withdraw(settled: Elicitation, prompt: Prompt & { readonly receipt: Receipt }): Promise<void>
}

/** One question at one address, as a lasting outlet posts it. */
export interface Prompt {
  /** The same in all processes and attempts. Not a secret, and no permission to answer. */
  readonly id: string
  readonly address: string
  /** The person who is reached at the address. */
  readonly person?: PrincipalId
  /**
   * Present in a reminder: the id of the prompt that told the person of the question first. A reminder is a separate
   * message with its own id: post the question once more, and say that it is a reminder.
   */
  readonly reminderOf?: string
  readonly signal: AbortSignal
}

/**
 * The result of posting a prompt: a receipt with which the outlet can find its message again, or why it is not shown.
 */
export type Posted =
  | { readonly state: "shown"; readonly receipt: Receipt }
  | { readonly state: "unable"; readonly why: string }

export type AnyOutlet = Outlet | LastingOutlet | OutletElsewhere

/** A lasting outlet that runs in another process: this process stores deliveries for it. */
export interface OutletElsewhere {
  readonly name: string
  readonly isElsewhere: true
}
