// `holdpoint serve` with Slack in this process. Alice and bob sign in through the embedded identity provider, and are
// members of the stand-in's workspace, like mallory and carol.

import { createMemoryStorage, type Storage, systemRuntime } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { type SlackPart, slack as toPart } from "@holdpoint/slack"
import { type Message, type SlackStandIn, startSlackStandIn, type TeamSeed } from "@holdpoint/slack-stand-in"
import { systemClock } from "@holdpoint/slack-stand-in/clock"
import { hear, noteCanary } from "@holdpoint/testkit/canaries/note"
import { type JarBrowser, openJarBrowser, type Visited } from "@holdpoint/testkit/holdpoint/pages/browser"
import { onTestFinished } from "vitest"
import { embeddedTenant, issuerAt } from "../../src/idp/issuer.ts"
import { type Server, startServer } from "../../src/serve/server.ts"

export interface ServedWorld {
  readonly slack: SlackStandIn
  readonly storage: Storage
  readonly server: Server
  readonly part: SlackPart
  readonly problems: readonly string[]
  /** Advances the clocks of the server and of Slack at once. */
  advance(ms: number): void
  /** Opens a link in a browser, and signs in as this person if necessary. */
  visit(link: string, person: string, browser?: JarBrowser): Promise<Visited>
  /** The newest link to the server's pages in the messages that this person sees in Slack. */
  linkSeenBy(user: string, where?: { readonly channel?: string }): Promise<string>
}

export const users = [
  { id: "U0ALICE", name: "alice", email: "alice@example.com" },
  { id: "U0BOB", name: "bob", email: "bob@example.com" },
  { id: "U0MALLORY", name: "mallory", email: "mallory@evil.example" },
  { id: "U0CAROL", name: "carol" },
]

export async function openServedWorld(teams: readonly TeamSeed[] = [{ users }]): Promise<ServedWorld> {
  let ahead = 0
  const now = (): number => Date.now() + ahead
  const slack = await startSlackStandIn({ teams, clock: { ...systemClock, now } })
  for (const { botToken } of slack.world.teams.values()) noteCanary("slack_token", botToken)
  noteCanary("slack_signing_secret", slack.signingSecret)
  const [storage, keys, problems] = [createMemoryStorage(), withNewKey(), [] as string[]]
  const report = (doing: string, error: unknown): void => {
    problems.push(`${doing}: ${error}`)
    hear("report", "a server with Slack", `${doing}: ${error}`)
  }
  const parts = { storage, keys: () => keys, report, runtime: { ...systemRuntime, now } }
  const botTokens = [...slack.world.teams.values()].map(({ botToken }) => botToken)
  const settings = { botTokens, signingSecret: slack.signingSecret, apiUrl: slack.apiUrl, appId: slack.appId }
  const part = toPart(settings)
  const server = await startServer({
    ...{ ...parts, host: "127.0.0.1", port: 0, people: { from: "embedded" } },
    parts: [part],
  })
  const to = (path: string): string => `${server.publicUrl}${path}`
  slack.aim({ events: to("/slack/events"), interactivity: to("/slack/interactivity") })
  onTestFinished(async () => {
    await server.close()
    await storage.close()
    await slack.close()
  })
  return {
    ...{ slack, storage, server, part, problems },
    advance(ms) {
      ahead += ms
    },
    async visit(link, person, browser = openJarBrowser()) {
      const page = await browser.open(link)
      return page.text.includes(`Continue as ${person}`) ? browser.submit(page, { user: person }) : page
    },
    linkSeenBy: (user, place = {}) =>
      slack.until(() =>
        slack
          .as(user)
          .sees(place)
          .flatMap(linksIn)
          .findLast((link) => link.includes("/slack/link/")),
      ),
  }
}

const linksIn = ({ blocks }: Message): readonly string[] =>
  [...JSON.stringify(blocks ?? []).matchAll(/"url":"([^"]+)"/g)].map(([, url = ""]) => url)

/** The principal of a person of the embedded identity provider. */
export const personOf = ({ server }: ServedWorld, subject: string) => ({
  ...{ tenant: embeddedTenant, issuer: issuerAt(server.publicUrl), subject },
})

/** Submits the form in the middle of a page. */
export const agree = (browser: JarBrowser, page: Visited): Promise<Visited> =>
  browser.submit({ ...page, text: page.text.slice(page.text.indexOf("<main")) }, { do: "link" })
