// What the suite knows about the server under test. Only `url` and `fetch` are required; checks that need more are skipped
// with the reason.

export type UrlModeRevision = "2026-07-28" | "2025-11-25" | "2025-06-18"

/** Newest first. */
export const urlModeRevisions: readonly UrlModeRevision[] = ["2026-07-28", "2025-11-25", "2025-06-18"]

export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>

/** Two people, whom the server distinguishes by their clients' credentials. */
export type UrlModePerson = "first" | "second"

export interface UrlModeTool {
  readonly name: string
  readonly arguments?: Readonly<Record<string, unknown>>
  /** Other arguments that the tool accepts, to check whether state is bound to the arguments. */
  readonly otherArguments?: Readonly<Record<string, unknown>>
}

export interface UrlModeTarget {
  /** The MCP endpoint. */
  readonly url: string
  /** Reaches the endpoint and the pages that links lead to. Must not follow redirects when told `redirect: "manual"`. */
  readonly fetch: Fetch
  /** Sent with every request of that person's client, as `Authorization`. */
  readonly people?: Readonly<Partial<Record<UrlModePerson, Readonly<Record<string, string>>>>>
  /** Personal data that no link may contain: mail addresses, names, subjects. */
  readonly personal?: readonly string[]
  /**
   * Asks a question in url mode. A function is called for each check, so that checks do not see each other's
   * results. When neither tool is given, both are looked for in `tools/list`.
   */
  readonly urlTool?: UrlModeTool | (() => UrlModeTool)
  /** Asks a question in form mode. */
  readonly formTool?: UrlModeTool
  /** What a client would fill in there; default: content that fits the schema. */
  readonly formContent?: Readonly<Record<string, unknown>>
  /** A text that only the result of a finished url tool contains. */
  readonly done?: string
  /** Finishes a link in a browser that is signed in as that person. A refusal is not a failure of the hook. */
  readonly finish?: (link: string, who: UrlModePerson) => Promise<void>
  /** Makes the server forget finished questions, so that the url tool asks again. */
  readonly reset?: () => Promise<void>
  /** Advances the time until the server's `requestState` has expired. */
  readonly expire?: () => Promise<void>
  /** How long a single answer may take before the client gives up. Default: 60 s, as in most clients. */
  readonly legMs?: number
  /** How long to wait before concluding that something did not happen. Default: 1.5 s. */
  readonly quietMs?: number
}
