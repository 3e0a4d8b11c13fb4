// The one error class and the one table of codes. A refusal is a value that carries one of these codes; a failure is
// a thrown HoldpointError. Nothing here may hold an answer's content or a secret: messages end up in logs.

/**
 * What a code means on each wire: HTTP status, JSON-RPC code, A2A code, and whether the same call may succeed later.
 */
export interface CodeMeaning {
  readonly http: number
  readonly jsonRpc: number
  readonly a2a: number
  readonly retryable: boolean
}

/** The meaning of each error code on each wire. */
export const errorCodes = {
  /** The question itself is malformed: form, message, url, audience, lifetime. */
  invalid_question: { http: 422, jsonRpc: -32602, a2a: -32602, retryable: false },
  /** A form field asks for a secret. Use url mode. */
  secret_in_form: { http: 422, jsonRpc: -32602, a2a: -32602, retryable: false },
  /** The address breaks the url policy. */
  unsafe_url: { http: 422, jsonRpc: -32602, a2a: -32602, retryable: false },
  /** An idempotency key was used again for a different question. */
  key_conflict: { http: 409, jsonRpc: -32602, a2a: -32602, retryable: false },
  /** The person has too many open questions. */
  too_many_for_person: { http: 429, jsonRpc: -32603, a2a: -32603, retryable: true },
  /** The tenant has too many open questions. */
  too_many_for_tenant: { http: 429, jsonRpc: -32603, a2a: -32603, retryable: true },
  /** The program has too many open questions. */
  too_many_for_program: { http: 429, jsonRpc: -32603, a2a: -32603, retryable: true },
  /** No elicitation has this id (or it was removed by retention). */
  not_found: { http: 404, jsonRpc: -32602, a2a: -32001, retryable: false },
  /** The person is not in the audience. */
  not_addressee: { http: 403, jsonRpc: -32602, a2a: -32001, retryable: false },
  /** The question was asked on this person's behalf, so they may not answer it themselves. */
  own_request: { http: 403, jsonRpc: -32602, a2a: -32004, retryable: false },
  /** The place of the answer showed only a part of the question, which stays open. It is answered on its page. */
  detail_unseen: { http: 409, jsonRpc: -32602, a2a: -32004, retryable: false },
  /** The content does not fit the form. The question stays open. */
  invalid_answer: { http: 422, jsonRpc: -32602, a2a: -32602, retryable: true },
  /** The question was already answered or cancelled. The refusal says how it ended. */
  already_settled: { http: 409, jsonRpc: -32602, a2a: -32004, retryable: false },
  /** A url question was accepted before; it now waits for completion. */
  already_accepted: { http: 409, jsonRpc: -32602, a2a: -32004, retryable: false },
  /** The deadline has passed. */
  expired: { http: 410, jsonRpc: -32602, a2a: -32004, retryable: false },
  /** The question cannot expire, because its deadline has not passed. */
  not_due: { http: 409, jsonRpc: -32602, a2a: -32004, retryable: true },
  /** The step does not exist for this mode (completing a form, opening a form). */
  wrong_mode: { http: 409, jsonRpc: -32602, a2a: -32004, retryable: false },
  /** A url question can only be completed or failed after somebody accepted it. */
  not_accepted: { http: 409, jsonRpc: -32602, a2a: -32004, retryable: true },
  /** The database cannot be reached. A write in progress may have taken effect. */
  store_unavailable: { http: 503, jsonRpc: -32603, a2a: -32603, retryable: true },
  /** The database was written by a newer program. */
  schema_too_new: { http: 503, jsonRpc: -32603, a2a: -32603, retryable: false },
  /** The hub or its storage was closed. */
  closed: { http: 503, jsonRpc: -32603, a2a: -32603, retryable: true },
  /** The account has to be connected first, or again, by its owner. The reason says which. */
  connection_needed: { http: 409, jsonRpc: -32603, a2a: -32603, retryable: false },
  /** The connection was disconnected. */
  connection_revoked: { http: 410, jsonRpc: -32603, a2a: -32603, retryable: false },
  /** Another caller, process or machine is refreshing the connection right now. */
  refresh_under_way: { http: 503, jsonRpc: -32603, a2a: -32603, retryable: true },
  /** The provider cannot be reached, or its response cannot be parsed. Nothing was lost. */
  provider_unavailable: { http: 502, jsonRpc: -32603, a2a: -32603, retryable: true },
  /** The provider refused, with its own error. */
  provider_refused: { http: 502, jsonRpc: -32603, a2a: -32603, retryable: false },
  /** There is no provider of this name. */
  unknown_provider: { http: 404, jsonRpc: -32602, a2a: -32602, retryable: false },
  /** The address must not be requested: not https, not public, or not the provider's. */
  unsafe_address: { http: 422, jsonRpc: -32602, a2a: -32602, retryable: false },
  /** The keys are missing, malformed, or not those that the database was sealed with. */
  wrong_key: { http: 500, jsonRpc: -32603, a2a: -32603, retryable: false },
  /** Sealed data was altered, moved, or sealed with a key that is no longer in the ring. */
  sealed_unreadable: { http: 500, jsonRpc: -32603, a2a: -32603, retryable: false },
  /** There is no signed-in person, or the sign-in failed. */
  not_signed_in: { http: 401, jsonRpc: -32600, a2a: -32600, retryable: false },
  /** The link cannot be used by this person in this browser now. The error gives no further reason, on purpose. */
  link_unusable: { http: 404, jsonRpc: -32602, a2a: -32001, retryable: false },
  /** The person was asked and did not complete the question. The error has the outcome. */
  not_answered: { http: 409, jsonRpc: -32603, a2a: -32603, retryable: false },
  /** The form was answered, but the answer is gone: retention removed it, or its key is lost. Ask again. */
  content_gone: { http: 410, jsonRpc: -32603, a2a: -32603, retryable: false },
  /** A replayed handler asked something different, or in a different order. */
  replay_diverged: { http: 500, jsonRpc: -32603, a2a: -32603, retryable: false },
  /**
   * An effect was begun and it is unknown whether it finished: its process ended, or another request is still running
   * it.
   */
  effect_unknown: { http: 409, jsonRpc: -32603, a2a: -32603, retryable: false },
  /** The request needs a known person, and the caller is anonymous. */
  caller_unknown: { http: 401, jsonRpc: -32600, a2a: -32600, retryable: false },
  /** The caller is known, and may not do this. */
  not_allowed: { http: 403, jsonRpc: -32600, a2a: -32600, retryable: false },
  /** The request cannot be read: its body, a parameter or a header. */
  invalid_request: { http: 400, jsonRpc: -32600, a2a: -32600, retryable: false },
  /** The body is larger than the limit. */
  too_large: { http: 413, jsonRpc: -32600, a2a: -32600, retryable: false },
  /** Too many requests, or too many that failed, in a short time. */
  too_often: { http: 429, jsonRpc: -32603, a2a: -32603, retryable: true },
  /** The caller has as many streams open as one caller may have. */
  too_many_streams: { http: 429, jsonRpc: -32603, a2a: -32603, retryable: true },
  /** This server failed in a way that the caller cannot fix. The reason is in the log. */
  internal: { http: 500, jsonRpc: -32603, a2a: -32603, retryable: true },
  /** Configuration, flag or environment value that cannot be used. */
  invalid_config: { http: 500, jsonRpc: -32603, a2a: -32603, retryable: false },
} as const satisfies Record<string, CodeMeaning>

