// The facts that telemetry has about a question: ids, names of tools, how it ended, the person as a pseudonym. Never
// its message, its content or its address.

import type { Elicitation, Trigger } from "../core/elicitation.ts"
import type { PrincipalId } from "../core/principal.ts"
import type { Attributes } from "./open-telemetry.ts"

/** Turns a person into a pseudonym; undefined where the installation has no keys. */
export type Pseudonyms = ((person: PrincipalId) => string) | undefined

/** Labels of metrics. Their values come from fixed lists, so that the number of series stays small. */
export function labelsOf({ mode, context, status, settledAt }: Elicitation): Record<string, string> {
  const trigger = Object.hasOwn(triggers, context.trigger) ? context.trigger : "other"
  return { trigger, mode, ...(settledAt === undefined ? {} : { outcome: status }) }
}

/** Every trigger. The type makes the compiler reject this list when a trigger is missing. */
const triggers: Readonly<Record<Trigger, true>> = {
  credential_required: true,
  mcp_elicitation: true,
  a2a_input_required: true,
  shell: true,
  approval: true,
  tool_input_required: true,
}

export function attributesOf(elicitation: Elicitation, pseudonyms: Pseudonyms): Attributes {
  const { id, context, audience, answeredBy, createdAt, settledAt } = elicitation
  const person = answeredBy ?? (audience.kind === "one" ? audience.principal : undefined)
  return {
    "elicitation.id": id,
    ...prefixed(labelsOf(elicitation)),
    ...attribute("elicitation.tool_id", context.toolId),
    ...attribute("elicitation.tool_name", context.toolName ?? context.tool),
    ...attribute("elicitation.credential_type", context.credentialType),
    ...(person === undefined || pseudonyms === undefined ? {} : { "elicitation.principal": pseudonyms(person) }),
    ...(settledAt === undefined ? {} : { "elicitation.duration_ms": settledAt - createdAt }),
  }
}

const prefixed = (labels: Readonly<Record<string, string>>): Attributes =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [`elicitation.${name}`, value]))

const maxLength = 200

const attribute = (name: string, value: unknown): Attributes =>
  typeof value === "string" && value !== "" ? { [name]: value.slice(0, maxLength) } : {}

/** The last part of the name of a settled question's span and log line, such as `timeout` in `elicitation.timeout`. */
export function endOf({ status }: Elicitation): string {
  if (status === "expired") return "timeout"
  return status === "unsupported" ? "failed" : status
}
