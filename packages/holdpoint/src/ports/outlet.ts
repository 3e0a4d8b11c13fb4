// A place where people see questions. An outlet shows and withdraws; it answers by calling the hub like anybody else,
// and must not assume that its prompt is the only one.

import type { Elicitation } from "../core/elicitation.ts"

export interface Outlet {
  /** For the trail: where it was shown. */
  readonly name: string
  /**
   * Shows the question, or says that it cannot be shown to this audience here. Resolves once it is on its way to the
   * person, not when they answer. Throwing means "failed now": the question stays open for others and for later.
   */
  deliver(elicitation: Elicitation): Promise<Delivery>
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
export type Delivery =
  | { readonly state: "shown" }
  | { readonly state: "listed" }
  | { readonly state: "unable"; readonly why: string }
