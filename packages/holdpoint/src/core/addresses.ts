// The address book: every path of the pages, once. The routes are served at them, and every link to a page is made here.

import { HoldpointError } from "./error.ts"

/** `:name` stands for a part of its own: the id of a question, of a connection, of a provider. */
export const paths = {
  start: "/",
  asset: "/assets/:name",

  signIn: "/signin",
  signInWith: "/signin/:provider",
  /** Where identity providers send people back to; of several, each to its own. */
  signInReturn: "/signin/callback",
  signInReturnOf: "/signin/callback/:provider",
  signOut: "/signout",

  /** Local mode: what a browser that was refused may ask for. */
  browser: "/browser",

  connect: "/connect/:id",
  connectContinue: "/connect/:id/continue",
  connectStatus: "/connect/:id/status",
  /** Where providers of accounts send people back to, each to its own or all to one. */
  consentReturn: "/oauth/callback",
  consentReturnOf: "/oauth/callback/:context",

  visit: "/visit/:id",
  visitContinue: "/visit/:id/continue",
  visitStatus: "/visit/:id/status",

  authorize: "/authorize/:id",
  authorizeContinue: "/authorize/:id/continue",

  inbox: "/inbox",
  inboxEvents: "/inbox/events",
  question: "/inbox/:id",

  account: "/account",
  disconnect: "/account/connections/:id/disconnect",
  narrow: "/account/connections/:id/narrow",
  reconnect: "/account/connections/:id/reconnect",
  withdraw: "/account/programs/:id/withdraw",
  choices: "/account/choices",
  projects: "/account/projects",
  endSession: "/account/sessions/:id/end",
  endAllSessions: "/account/sessions/end-all",

  completeHook: "/hooks/complete",

  /** Where an MCP server is mounted, unless its resource says otherwise. */
  mcp: "/mcp",
} as const

/** Names that other servers have for these pages, and that clients of theirs may have kept. */
export const aliases = {
  signInReturn: "/oauth/login-callback",
  connect: ["/oauth/provision", "/oauth/authorize-nextcloud"],
  consentReturn: "/oauth/callback-nextcloud",
  account: "/user/page",
} as const

export type Path = (typeof paths)[keyof typeof paths]

/** What stands for the `:name` in it, if there is one. */
type Part<P extends string> = P extends `${string}:${string}` ? readonly [part: string] : readonly []

/** From here, for links and forms of our own pages. */
export function pathTo<P extends Path>(path: P, ...parts: Part<P>): string {
  return path.replace(/:\w+/, () => encodeURIComponent(parts[0] ?? ""))
}

/** What local mode puts on a link and its page: the key makes a browser the person's, and codes are compared. */
export interface LocalMarks {
  keyOf(name: string): string
  codeOf(page: string): string
}

export interface Addresses {
  /** Where the pages are, without a slash at the end. */
  readonly publicUrl: string
  /** The whole address of a page, for links that lead there from elsewhere. */
  to<P extends Path>(path: P, ...parts: Part<P>): string
  /** As the person is told of it: in local mode with the key that lets them in. */
  home(path: typeof paths.inbox | typeof paths.account): string
  /** Whether an address is below ours. */
  isOurs(address: string): boolean
  /** Local mode: what the page of a question shows, or without one the inbox. Undefined where people sign in. */
  codeOf(question?: string): string | undefined
}

/** What inbox and account are called in local mode, for their key and their code. */
export const localHome = "home"

export function createAddresses(at: string, local?: LocalMarks): Addresses {
  const url = URL.parse(at)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "")
    throw new HoldpointError("invalid_config", "The public address must be a web address without ? and #.")
  const publicUrl = at.replace(/\/+$/, "")
  return {
    publicUrl,
    to: (path, ...parts) => `${publicUrl}${pathTo(path, ...parts)}`,
    home: (path) => `${publicUrl}${path}${local === undefined ? "" : `?key=${local.keyOf(localHome)}`}`,
    isOurs: (address) => address.startsWith(`${publicUrl}/`),
    codeOf: (question = localHome) => local?.codeOf(question),
  }
}

/** With the page to come back to. A choice is shown also where there is one provider only, and so is what went wrong. */
export function signInTo(to: string | undefined, { choose = false, problem }: SignInChoice = {}): string {
  const back = to === undefined ? [] : [`to=${encodeURIComponent(to)}`]
  const why = problem === undefined ? [] : [`problem=${encodeURIComponent(problem)}`]
  const query = [...(choose ? ["choose"] : []), ...why, ...back].join("&")
  return `${paths.signIn}${query === "" ? "" : `?${query}`}`
}

interface SignInChoice {
  readonly choose?: boolean
  readonly problem?: string
}