/** What a `HoldpointError` or a refusal is about, for programs. */
export type ErrorCode = keyof typeof errorCodes

/** One fault of an input: where it is, what is wrong, and what to write instead. `path` is "" for the whole input. */
export interface Problem {
  readonly path: string
  readonly message: string
  readonly suggestion?: string
}

/** What an error says besides its code and message. */
export interface ErrorDetails {
  readonly problems?: readonly Problem[]
  readonly cause?: unknown
  readonly retryAfterMs?: number
}

/** What a failed call throws: `code` is for programs, the message for people. */
export class HoldpointError extends Error {
  readonly code: ErrorCode
  readonly problems: readonly Problem[]
  /** The other side asked not to be called again before this time has passed. A failed delivery waits as long. */
  readonly retryAfterMs?: number

  constructor(code: ErrorCode, message: string, options: ErrorDetails = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = "HoldpointError"
    this.code = code
    this.problems = options.problems ?? []
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs
  }

  get retryable(): boolean {
    return errorCodes[this.code].retryable
  }

  /**
   * Whether the storage failed. That is never the result of the work that was under way: a write in progress may or may
   * not have taken effect, and the work can be done when the storage works again.
   */
  get isOfStorage(): boolean {
    return this.code === "store_unavailable" || this.code === "closed"
  }
}

/** Whether a value is a HoldpointError. Works across copies of this package, where `instanceof` does not. */
export function isHoldpointError(value: unknown): value is HoldpointError {
  return value instanceof Error && value.name === "HoldpointError" && "code" in value
}

/** Whether the error says that the storage failed. */
export function isStoreFailure(error: unknown): error is HoldpointError {
  return isHoldpointError(error) && error.isOfStorage
}

/** An `invalid_config` error that lists every problem, one per line. */
export function invalidConfig(subject: string, problems: readonly Problem[]): HoldpointError {
  const lines = problems.map(({ path, message, suggestion = "" }) =>
    `- ${path === "" ? "" : `${path}: `}${message} ${suggestion}`.trimEnd(),
  )
  return new HoldpointError("invalid_config", `${subject} cannot be used.\n${lines.join("\n")}`, { problems })
}
