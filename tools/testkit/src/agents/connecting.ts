// How alice connects an account in tests: on the pages of a server in this process and at the real authorization
// server.

import type { Principal } from "@holdpoint/hub"
import { expect } from "vitest"
import { openBrowser } from "../accounts/vault/providers/person.ts"
import type { AgentsServer } from "./agents-server.ts"
import { publicUrl } from "./agents-server.ts"

/** Presses the button on our page, signs in and consents at the authorization server, and comes back. */
export async function connectOnPages(server: AgentsServer, elicitationId: string, redirectUri: string): Promise<void> {
  const visit = openPages(server)
  const at = `/connect/${elicitationId}`
  const page = await visit(at)
  const fields = { csrf: fieldIn(page.text, "csrf"), shown: fieldIn(page.text, "shown"), do: "continue" }
  const posted = await visit(at, fields)
  const leaving = /http-equiv="refresh" content="0; url=([^"]+)"/.exec((await visit(posted.location)).text)?.[1] ?? ""
  const back = await openBrowser().follow(leaving.replaceAll("&amp;", "&"), redirectUri)
  await visit(`${back.pathname}${back.search}`)
}

/** Connects the account as the page does when a key is entered. */
export async function connectKey(
  server: AgentsServer,
  elicitationId: string,
  key: string,
  by?: Principal,
): Promise<void> {
  const elicitation = await server.hub.get(elicitationId)
  if (elicitation === undefined || !("principal" in server.identity)) throw new Error("no question")
  const principal = by ?? server.identity.principal
  const visitor = { principal, session: "session", agent: "test" } as never
  await server.hub.open(elicitationId, { by: principal })
  await server.hub.answer(elicitationId, { by: principal, action: "accept", via: "page" })
  expect(await server.vault.consent.enter(elicitation, visitor, { key })).toEqual({ kind: "kept" })
}

/** A browser at our pages that keeps cookies. Posts the fields, if given. */
function openPages(server: Pick<AgentsServer, "fetch">) {
  const cookies = new Map<string, string>()
  return async (path: string, fields?: Readonly<Record<string, string>>) => {
    const headers = {
      ...{ host: new URL(publicUrl).host, "sec-fetch-site": "same-origin" },
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    }
    const body = fields === undefined ? {} : { method: "POST", body: new URLSearchParams(fields) }
    const response = await server.fetch(new Request(`${publicUrl}${path}`, { ...body, headers }))
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";")
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1))
    }
    return { location: response.headers.get("location") ?? "", text: await response.text() }
  }
}

const fieldIn = (text: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? ""
