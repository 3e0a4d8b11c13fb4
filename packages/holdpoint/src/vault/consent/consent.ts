// Consent: the way from a question to a connection, for a person whose identity has been verified. This file composes;
// each stretch of the way is in the file named after it. Pages call it and never touch a token.

import { paths } from "../../core/addresses.ts"
import type { Elicitation } from "../../core/elicitation.ts"
import type { Principal } from "../../core/principal.ts"
import type { VaultParts } from "../parts.ts"
import type { Arrival, Arrived } from "./arrive.ts"
import { arrive } from "./arrive.ts"
import type { Begun } from "./begin.ts"
import { begin } from "./begin.ts"
import type { Confirmed } from "./confirm.ts"
import { confirm } from "./confirm.ts"
import type { Entered } from "./enter.ts"
import { enter } from "./enter.ts"
import type { ConsentRequest } from "./request.ts"
import { requestOf } from "./request.ts"
import { createRounds } from "./rounds.ts"
import type { Standing } from "./standing.ts"
import { departureOf, standingOf } from "./standing.ts"
import type { ConsentTimes } from "./times.ts"
import { defaultConsentTimes } from "./times.ts"

/** A person whose identity the pages have verified, in one browser. */
export interface Visitor {
  readonly principal: Principal
  /** The hash under which the session is kept. */
  readonly session: string
  /** Where people sign in: as their identity provider knows them; only a verified address. */
  readonly person?: { readonly name: string; readonly email?: string }
}

/** What the person pressed, on a page. */
export interface Press {
  /** What the page said it asks for. */
  readonly shown: string
  /** What they allow of that which was offered. */
  readonly also?: readonly string[]
}

export interface ConsentParts extends VaultParts {
  readonly times: ConsentTimes
  /** The one address for providers that allow only one; also what an exact registered address is set with. */
  readonly callbackUrl: string
  /** A flow will be due at this time. */
  arm(at: number): void
}

export interface ConsentOptions {
  readonly times?: Partial<ConsentTimes>
  readonly callbackUrl?: string
}

export interface Consent {
  /** What is asked for, as the page shows it. Undefined when the question asks for no connection. */
  request(elicitation: Elicitation): Promise<ConsentRequest | undefined>
  /** How far this person's attempt at it has come. */
  standing(elicitation: Elicitation, visitor: Visitor): Promise<Standing>
  /**
   * The click. Only now state, PKCE and a cookie are made, or a login flow is started. `shown`, of the request, is what
   * the page showed: nothing else is granted. Without a page, what is needed is.
   */
  begin(elicitation: Elicitation, visitor: Visitor, press?: Press): Promise<Begun>
  /** Where the browser that began goes next: the provider's address. Undefined for any other browser. */
  departure(elicitation: Elicitation, visitor: Visitor, browser: string | undefined): Promise<string | undefined>
  /** The provider has sent the browser back. */
  arrive(arrival: Arrival): Promise<Arrived>
  /** An entered key, or name and password. */
  enter(
    elicitation: Elicitation,
    visitor: Visitor,
    entered: Readonly<Record<string, string>>,
    shown?: string,
  ): Promise<Entered>
  /** Another account than before, or not known to be theirs: is that meant? */
  confirm(elicitation: Elicitation, visitor: Visitor, isMeant: boolean): Promise<Confirmed>
  /** Looks now at every flow that is due: polls, finishes what a dead process left, forgets what is over. */
  work(): Promise<void>
  close(): Promise<void>
}

export function createConsent(vault: VaultParts, options: ConsentOptions = {}): Consent {
  const rounds = createRounds(vault, () => parts)
  const parts: ConsentParts = {
    ...vault,
    times: { ...defaultConsentTimes, ...options.times },
    callbackUrl: options.callbackUrl ?? vault.addresses.to(paths.consentReturn),
    arm: rounds.arm,
  }
  rounds.start()
  // Closing waits for what a provider gives meanwhile: it exists nowhere else yet.
  const lasting = <T>(doing: string, work: Promise<T>): Promise<T> => {
    vault.background(doing, () => work.then(nothing, nothing))
    return work
  }
  return {
    request: (elicitation) => requestOf(parts, elicitation),
    standing: (elicitation, visitor) => standingOf(parts, elicitation, visitor),
    begin: (elicitation, visitor, press) =>
      lasting("beginning to connect an account", begin(parts, elicitation, visitor, press)),
    departure: (elicitation, visitor, browser) => departureOf(parts, elicitation, visitor, browser),
    arrive: (arrival) => lasting("taking the answer of a provider", arrive(parts, arrival)),
    enter: (elicitation, visitor, entered, shown) =>
      lasting("trying what was entered", enter(parts, elicitation, visitor, { entered, shown })),
    confirm: (elicitation, visitor, isMeant) =>
      lasting("confirming an account", confirm(parts, elicitation, visitor, isMeant)),
    work: rounds.work,
    close: rounds.stop,
  }
}

const nothing = (): void => {}
