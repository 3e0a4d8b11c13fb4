// The description of the server under test. Only `url` and `fetch` are required; checks that need more are skipped with
// the reason.

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
  /** Reaches the endpoint and the pages that links lead to. Must honour `redirect: "manual"`. */
  readonly fetch: Fetch
  /** The headers that identify each person, such as `authorization`. Their client sends them with every request. */
  readonly people?: Readonly<Partial<Record<UrlModePerson, Readonly<Record<string, string>>>>>
  /** Personal data that no link may contain: mail addresses, names, subjects. */
  readonly personal?: readonly string[]
  /**
   * The tool that asks in url mode. A function is called for each check, so that checks do not see each other's
   * results. Without `urlTool` and `formTool`, the suite searches `tools/list` for both.
   */
  readonly urlTool?: UrlModeTool | (() => UrlModeTool)
  /** The tool that asks in form mode. */
  readonly formTool?: UrlModeTool
  /** The content with which clients answer the form tool. Default: content that fits the schema. */
  readonly formContent?: Readonly<Record<string, unknown>>
  /** A text that only the result of a finished url tool contains. */
  readonly done?: string
  /** Finishes a link in a browser that is signed in as that person. A refusal is not a failure of the hook. */
  readonly finish?: (link: string, person: UrlModePerson) => Promise<void>
  /** Makes the server forget finished questions, so that the url tool asks again. */
  readonly reset?: () => Promise<void>
  /** Advances the time until the server's `requestState` has expired. */
  readonly expire?: () => Promise<void>
  /** How long a client waits for one response before it gives up. Default: 60 s, as in most clients. */
  readonly legMs?: number
  /** How long to wait before concluding that something did not happen. Default: 1.5 s. */
  readonly quietMs?: number
}
