// Notes every response that a test's browser receives, and the secrets in responses of our server.

import { hear, noteCanary } from "./note.ts"

export interface Visit {
  readonly method: string
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export function noteVisit(visit: Visit): void {
  const { headers, method, text } = visit
  const url = new URL(visit.url)
  for (const line of headers.getSetCookie()) noteCookie(line)
  if (url.searchParams.has("client_id"))
    for (const kind of ["state", "nonce"] as const) noteCanary(kind, url.searchParams.get(kind))
  const headerLines = [...headers].filter(([name]) => name !== "set-cookie").map((pair) => pair.join(": "))
  const isArrival = url.searchParams.has("code")
  const channel = !isArrival && leadsElsewhere(visit) ? "departure" : "page"
  hear(channel, `${method} ${url.pathname.replaceAll(/[\w-]{16,}/g, "…")}`, `${headerLines.join("\n")}\n\n${text}`)
}

/** The part of Playwright's response that is read here. */
export interface BrowserResponse {
  url(): string
  status(): number
  request(): { method(): string }
  headersArray(): Promise<readonly { readonly name: string; readonly value: string }[]>
  text(): Promise<string>
}

export async function noteResponse(response: BrowserResponse): Promise<void> {
  // Redirects have no body, and the body of a page that was left meanwhile is no longer available.
  const [lines, text] = await Promise.all([response.headersArray().catch(() => []), response.text().catch(() => "")])
  const headers = new Headers(lines.map(({ name, value }) => [name, value]))
  noteVisit({ method: response.request().method(), url: response.url(), status: response.status(), headers, text })
}

/** Notes the secrets that a person enters into a form. */
export function noteEntered(fields: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(fields))
    if (["key", "password", "secret"].includes(name)) noteCanary("entered", value)
}

/** Notes the value of a cookie that our server sets. */
function noteCookie(line: string): void {
  const [, value] = /^(?:__Host-)?hp_(?:session|signin|flow_\w+|claim_\w+|authorize_\w+)=([^;]*)/.exec(line) ?? []
  noteCanary("cookie", value)
}

/** Whether the response leads to another origin, by a redirect or by a page that continues automatically. */
function leadsElsewhere({ url, headers, text }: Visit): boolean {
  const next = headers.get("location") ?? /<meta http-equiv="refresh" content="0; url=([^"]*)">/.exec(text)?.[1]
  return next !== undefined && partyOf(new URL(next.replaceAll("&amp;", "&"), url)) !== partyOf(new URL(url))
}

/** The party behind an address. The built-in identity provider counts as another party than the server. */
const partyOf = ({ origin, pathname }: URL): string => (pathname.startsWith("/idp/") ? `${origin}/idp` : origin)
