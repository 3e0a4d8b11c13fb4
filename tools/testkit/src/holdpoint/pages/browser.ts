// A browser without a screen: keeps cookies for each host, follows redirects, posts forms. It does nothing else.

import { noteEntered, noteVisit } from "../../canaries/visits.ts"

export interface Visited {
  readonly status: number
  readonly url: URL
  readonly text: string
  readonly headers: Headers
  /** Every address on the way, in order. */
  readonly hops: readonly string[]
}

export interface JarBrowser {
  /** Follows redirects and refreshing pages, until `stopAt` or a final page. */
  open(url: string, options?: OpenOptions): Promise<Visited>
  /** One request, without following redirects. */
  ask(url: string, init?: RequestInit): Promise<Visited>
  /** Submits the form of a page, with these fields changed or added. */
  submit(page: Visited, fields: Readonly<Record<string, string>>, options?: OpenOptions): Promise<Visited>
  /** The cookies of one host, by name. */
  cookies(url: string): Map<string, string>
}

export interface OpenOptions {
  /** Stops before opening an address for which this returns true. */
  readonly stopAt?: (url: URL) => boolean
  readonly headers?: Readonly<Record<string, string>>
}

export function openJarBrowser(): JarBrowser {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (url: string | URL): Map<string, string> => {
    const { host } = new URL(url)
    const jar = jars.get(host) ?? new Map<string, string>()
    jars.set(host, jar)
    return jar
  }

  const ask = async (url: string, init: RequestInit = {}): Promise<Visited> => {
    const jar = jarOf(url)
    const headers = new Headers(init.headers)
    if (jar.size > 0) headers.set("cookie", [...jar].map(([name, value]) => `${name}=${value}`).join("; "))
    const response = await fetch(url, { ...init, headers, redirect: "manual" })
    for (const line of response.headers.getSetCookie()) keep(jar, line)
    const text = await response.text()
    noteVisit({ method: init.method ?? "GET", url, status: response.status, headers: response.headers, text })
    return {
      status: response.status,
      url: new URL(url),
      text,
      headers: response.headers,
      hops: [url],
    }
  }

  const follow = async (first: Visited, { stopAt = () => false, headers = {} }: OpenOptions): Promise<Visited> => {
    let at = first
    for (let hop = 0; hop < 20; hop++) {
      const next = nextOf(at)
      if (next === undefined) return at
      if (stopAt(next)) return { ...at, url: next, hops: [...at.hops, next.href] }
      const visited = await ask(next.href, { headers })
      at = { ...visited, hops: [...at.hops, next.href] }
    }
    throw new Error(`more than twenty redirects: ${at.hops.join(" → ")}`)
  }

  return {
    ask,
    cookies: jarOf,
    async open(url, options = {}) {
      if (options.stopAt?.(new URL(url)) === true) throw new Error("stopped before the first address")
      return follow(await ask(url, options.headers === undefined ? {} : { headers: options.headers }), options)
    },
    async submit(page, fields, options = {}) {
      const [, form = ""] = /<form\b([^>]*method="post"[^>]*)>/i.exec(page.text) ?? []
      const action = toText(/action="([^"]*)"/.exec(form)?.[1] ?? page.url.pathname)
      const body = new URLSearchParams()
      for (const [, attributes = ""] of page.text.matchAll(/<input\b([^>]*type="hidden"[^>]*)>/g)) {
        const name = /name="([^"]*)"/.exec(attributes)?.[1] ?? ""
        // What the script of a page removes. Most tests press at once.
        if (name === "rendered") continue
        if (!body.has(name)) body.set(name, toText(/value="([^"]*)"/.exec(attributes)?.[1] ?? ""))
      }
      for (const [, attributes = ""] of page.text.matchAll(/<input\b([^>]*type="checkbox"[^>]*\schecked[^>]*)>/g))
        body.append(
          /name="([^"]*)"/.exec(attributes)?.[1] ?? "",
          toText(/value="([^"]*)"/.exec(attributes)?.[1] ?? "on"),
        )
      noteEntered(fields)
      for (const [name, value] of Object.entries(fields)) body.set(name, value)
      // As browsers do on pages without a referrer.
      const headers = { origin: "null", "sec-fetch-site": "same-origin", ...options.headers }
      const posted = await ask(new URL(action, page.url).href, { method: "POST", body, headers })
      return follow(posted, options)
    },
  }
}

function nextOf({ status, headers, url, text }: Visited): URL | undefined {
  const location = headers.get("location")
  if (status >= 300 && status < 400 && location !== null) return new URL(location, url)
  const refresh = /<meta http-equiv="refresh" content="0; url=([^"]*)">/.exec(text)?.[1]
  return refresh === undefined ? undefined : new URL(toText(refresh), url)
}

function keep(jar: Map<string, string>, line: string): void {
  const [pair = ""] = line.split(";")
  const name = pair.slice(0, pair.indexOf("="))
  const isOver = pair.endsWith("=") || /max-age=0\b/i.test(line) || /expires=Thu, 01 Jan 1970/i.test(line)
  if (isOver) jar.delete(name)
  else jar.set(name, pair.slice(name.length + 1))
}

const toText = (html: string): string =>
  html
    .replaceAll("&amp;", "&")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
