// The matrix as data: which client, over what, is asked which kind of question, and how it ends. Every combination is a
// cell, with what must be seen or with the reason why it cannot exist.

import type { Status } from "@holdpoint/hub"
import type { ClientKind, TransportKind } from "@holdpoint/testkit/mcp/server/clients/client"
import { clientKinds, transportKinds } from "@holdpoint/testkit/mcp/server/clients/client"

export const questions = ["form", "url", "connection"] as const
export type Question = (typeof questions)[number]

/**
 * What happens to the question. `accept`: the person agrees, and does what a page asks for. `decline`, `cancel`: said at
 * the client, or on the page where a client has no way to say it. `expire`: the deadline passes first. `late`: it was
 * settled elsewhere before the client answered. `invalid`: the client's answer does not fit. `foreign`: others try to
 * answer first; then as `accept`.
 */
export const answers = ["accept", "decline", "cancel", "expire", "late", "invalid", "foreign"] as const
export type Answer = (typeof answers)[number]

/** How the question reaches the client: `acknowledge` is a link in a form; `error` and `text` end the call with a link. */
export type Carrier = "round" | "push" | "acknowledge" | "error" | "text"

export interface Expected {
  readonly carrier: Carrier
  /** How often the person at the client was asked. */
  readonly prompts: number
  /** The end that the caller sees. */
  readonly ends: "done" | "declined" | "cancelled" | "expired" | "failed" | "asked again"
  /** The status of the question then. */
  readonly status: Status
  /** What `elicitation/track` of the drafts says. */
  readonly tracked?: "complete" | "failed" | "error"
  /** Whether the server's request was withdrawn from the client. */
  readonly withdrawn?: true
  /** Whether the client was notified that its link is completed. */
  readonly told?: true
}

interface CellPosition {
  readonly client: ClientKind
  readonly transport: TransportKind
  readonly question: Question
  readonly answer: Answer
}

export type Cell = CellPosition & ({ readonly expect: Expected } | { readonly impossible: string })

type Carriers = Readonly<Record<Question, Carrier>> | { readonly impossible: string }

const all = (carrier: Carrier): Carriers => ({ form: carrier, url: carrier, connection: carrier })
const noSessions = {
  impossible: "this client speaks 2026-07-28 with us, which has no sessions: over HTTP it is always stateless",
}

/** How each client is asked, by transport. */
const carriers: Readonly<Record<ClientKind, Readonly<Record<TransportKind, Carriers>>>> = {
  "v2 pinned to 2026-07-28": { stdio: all("round"), sessionful: noSessions, stateless: all("round") },
  "v2 auto": { stdio: all("round"), sessionful: noSessions, stateless: all("round") },
  "v2 legacy": { stdio: all("push"), sessionful: all("push"), stateless: all("error") },
  "v1.32": { stdio: all("push"), sessionful: all("push"), stateless: all("error") },
  "raw 2025-06-18": {
    stdio: { form: "push", url: "acknowledge", connection: "acknowledge" },
    sessionful: { form: "push", url: "acknowledge", connection: "acknowledge" },
    stateless: all("text"),
  },
  "raw draft": {
    stdio: { form: "push", url: "error", connection: "error" },
    sessionful: { form: "push", url: "error", connection: "error" },
    stateless: all("error"),
  },
  "no capability": { stdio: all("text"), sessionful: all("text"), stateless: all("text") },
}

type Ending = Omit<Expected, "carrier"> | { readonly impossible: string }

const asked = { prompts: 1 }
const notAsked = { prompts: 0 }
const done = { ends: "done", status: "completed" } as const
const declined = { ends: "declined", status: "declined" } as const
const cancelled = { ends: "cancelled", status: "cancelled" } as const
const expired = { ends: "expired", status: "expired" } as const

/** The ends of a form that the client shows. */
const formAtClient: Readonly<Record<Answer, Ending>> = {
  accept: { ...asked, ...done },
  decline: { ...asked, ...declined },
  cancel: { ...asked, ...cancelled },
  expire: { ...asked, ...expired },
  late: { ...asked, ...done },
  // Asked once, and again with the problems named.
  invalid: { prompts: 3, ends: "failed", status: "cancelled" },
  foreign: { ...asked, ...done },
}

/** The ends of a link that the client shows: content sent with an accept is ignored. */
const linkAtClient: Readonly<Record<Answer, Ending>> = { ...formAtClient, invalid: { ...asked, ...done } }

const unanswered = { impossible: "the call has ended with a link: no answer of the client's follows that could be so" }

/** The call ends with a link; the person answers on the page, and the client calls again. */
const onThePage: Readonly<Record<Answer, Ending>> = {
  accept: { ...notAsked, ...done },
  decline: { ...notAsked, ...declined },
  cancel: { ...notAsked, ...cancelled },
  expire: { ...notAsked, ...expired },
  late: unanswered,
  invalid: unanswered,
  foreign: { ...notAsked, ...done },
}

const tracked: Readonly<Partial<Record<Answer, NonNullable<Expected["tracked"]>>>> = {
  accept: "complete",
  decline: "failed",
  cancel: "failed",
  expire: "error",
  foreign: "complete",
}

/**
 * What clients up to 2025-11-25 receive in addition: withdrawals of questions that ended elsewhere, and completed
 * links.
 */
function heardOf(
  carrier: Carrier,
  { transport, question, answer }: CellPosition,
): Pick<Expected, "withdrawn" | "told"> {
  if (carrier === "round" || carrier === "text") return {}
  const isElsewhere = carrier !== "error" && (answer === "expire" || answer === "late")
  const isLink = carrier === "error" ? transport !== "stateless" : carrier === "push" && question !== "form"
  const isDone = !["decline", "cancel", "expire"].includes(answer)
  return { ...(isElsewhere ? { withdrawn: true } : {}), ...(isLink && isDone ? { told: true } : {}) }
}

function endingOf(carrier: Carrier, question: Question, answer: Answer): Ending {
  if (carrier === "error" || carrier === "text") {
    // A form is asked once per call; an expired link is replaced by a new one.
    const isAskedAgain = answer === "expire" && question !== "form"
    return isAskedAgain ? { ...notAsked, ends: "asked again", status: "expired" } : onThePage[answer]
  }
  return (question === "form" ? formAtClient : linkAtClient)[answer]
}

function toCell(client: ClientKind, transport: TransportKind, question: Question, answer: Answer): Cell {
  const position = { client, transport, question, answer }
  const table = carriers[client][transport]
  if ("impossible" in table) return { ...position, impossible: table.impossible }
  const carrier = table[question]
  const ending = endingOf(carrier, question, answer)
  if ("impossible" in ending) return { ...position, impossible: ending.impossible }
  const track = client === "raw draft" && carrier === "error" ? tracked[answer] : undefined
  const heard = heardOf(carrier, position)
  return { ...position, expect: { carrier, ...ending, ...heard, ...(track === undefined ? {} : { tracked: track }) } }
}

export const matrix: readonly Cell[] = clientKinds.flatMap((client) =>
  transportKinds.flatMap((transport) =>
    questions.flatMap((question) => answers.map((answer) => toCell(client, transport, question, answer))),
  ),
)
