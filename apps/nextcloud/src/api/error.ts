// Errors of Nextcloud in words for models: what failed, why, and what to try. They never contain the request's data.

export type ErrorKind =
  | "invalid"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "locked"
  | "throttled"
  | "full"
  | "too_large"
  | "unavailable"
  | "failed"
  | "malformed"
  | "unsupported"

export interface NextcloudError extends Error {
  readonly kind: ErrorKind
  /** The HTTP status, or 0 when there was no response. */
  readonly status: number
  /** The server's own message, or "" when it sent none. */
  readonly detail: string
  /** After a conflict: the current state, so that the model can merge. */
  readonly current?: unknown
}

export interface ErrorFacts {
  readonly status?: number
  /** The operation that failed, for example “reading the note 5”. */
  readonly activity: string
  /** The server's own message. For `malformed`: what arrived instead of the expected data. */
  readonly detail?: string
  /** Replaces the usual reason, for example when no request was sent. */
  readonly because?: string
  /** Replaces the usual advice. */
  readonly advice?: string
  readonly current?: unknown
}

export function nextcloudError(kind: ErrorKind, facts: ErrorFacts): NextcloudError {
  const { status = 0, activity, detail, because = reasons[kind], advice = adviceByKind[kind], current } = facts
  const message = shorten((detail ?? "").trim())
  // For `malformed`, `detail` is our own description of what was wrong with the response.
  const detailText = kind === "malformed" && message !== "" ? `: ${message}` : ""
  const words = [`${capital(shorten(activity))} failed: ${because}${status === 0 ? "" : ` (${status})`}${detailText}.`]
  if (message !== "" && detailText === "") words.push(`Nextcloud says: “${message}”.`)
  words.push(advice)
  const currentField = current === undefined ? {} : { current }
  return Object.assign(new Error(words.join(" ")), {
    name: "NextcloudError",
    kind,
    status,
    detail: message,
    ...currentField,
  })
}

export function isNextcloudError(error: unknown): error is NextcloudError {
  return error instanceof Error && error.name === "NextcloudError"
}

const reasons: Readonly<Record<ErrorKind, string>> = {
  invalid: "Nextcloud rejected the request as invalid",
  unauthorized: "Nextcloud does not accept the credentials",
  forbidden: "this account may not do that",
  not_found: "it was not found",
  conflict: "it has changed since it was read, or it already exists",
  locked: "it is locked because someone is working on it",
  throttled: "Nextcloud received too many requests from this server",
  full: "the account has no space left",
  too_large: "it is too large",
  unavailable: "Nextcloud cannot be reached or is not working",
  failed: "Nextcloud reported an internal error",
  malformed: "Nextcloud's response cannot be understood",
  unsupported: "this server does not support that",
}

const adviceByKind: Readonly<Record<ErrorKind, string>> = {
  invalid: "Check the arguments and try again.",
  unauthorized: "Call again: the user will be asked to reconnect.",
  forbidden: "Do not try again; the owner or an administrator would have to allow it.",
  not_found: "List or search first, and use an id or path from the results. It may also be hidden from this account.",
  conflict: "Read it again, merge the change into the current state, and try again with the new etag.",
  locked: "Nothing was changed. Try again in a few minutes, or tell the user.",
  throttled: "Nothing was changed. Wait a few minutes before trying again.",
  full: "Nothing was stored. The user has to free some space first.",
  too_large: "Split it, or read a part of it.",
  unavailable: "Try again later. If it keeps failing, tell the user that their Nextcloud is not reachable.",
  failed:
    "Check whether the change was made. Repeating it is unlikely to help: Nextcloud or the app may not allow this " +
    "change. Tell the user; the server's log has the details.",
  malformed: "Trying again is unlikely to help; tell the user. The server may be misconfigured or too old.",
  unsupported: "Use another tool, or tell the user that an app is missing.",
}

/** The kind of error for an HTTP status about which nothing else is known. */
export function kindOf(status: number): ErrorKind {
  switch (status) {
    case 401:
      return "unauthorized"
    case 403:
      return "forbidden"
    case 404:
    case 410:
      return "not_found"
    case 405:
    case 501:
      return "unsupported"
    case 409:
    case 412:
      return "conflict"
    case 413:
      return "too_large"
    case 423:
      return "locked"
    case 429:
      return "throttled"
    case 500:
      return "failed"
    case 507:
      return "full"
    default:
      return status >= 500 ? "unavailable" : status >= 400 ? "invalid" : "malformed"
  }
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const shorten = (text: string): string =>
  text.length > 300 ? `${text.slice(0, 299).replace(/[\ud800-\udbff]$/, "")}…` : text
