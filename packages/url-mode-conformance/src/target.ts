// What the suite has to know about the server under test. Only `url` and `fetch` are needed; whatever else is missing
// makes the checks that need it say so and be skipped.

export type UrlModeRevision = "2026-07-28" | "2025-11-25" | "2025-06-18"

/** Newest first. */
export const urlModeRevisions: readonly UrlModeRevision[] = ["2026-07-28", "2025-11-25", "2025-06-18"]

export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>

/** Two people whom the server tells apart by what their clients send. */
export type UrlModePerson = "first" | "second"

export interface UrlModeTool {
  readonly name: string
  readonly arguments?: Readonly<Record<string, unknown>>
  /** Other arguments that the tool takes as well, to see whether state is bound to those it was made for. */
  readonly otherArguments?: Readonly<Record<string, unknown>>
}

export interface UrlModeTarget {
  /** The MCP endpoint. */
  readonly url: string
  /** Reaches the endpoint and the pages that links lead to. Must not follow redirects when told `redirect: "manual"`. */
  readonly fetch: Fetch
  /** Sent with every request of that person's client, as `Authorization`. */
  readonly people?: Readonly<Partial<Record<UrlModePerson, Readonly<Record<string, string>>>>>
  /** What is known of these people and must stand in no address: mail addresses, names, subjects. */
  readonly personal?: readonly string[]
  /**
   * Asks a question in url mode. A function is called for each check, so that none finds what another
   * left behind. When neither tool is given, both are looked for in `tools/list`.
   */
  readonly urlTool?: UrlModeTool | (() => UrlModeTool)
  /** Asks a question in form mode. */
  readonly formTool?: UrlModeTool
  /** What a client would fill in there; by default something that fits the schema. */
  readonly formContent?: Readonly<Record<string, unknown>>
  /** Stands in the result of a url tool that was finished, and in no other. */
  readonly done?: string
  /** Does with a browser, signed in as that person, all that a link asks for. A refusal is no failure of the hook. */
  readonly finish?: (link: string, who: UrlModePerson) => Promise<void>
  /** Makes the server forget what was finished, so that the url tool asks again. */
  readonly reset?: () => Promise<void>
  /** Lets the time pass after which the server's `requestState` is too old. */
  readonly expire?: () => Promise<void>
  /** How long a single answer may take before the client gives up; 60 s, as most clients do. */
  readonly legMs?: number
  /** How long to look before saying that something did not happen; 1.5 s. */
  readonly quietMs?: number
}
