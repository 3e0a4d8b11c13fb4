// What is known after a storm, from outside of the servers: what the ledger, the receivers and the clients saw, and what the
// database says. The rules compare these facts. Times are of the clock of the storm's own process.

/** A question as the database has it at the end. */
export interface QuestionFact {
  readonly id: string
  readonly status: string
  readonly said?: string | undefined
  readonly message: string
  /** How many people have to agree. */
  readonly approvals?: number | undefined
  /** The votes, when several people answer. */
  readonly votes?: readonly { readonly by: string; readonly said: string }[] | undefined
  /** The Noes in its trail. `isFirst`: no effect of the answer had begun before. Undefined when it was not read. */
  readonly noes?: readonly { readonly by: string; readonly isFirst: boolean }[] | undefined
}

/** An effect that reached the ledger. */
export interface EffectFact {
  readonly key: string
  readonly at: number
}

/** One request that answers a question, and its response. */
export interface AnswerFact {
  readonly question: string
  /** The subject of the person. */
  readonly by: string
  readonly said: "yes" | "no"
  readonly via: string
  readonly sentAt: number
  /** When the response came. Undefined when the connection was cut before, so that it is unknown whether it counted. */
  readonly heardAt?: number | undefined
  readonly httpStatus?: number | undefined
  /** How the question has ended, as the response says. */
  readonly told?: string | undefined
  /** What the response says in words. */
  readonly words: string
}

/** A place that said how a question ended. */
export interface EndFact {
  readonly question: string
  readonly status: string
  readonly said?: string | undefined
  readonly where: string
}

/** What a person or program was told in the end about the act of this key. */
export type ActOutcome = "done" | "not done" | "unknown" | "failed"

/** One piece of work that was begun: a message to an agent, a call, a task. */
export interface WorkFact {
  readonly key: string
  readonly surface: string
  /** Undefined when its actor never got an end. */
  readonly told?: ActOutcome | undefined
  /** The words of the end. */
  readonly words: string
  /** False when its beginning had an unknown outcome, so that it may never have begun. */
  readonly isBegun: boolean
  readonly place?: string | undefined
  /** Whether the work has one act that the ledger counts. */
  readonly hasEffect: boolean
  /** Whether the act needs a person's Yes. */
  readonly needsYes: boolean
}

/** A stream of numbered events, as one reader got it over all its connections. */
export interface StreamFact {
  readonly id: string
  readonly where: string
  readonly events: readonly NumberedEvent[]
  readonly hasEnd: boolean
  /** The same stream, read from its first event after the storm. */
  readonly log?: readonly NumberedEvent[] | undefined
}

export interface NumberedEvent {
  readonly number: number
  readonly data: string
}

/** Something that should be finished by the end of the quiet period. */
export interface OpenFact {
  readonly kind: string
  readonly id: string
  readonly state: string
}

/** An event that a receiver of webhooks should have got. */
export interface WebhookFact {
  readonly endpoint: string
  readonly question: string
  readonly type: string
  readonly received: number
  /** The state of its delivery in the database: undefined when there is none. */
  readonly delivery?: string | undefined
  /** How long it has been due at the end, while no process had it and no earlier event of the question was before it. */
  readonly overdueMs: number
  /** Whether the receiver takes connections and never answers, now and then. */
  readonly hangs: boolean
}

/** A message of ours in a mailbox or in Slack about a question that has ended. */
export interface MessageFact {
  readonly outlet: string
  /** The key of the act that it asks about. */
  readonly about: string
  /** Whether the database still has its delivery, which a process withdraws when it is due. */
  readonly isOwed: boolean
  readonly isWithdrawn: boolean
}

/** The end of a process. */
export interface ProcessFact {
  readonly node: string
  readonly isAsked: boolean
  readonly how: string
  readonly lastWords: string
}

/** A line of a process that no server should print. */
export interface OutputFact {
  readonly node: string
  readonly line: string
}

export interface Facts {
  /** The places of replies that a process still has to begin or to continue, when a lease ends. */
  readonly owedPlaces: ReadonlySet<string>
  readonly questions: readonly QuestionFact[]
  readonly effects: readonly EffectFact[]
  readonly answers: readonly AnswerFact[]
  readonly ends: readonly EndFact[]
  readonly works: readonly WorkFact[]
  readonly streams: readonly StreamFact[]
  readonly open: readonly OpenFact[]
  readonly webhooks: readonly WebhookFact[]
  readonly messages: readonly MessageFact[]
  readonly processes: readonly ProcessFact[]
  readonly outputs: readonly OutputFact[]
}

/** Something that was lost, doubled, stuck or untrue. */
export interface Finding {
  readonly rule: string
  readonly words: string
  /** The ids of what it is about. */
  readonly ids: readonly string[]
}

export type Rule = (facts: Facts) => readonly Finding[]

/** Each act has a key that is in the question about it, in its result and in the ledger. */
export const keyPattern = /\bk\d+x\b/
