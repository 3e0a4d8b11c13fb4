// What went wrong at Nextcloud, for models: what failed, why, what to try. Never what was sent.

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
  /** Of the response, 0 when there was none. */
  readonly status: number
  /** In the server's own words, "" when it said nothing. */
  readonly said: string
  /** After a conflict: what is there now, so that it can be merged. */
  readonly current?: unknown
}

export interface ErrorFacts {
  readonly status?: number
  /** What was tried, as “reading the note 5”. */
  readonly doing: string
  /** In the server's own words; for what is malformed, what was found in place of an answer. */
  readonly said?: string
  /** In our own words, in place of the usual reason: where Nextcloud was not asked at all. */
  readonly because?: string
  /** In place of the usual advice. */
  readonly advice?: string
  readonly current?: unknown
}

export function nextcloudError(kind: ErrorKind, facts: ErrorFacts): NextcloudError {
  const { status = 0, doing, said, because = reasons[kind], advice = advices[kind], current } = facts
  const heard = cut((said ?? "").trim())
  // What cannot be understood is told in our own words: what was missing in it.
  const missed = kind === "malformed" && heard !== "" ? `: ${heard}` : ""
  const words = [`${capital(cut(doing))} failed: ${because}${status === 0 ? "" : ` (${status})`}${missed}.`]
  if (heard !== "" && missed === "") words.push(`Nextcloud says: “${heard}”.`)
  words.push(advice)
  const rest = current === undefined ? {} : { current }
  return Object.assign(new Error(words.join(" ")), { name: "NextcloudError", kind, status, said: heard, ...rest })
}

export function isNextcloudError(error: unknown): error is NextcloudError {
  return error instanceof Error && error.name === "NextcloudError"
}

const reasons: Readonly<Record<ErrorKind, string>> = {
  invalid: "Nextcloud does not accept it as it is",
  unauthorized: "Nextcloud does not accept the credentials",
  forbidden: "this account may not do that",
  not_found: "it is not there",
  conflict: "it was changed meanwhile, or it exists already",
  locked: "it is locked by somebody who is working on it",
  throttled: "Nextcloud has had too many requests from here",
  full: "the account has no space left",
  too_large: "it is too large",
  unavailable: "Nextcloud cannot be reached or does not work now",
  failed: "Nextcloud met an error of its own",
  malformed: "what Nextcloud answered cannot be understood",
  unsupported: "this server cannot do that",
}

const advices: Readonly<Record<ErrorKind, string>> = {
  invalid: "Check the arguments and try again.",
  unauthorized: "Call again: the user is asked to connect again.",
  forbidden: "Do not try again; the owner or an administrator would have to allow it.",
  not_found: "List or search first, and use what is found there. It may also not be visible to this account.",
  conflict: "Read it again, merge the change into what is there now, and try with its new etag.",
  locked: "Nothing was changed. Try again in a few minutes, or tell the user.",
  throttled: "Nothing was changed. Wait some minutes before trying again.",
  full: "Nothing was stored. The user has to free some space first.",
  too_large: "Split it, or read a part of it.",
  unavailable: "Try again later. If it goes on, tell the user that their Nextcloud is not reachable.",
  failed:
    "Look whether it was done. Trying the same again is unlikely to help: it may be something that cannot be changed there, " +
    "or that this app does not take. Tell the user; the server's log says more.",
  malformed: "Trying again is unlikely to help; tell the user. The server may be misconfigured or too old.",
  unsupported: "Use another tool, or tell the user that an app is missing.",
}

/** From a status, where nothing more is known. */
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

const cut = (text: string): string =>
  text.length > 300 ? `${text.slice(0, 299).replace(/[\ud800-\udbff]$/, "")}…` : text
