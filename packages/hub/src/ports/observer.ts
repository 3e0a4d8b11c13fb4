// What a hub and a vault report about their own steps, for telemetry and logs. Each step is reported once in the whole
// installation: by the process that made it, after the commit.

import type { Elicitation } from "../core/elicitation.ts"
import type { ErrorCode } from "../core/error.ts"
import type { PrincipalId } from "../core/principal.ts"
import type { EventType } from "../core/transition.ts"

/** Receives the steps of one process. Its errors are reported and change nothing. */
export interface Observer {
  /** The `traceparent` of the active span. The hub stores it with the question that is asked now. */
  activeTrace(): string | undefined
  /** This process stored a new question. An ask that joined an open question is not reported. */
  asked(step: AskedStep): void
  /** This process settled the question. */
  settled(elicitation: Elicitation): void
  /** This process refused a person's or a program's attempt. */
  refused(step: RefusedStep): void
  /** A provider answered a call with 401. */
  unauthorized(call: UnauthorizedCall): void
}

export interface AskedStep {
  readonly elicitation: Elicitation
  /** The `traceparent` of the request that asked. */
  readonly trace?: string
}

export interface RefusedStep {
  readonly id: string
  readonly code: ErrorCode
  /** What was attempted. */
  readonly attempt: EventType
  readonly by?: PrincipalId
  /** The question of the attempt. Undefined when no question has this id. */
  readonly elicitation?: Elicitation
}

export interface UnauthorizedCall {
  readonly provider: string
  /** `missing`: the call carried no credentials, and the person should have been asked first. */
  readonly credentials: "missing" | "sent"
}
