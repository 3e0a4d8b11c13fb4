// Consent: the steps from a question to a connection, for a person whose identity was verified. This file composes;
// each step is in the file named after it. Pages call it and never touch a token.

import type { Elicitation, Principal } from "@holdpoint/hub"
import { paths } from "@holdpoint/hub"
import type { VaultParts } from "../parts.ts"
import type { Arrival, ArrivalResult } from "./arrive.ts"
import { arrive } from "./arrive.ts"
import type { AttemptState } from "./attempt-state.ts"
import { attemptStateOf, departureUrlOf } from "./attempt-state.ts"
import type { BeginResult } from "./begin.ts"
import { begin } from "./begin.ts"
import type { ConfirmResult } from "./confirm.ts"
import { confirm } from "./confirm.ts"
import { createDueFlows } from "./due-flows.ts"
import type { EnterResult } from "./enter.ts"
import { enter } from "./enter.ts"
import type { ConsentRequest } from "./request.ts"
import { requestOf } from "./request.ts"
import type { ConsentTimes } from "./times.ts"
import { defaultConsentTimes } from "./times.ts"

/** A person whose identity the pages have verified, in one browser. */
export interface Visitor {
  readonly principal: Principal
  /** The hash that identifies the stored session. */
  readonly session: string
  /** Only where people sign in: their name at the identity provider, and their e-mail address if it is verified. */
  readonly person?: { readonly name: string; readonly email?: string }
}

/** What the person submitted on a page. */
export interface PageSubmission {
  /** The digest of the request that the page showed. */
  readonly shownDigest: string
  /** The optional scopes that they allowed. */
  readonly allowedScopes?: readonly string[]
}

export interface ConsentParts extends VaultParts {
  readonly times: ConsentTimes
  /** The single redirect address for providers that allow only one; set it to the exact registered address. */
  readonly callbackUrl: string
  /** Schedules the background work for the time at which a flow is due. */
  arm(time: number): void
}

/** Times of the consent flow, and the one callback address for providers that allow only one. */
export interface ConsentOptions {
  readonly times?: Partial<ConsentTimes>
  readonly callbackUrl?: string
}

export interface Consent {
  /** What the question requests, for the page. Undefined when it does not ask for a connection. */
  request(elicitation: Elicitation): Promise<ConsentRequest | undefined>
  /** The state of this person's attempt. */
  attemptState(elicitation: Elicitation, visitor: Visitor): Promise<AttemptState>
  /**
   * Starts an attempt after the person pressed the button. Returns `outdated` if the question has changed since the
   * page was shown.
   */
  begin(elicitation: Elicitation, visitor: Visitor, submission?: PageSubmission): Promise<BeginResult>
  /** The provider's address for the browser that began the flow. Undefined for any other browser. */
  departureUrl(elicitation: Elicitation, visitor: Visitor, browser: string | undefined): Promise<string | undefined>
  /** Handles the response with which the provider redirected the browser back. */
  arrive(arrival: Arrival): Promise<ArrivalResult>
  /** Tests the key, or user name and password, that the person entered, and stores what works. */
  enter(
    elicitation: Elicitation,
    visitor: Visitor,
    values: Readonly<Record<string, string>>,
    shownDigest?: string,
  ): Promise<EnterResult>
  /** Confirms or rejects, as the person decided, an account that differs from before or may not be theirs. */
  confirm(elicitation: Elicitation, visitor: Visitor, isAccountTheirs: boolean): Promise<ConfirmResult>
  /** Processes every due flow now: polls, finishes what a crashed process left, removes ended flows. */
  work(): Promise<void>
  close(): void
}

export function createConsent(vault: VaultParts, options: ConsentOptions = {}): Consent {
  const dueFlows = createDueFlows(vault, () => parts)
  const parts: ConsentParts = {
    ...vault,
    times: { ...defaultConsentTimes, ...options.times },
    callbackUrl: options.callbackUrl ?? vault.addresses.to(paths.consentReturn),
    arm: dueFlows.arm,
  }
  dueFlows.start()
  // Closing waits for running requests: credentials that a provider just issued are not stored anywhere yet.
  const finishBeforeClose = <T>(activity: string, work: Promise<T>): Promise<T> => {
    vault.background(activity, () => work.then(doNothing, doNothing))
    return work
  }
  return {
    request: (elicitation) => requestOf(parts, elicitation),
    attemptState: (elicitation, visitor) => attemptStateOf(parts, elicitation, visitor),
    begin: (elicitation, visitor, submission) =>
      finishBeforeClose("beginning to connect an account", begin(parts, elicitation, visitor, submission)),
    departureUrl: (elicitation, visitor, browser) => departureUrlOf(parts, elicitation, visitor, browser),
    arrive: (arrival) => finishBeforeClose("handling a provider's response", arrive(parts, arrival)),
    enter: (elicitation, visitor, values, shownDigest) =>
      finishBeforeClose("testing what was entered", enter(parts, elicitation, visitor, { values, shownDigest })),
    confirm: (elicitation, visitor, isAccountTheirs) =>
      finishBeforeClose("confirming an account", confirm(parts, elicitation, visitor, isAccountTheirs)),
    work: dueFlows.work,
    close: dueFlows.stop,
  }
}

const doNothing = (): void => {}
