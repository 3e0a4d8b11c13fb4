// The stage of the stories: the whole server on one host name of this machine, providers on another, so that they are
// as foreign to each other as on the web, and a real browser for each person.

import type { Need, Provider } from "@holdpoint/accounts"
import { toOwner } from "@holdpoint/accounts"
import type { Elicitation, Principal, Runtime } from "@holdpoint/hub"
import { createMemoryStorage, systemRuntime } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { type Oidc, startOidc } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { openBrowser } from "@holdpoint/testkit/browser"
import { hearStorage } from "@holdpoint/testkit/canaries/databases"
import { hear } from "@holdpoint/testkit/canaries/note"
import { notesProvider } from "@holdpoint/testkit/holdpoint/pages/world"
import type { Browser } from "playwright-core"
import { type Server, type ServerOptions, startServer } from "../../src/serve/server.ts"
import { openPeople, type People } from "./people.ts"

export interface Stage extends People {
  readonly server: Server
  readonly browser: Browser
  /** The provider that people connect. It signs in the user of `settings.user` without asking. */
  readonly notes: Oidc
  /** The errors that the server reported to its operator. */
  readonly problems: string[]
  person(subject: string): Principal
  need(subject: string, more?: Partial<Need>): Need
  /** Starts a call that waits for the connection. Returns the call and the link for its person. */
  call(subject: string, more?: Partial<Need>): Promise<Call>
  /** Advances the wall clock at once. */
  pass(ms: number): void
  close(): Promise<void>
}

export interface Call {
  readonly id: string
  readonly link: string
  /** The call's result, successful or not. */
  readonly ended: ReturnType<Server["vault"]["connect"]>
}

export interface StageOptions extends Partial<Omit<ServerOptions, "providers">> {
  readonly providers?: (notes: Oidc) => readonly Provider[]
}

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const { providers = (notes) => [notesAnew(notes)], ...serverOptions } = options
  const [browser, notes] = await Promise.all([openBrowser(), startOidc({ scopes: ["notes.read", "notes.write"] })])
  const storage = createMemoryStorage()
  const problems: string[] = []
  const { runtime, pass } = createWallClock()
  const server = await startServer({
    ...{ storage, keys: withNewKey(), runtime, host: "localhost", port: 0 },
    people: { from: "embedded" },
    providers: providers(notes),
    network: { allowLoopback: true },
    report: (doing, error) => {
      problems.push(`${doing}: ${error}`)
      hear("report", "a server of the stories", `${doing}: ${error}`)
    },
    ...serverOptions,
  })
  notes.allowRedirect(`${server.publicUrl}/oauth/callback/notes`)
  const people = openPeople(browser, server.publicUrl)
  const person = (subject: string): Principal =>
    "principal" in server.identity
      ? server.identity.principal
      : { tenant: "local", issuer: `${server.publicUrl}/idp`, subject }
  const need = (subject: string, more: Partial<Need> = {}): Need => ({
    owner: toOwner(person(subject)),
    provider: "notes",
    scopes: ["notes.read"],
    requester: { id: "note-taker", name: "Note taker" },
    ...more,
  })
  return {
    ...people,
    ...{ server, browser, notes, problems, person, need, pass },
    async call(subject, more) {
      const ended = server.vault.connect(need(subject, more))
      // Avoids an unhandled rejection, because the test may read the result later.
      ended.catch(() => {})
      const question = await server.vault.ask(need(subject, more))
      return { id: question.id, link: linkOf(question), ended }
    },
    async close() {
      await people.leave()
      await server.close()
      await hearStorage(storage, "local")
      await storage.close()
      await notes.close()
    },
  }
}

/** A provider that requires a sign-in each time, so that one browser can act as several people there. */
export const notesAnew = (notes: Oidc): Provider =>
  notesProvider(notes, { authorizationParameters: { prompt: "login consent" } })

const linkOf = (question: Elicitation): string => (question.mode === "url" ? question.url : "")

function createWallClock(): { readonly runtime: Runtime; pass(ms: number): void } {
  let ahead = 0
  return {
    runtime: { ...systemRuntime, now: () => Date.now() + ahead },
    pass(ms) {
      ahead += ms
    },
  }
}
