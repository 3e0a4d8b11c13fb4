// Visits a link as a stranger: opens the page without cookies, and submits its forms.

import { skip } from "./check.ts"
import type { Fetch } from "./target.ts"

export interface Page {
  readonly url: string
  readonly status: number
  readonly text: string
  readonly forms: readonly Form[]
}

export interface Form {
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

const maxRedirects = 5

export async function send(fetch: Fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(10_000), ...init })
  } catch {
    return skip(`the page at ${new URL(url).origin} cannot be reached from here`)
  }
}

/** Opens a link and returns the final page. Follows redirects, and stores no cookies. */
export async function visit(fetch: Fetch, link: string): Promise<Page> {
  let url = link
  for (let redirectCount = 0; ; redirectCount++) {
    const response = await send(fetch, url, { headers: { accept: "text/html" } })
    const location = response.headers.get("location")
    const isFinal =
      location === null || response.status < 300 || response.status >= 400 || redirectCount === maxRedirects
    const text = await response.text()
    if (isFinal) return { url, status: response.status, text, forms: formsIn(text, url) }
    url = new URL(location, url).href
  }
}

/** Submits a filled form of the page. Sends nothing when the form's action is on another origin. */
export async function submit(fetch: Fetch, page: Page, form: Form): Promise<void> {
  const { origin } = new URL(page.url)
  if (new URL(form.action).origin !== origin) return
  const response = await send(fetch, form.action, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", origin },
    body: new URLSearchParams(form.fields).toString(),
  })
  await response.text()
}

function formsIn(html: string, base: string): readonly Form[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)]
    .filter(([, head = ""]) => attribute(head, "method")?.toLowerCase() === "post")
    .map(([, head = "", body = ""]) => ({
      action: new URL(attribute(head, "action") ?? base, base).href,
      fields: fieldsIn(body),
    }))
}

function fieldsIn(body: string): Form["fields"] {
  const fields = [...body.matchAll(/<(?:input|button|textarea|select)\b([^>]*)>/gi)].flatMap(([, head = ""]) => {
    const name = attribute(head, "name")
    return name === undefined ? [] : [[name, attribute(head, "value") ?? "something"] as const]
  })
  return Object.fromEntries(fields)
}

function attribute(head: string, name: string): string | undefined {
  const [, doubleQuoted, singleQuoted, unquoted] =
    new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, "i").exec(head) ?? []
  const value = doubleQuoted ?? singleQuoted ?? unquoted
  return value?.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&")
}
