// Every path that a server has without any part, defined once: the table of routes uses these paths, and so does every
// link to a page. A part has its own paths in its folder.

import { HoldpointError } from "./error.ts"
import { withoutEnd } from "./trim.ts"

/** The path of every page and API. `:id` and the like are path parameters; a path has at most one. */
export const paths = {
  start: "/",
  asset: "/assets/:name",

  signIn: "/signin",
  signInWith: "/signin/:provider",
  /** The redirect address for the identity provider. If there are several, each has its own address. */
  signInReturn: "/signin/callback",
  signInReturnOf: "/signin/callback/:provider",
  signOut: "/signout",

  /** Local mode: receives the buttons of a page that refuses an unknown browser, such as “Show it to me”. */
  browser: "/browser",

  connect: "/connect/:id",
  connectContinue: "/connect/:id/continue",
  connectStatus: "/connect/:id/status",
  /** The redirect address for account providers: one for each, or one shared address. */
  consentReturn: "/oauth/callback",
  consentReturnOf: "/oauth/callback/:context",
  /** The client id metadata document for the authorization servers of one provider. */
  clientDocument: "/oauth/client/:provider",

  visit: "/visit/:id",
  visitContinue: "/visit/:id/continue",
  visitStatus: "/visit/:id/status",

  authorize: "/authorize/:id",
  authorizeContinue: "/authorize/:id/continue",

  inbox: "/inbox",
  inboxEvents: "/inbox/events",
  question: "/inbox/:id",
  timeline: "/inbox/:id/timeline",

  account: "/account",
  disconnect: "/account/connections/:id/disconnect",
  narrow: "/account/connections/:id/narrow",
  reconnect: "/account/connections/:id/reconnect",
  withdraw: "/account/programs/:id/withdraw",
  choices: "/account/choices",
  reach: "/account/reach",
  projects: "/account/projects",
  endSession: "/account/sessions/:id/end",
  endAllSessions: "/account/sessions/end-all",

  /** The keys of programs that ask over HTTP. */
  programKeys: "/account/keys",
  removeProgramKey: "/account/keys/:id/remove",

  completeHook: "/hooks/complete",

  /** The HTTP API: programs ask here, and people's own answers come here. */
  apiQuestions: "/api/questions",
  apiQuestion: "/api/questions/:id",
  apiEvents: "/api/questions/:id/events",
  apiCancel: "/api/questions/:id/cancel",
  apiComplete: "/api/questions/:id/complete",
  apiAnswer: "/api/questions/:id/answer",
  apiDocument: "/api/openapi.json",

  /** The default path of a mounted MCP server. */
  mcp: "/mcp",
} as const

/**
 * Additional paths of pages. Other servers use these paths for the same pages, and their clients may have stored them.
 */
export const aliases = {
  signInReturn: "/oauth/login-callback",
  connect: ["/oauth/provision", "/oauth/authorize-nextcloud"],
  consentReturn: "/oauth/callback-nextcloud",
  account: "/user/page",
} as const

/** The arguments of a function that fills in a path: one value if the path has a parameter, else none. */
type PathValues<P extends string> = string extends P
  ? readonly [value?: string]
  : P extends `${string}:${string}`
    ? readonly [value: string]
    : readonly []

/** The path with its parameter filled in, for links and forms of the pages themselves. */
export function pathTo<P extends string>(path: P, ...values: PathValues<P>): string {
  return path.replace(/:\w+/, () => encodeURIComponent(values[0] ?? ""))
}

/**
 * What local mode adds to a link and its page: a key that admits the person's browser, and a short code that the person
 * compares with the one that the program shows.
 */
export interface LocalMarks {
  keyOf(name: string): string
  codeOf(page: string): string
}

/** The links to the pages, made by `createAddresses`. */
export interface Addresses {
  /** The base address of the pages, without a trailing slash. */
  readonly publicUrl: string
  /** The absolute address of a page, for links from elsewhere. */
  to<P extends string>(path: P, ...values: PathValues<P>): string
  /**
   * The absolute address of the inbox or the account page; in local mode with the key that admits the person's browser.
   */
  home(path: typeof paths.inbox | typeof paths.account): string
  /** Whether an address begins with the base address. */
  isOurs(address: string): boolean
  /**
   * The short code on a question's page or, without a question, on the inbox, in local mode. Undefined where people
   * sign in.
   */
  codeOf(question?: string): string | undefined
}

/** The name from which local mode derives the key and the code of the inbox and the account page. */
export const localHome = "home"

/** Makes every link to the pages, from the address by which people reach them. */
export function createAddresses(baseAddress: string, local?: LocalMarks): Addresses {
  const url = URL.parse(baseAddress)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "")
    throw new HoldpointError("invalid_config", "The public address must be a web address without ? and #.")
  const publicUrl = withoutEnd(baseAddress, /\//)
  return {
    publicUrl,
    to: (path, ...values) => `${publicUrl}${pathTo(path, ...values)}`,
    home: (path) => `${publicUrl}${path}${local === undefined ? "" : `?key=${local.keyOf(localHome)}`}`,
    isOurs: (address) => address.startsWith(`${publicUrl}/`),
    codeOf: (question = localHome) => local?.codeOf(question),
  }
}

/**
 * The path of the sign-in page, with the page to come back to. `choose` shows the choice of providers even if there is
 * only one; `problem` says what went wrong.
 */
export function signInTo(returnTo: string | undefined, { choose = false, problem }: SignInChoice = {}): string {
  const returnParameter = returnTo === undefined ? [] : [`to=${encodeURIComponent(returnTo)}`]
  const problemParameter = problem === undefined ? [] : [`problem=${encodeURIComponent(problem)}`]
  const query = [...(choose ? ["choose"] : []), ...problemParameter, ...returnParameter].join("&")
  return `${paths.signIn}${query === "" ? "" : `?${query}`}`
}

interface SignInChoice {
  readonly choose?: boolean
  readonly problem?: string
}
