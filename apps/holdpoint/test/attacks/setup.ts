// Shared parts of the attacks: people, their browsers, and the steps of connecting an account.

import { createHash, randomBytes, randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { ConnectionHandle, Need } from "@holdpoint/accounts"
import { toOwner } from "@holdpoint/accounts"
import type { Elicitation, Principal } from "@holdpoint/hub"
import { type JarBrowser, openJarBrowser, type Visited } from "@holdpoint/testkit/holdpoint/pages/browser"
import type { World } from "@holdpoint/testkit/holdpoint/pages/world"
import { sessionKind } from "@holdpoint/testkit/records"
import { expect } from "vitest"

export const isCallback = (url: URL): boolean => url.pathname.startsWith("/oauth/callback")

/** A unique subject. Each test has its own people, so that one world serves a whole file. */
export const newSubject = (name: string): string => `${name}-${randomUUID().slice(0, 8)}`

export interface Person {
  readonly subject: string
  readonly browser: JarBrowser
}

export async function arrivePerson(world: World, name: string): Promise<Person> {
  const subject = newSubject(name)
  return { subject, browser: await world.signIn(subject) }
}

/** Asks this person to connect an account. Returns the question and its link. */
export async function ask(world: World, { subject }: Pick<Person, "subject">, more: Partial<Need> = {}) {
  const question = await world.server.vault.ask(world.need(subject, more))
  return { id: question.id, link: linkOf(question) }
}

/** Starts a call that waits for the connection. Returns the call's question and its later result. */
export async function call(world: World, { subject }: Pick<Person, "subject">, more: Partial<Need> = {}) {
  const need = world.need(subject, more)
  const ended: Promise<ConnectionHandle | Error> = world.server.vault.connect(need).catch((error: Error) => error)
  const { id, link } = await ask(world, { subject }, more)
  return { id, link, ended }
}

const linkOf = (question: Elicitation): string => (question.mode === "url" ? question.url : "")

/** Reads the page, presses the button, approves at the provider, and stops before the callback. */
export async function reachCallback({ subject, browser }: Person, world: World, link: string): Promise<URL> {
  world.notes.settings.user = `${subject}-at-notes`
  const reached = await browser.submit(await browser.open(link), { do: "continue" }, { stopAt: isCallback })
  if (!isCallback(reached.url)) throw new Error(`ended at ${reached.url}: ${reached.status}`)
  return reached.url
}

/** Only presses the button. Returns the address at the provider. */
export async function reachProvider({ browser }: Person, world: World, link: string): Promise<URL> {
  const atProvider = (url: URL): boolean => url.origin === world.notes.issuer
  const reached = await browser.submit(await browser.open(link), { do: "continue" }, { stopAt: atProvider })
  if (!atProvider(reached.url)) throw new Error(`ended at ${reached.url}: ${reached.status}`)
  return reached.url
}

export const connectionsOf = ({ server, person }: World, { subject }: Pick<Person, "subject">) =>
  server.vault.list(toOwner(person(subject)))

/** How many codes the provider redeemed during the work. */
export async function redeemedDuring(world: World, work: () => Promise<unknown>): Promise<number> {
  const before = world.notes.countTokens()
  await work()
  return world.notes.countTokens() - before
}

/** The page that every visitor except the addressed person sees. */
export async function unusablePage(world: World, browser: JarBrowser): Promise<Visited> {
  return browser.open(`${world.server.publicUrl}/connect/${randomUUID()}`)
}

export async function expectUnusable(visited: Visited, world: World, browser: JarBrowser): Promise<void> {
  const generic = await unusablePage(world, browser)
  expect(visited.status).toBe(404)
  expect(visited.url.search).not.toMatch(/[?&](?:code|state)=/)
  expect(visited.text).toBe(generic.text)
}

export const codesOf = async ({ server }: World, id: string): Promise<readonly (string | undefined)[]> =>
  (await server.hub.trail({ id, limit: 100 })).filter(({ kind }) => kind === "refused").map(({ detail }) => detail.code)

/** A second browser of the same person. */
export const another = (world: World, { subject }: Person): Promise<JarBrowser> =>
  world.signIn(subject, openJarBrowser())

export interface Site {
  readonly url: string
  /** Method and path of each request, in order. */
  readonly asked: string[]
  close(): Promise<void>
}

/** A third-party server on this machine. */
export async function startSite(
  answer: (request: IncomingMessage, response: ServerResponse, url: string) => void,
): Promise<Site> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    answer(request, response, url)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    asked,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A browser with a session of exactly this principal, written directly to the storage. */
export async function enterAs(world: World, principal: Principal): Promise<JarBrowser> {
  const token = randomBytes(32).toString("base64url")
  const now = Date.now()
  await world.storage.records(sessionKind).insert({
    id: createHash("sha256").update(token).digest("base64url"),
    ...{ tenant: principal.tenant, version: 1, principal, name: principal.subject },
    ...{ createdAt: now, seenAt: now, expiresAt: now + 3_600_000 },
  })
  const browser = openJarBrowser()
  browser.cookies(world.server.publicUrl).set("hp_session", token)
  return browser
}

/** Records everything that our server sends from now on, including redirects. */
export function listenTo(world: Pick<World, "server">): { readonly sent: string[]; stop(): void } {
  const original = globalThis.fetch
  const sent: string[] = []
  globalThis.fetch = async (input, init) => {
    const response = await original(input, init)
    const url = new URL(String(input))
    if (url.origin !== world.server.publicUrl) return response
    const text = await response.clone().text()
    sent.push(`${init?.method ?? "GET"} ${url.pathname}\n${response.headers.get("location") ?? ""}\n${text}`)
    return response
  }
  return {
    sent,
    stop() {
      globalThis.fetch = original
    },
  }
}
