// A browser for sign-in tests: keeps cookies with their paths, follows redirects, posts forms.

import { request as send } from "node:http"

export interface Page {
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

export interface CookieJar {
  /** Follows redirects within the same origin; posts the body, if given. */
  open(url: string | URL, body?: URLSearchParams, headers?: Readonly<Record<string, string>>): Promise<Page>
  /** Every Set-Cookie that set a value, in order. */
  readonly received: readonly string[]
}

interface Cookie {
  readonly value: string
  readonly path: string
}

/** `always` is sent with every request and overrides what a browser would send. */
export function createCookieJar(always: Readonly<Record<string, string>> = {}): CookieJar {
  const cookies = new Map<string, Cookie>()
  const received: string[] = []

  const keep = (line: string): void => {
    const [pair = "", ...attributes] = line.split(";").map((part) => part.trim())
    const name = pair.slice(0, pair.indexOf("="))
    const value = pair.slice(name.length + 1)
    const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice("path=".length) ?? "/"
    if (value === "" || /expires=Thu, 01 Jan 1970/i.test(line)) {
      cookies.delete(`${path} ${name}`)
      return
    }
    received.push(line)
    cookies.set(`${path} ${name}`, { value, path })
  }
  const cookiesFor = (path: string): string =>
    [...cookies]
      .filter(([, cookie]) => path === cookie.path || path.startsWith(cookie.path.replace(/\/?$/, "/")))
      .map(([key, { value }]) => `${key.slice(key.indexOf(" ") + 1)}=${value}`)
      .join("; ")

  return {
    received,
    async open(address, body, headers = {}) {
      let at = new URL(address)
      let posted = body
      for (let hop = 0; hop < 10; hop++) {
        const cookie = cookiesFor(at.pathname)
        const type = posted === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }
        const sent = { ...type, ...(cookie === "" ? {} : { cookie }), ...headers, ...always }
        const page = await exchange(at, posted?.toString(), sent)
        for (const line of page.headers.getSetCookie()) keep(line)
        const location = page.headers.get("location")
        if (location === null) return page
        const next = new URL(location, at)
        if (next.origin !== at.origin) return { ...page, url: next.href }
        at = next
        posted = undefined
      }
      throw new Error("too many redirects")
    },
  }
}

/** By node:http, because fetch does not let a caller set Host. */
function exchange(url: URL, body: string | undefined, headers: Readonly<Record<string, string>>): Promise<Page> {
  return new Promise((resolve, reject) => {
    const request = send(url, { method: body === undefined ? "GET" : "POST", headers }, (response) => {
      const chunks: Buffer[] = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("error", reject)
      response.on("end", () => {
        const received = new Headers()
        for (const [name, values] of Object.entries(response.headersDistinct))
          for (const value of values ?? []) received.append(name, value)
        const status = response.statusCode ?? 0
        resolve({ url: url.href, status, headers: received, body: Buffer.concat(chunks).toString() })
      })
    })
    request.on("error", reject)
    request.end(body)
  })
}
