// A server in local mode as the person's own browser sees it: requests that say nothing about their caller come from a
// page of the server in that browser.

import type { Holdpoint } from "@holdpoint/server"

type Fetch = Holdpoint["fetch"]

/** Outside local mode, requests stay as they are. */
export async function fromOwnBrowser({ identity, addresses, fetch }: OwnServer): Promise<Fetch> {
  if (!("principal" in identity)) return fetch
  const cookie = await cookieOf(`${addresses.publicUrl}/inbox?key=${identity.keyOf("the test's browser")}`, fetch)
  return (request) => fetch(saysItsCaller(request) ? request : asPage(request, cookie))
}

type OwnServer = Pick<Holdpoint, "identity" | "addresses" | "fetch">

/** The cookie that the person's browser gets at an address with a key. */
export async function cookieOf(address: string, fetch: Fetch): Promise<string> {
  const opened = await fetch(new Request(address, { redirect: "manual" }))
  const cookies = opened.headers.getSetCookie().map((line) => line.split(";")[0])
  if (cookies.length === 0) throw new Error(`No cookie at ${address}: ${opened.status}`)
  return cookies.join("; ")
}

const saysItsCaller = ({ headers }: Request): boolean =>
  ["authorization", "x-api-key", "cookie", "origin", "sec-fetch-site"].some((name) => headers.has(name))

function asPage(request: Request, cookie: string): Request {
  const headers = new Headers(request.headers)
  headers.set("cookie", cookie)
  headers.set("sec-fetch-site", "same-origin")
  return new Request(request, { headers })
}
