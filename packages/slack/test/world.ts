// A stand-in of Slack, and servers on one storage that are connected to it over HTTP or by socket mode.

import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { Fetch } from "@holdpoint/accounts"
import type { Principal, PrincipalId, Storage } from "@holdpoint/hub"
import { createAddresses, createHub, createMemoryStorage, type Hub, inbox, isSamePerson } from "@holdpoint/hub"
import type { DirectorySource } from "@holdpoint/hub/outlets"
import { createDirectory } from "@holdpoint/hub/outlets"
import { withNewKey } from "@holdpoint/hub/sealing"
import type { DescribedPerson } from "@holdpoint/server/identity"
import type { PartServer } from "@holdpoint/server/parts"
import { createManualClock, type SlackStandIn, type StandInOptions, startSlackStandIn } from "@holdpoint/slack-stand-in"
import { createTestClock, type TestClock } from "@holdpoint/testing"
import { hear, noteCanary } from "@holdpoint/testkit/canaries/note"
import { getRequestListener } from "@hono/node-server"
import { onTestFinished } from "vitest"
import { type SlackApp, type SlackOptions, slack as slackPart } from "../src/index.ts"
import { createSlackFetch } from "../src/workspaces.ts"

export const alice: Principal = { tenant: "acme", issuer: "https://people.example", subject: "alice" }
export const bob: Principal = { ...alice, subject: "bob", roles: ["operator"] }
export const aliceInSlack = { team: "T0TEAM", user: "U0ALICE" }
export const bobInSlack = { team: "T0TEAM", user: "U0BOB" }

export interface SlackNode {
  readonly slack: SlackApp
  readonly hub: Hub
  readonly url: string
  close(): Promise<void>
}

export interface SlackWorld {
  readonly slack: SlackStandIn
  readonly clock: TestClock
  readonly storage: Storage
  readonly problems: readonly string[]
  /** The people who are known now. */
  readonly people: DescribedPerson[]
  addNode(options?: NodeOptions): Promise<SlackNode>
  link(node: SlackNode, account: { readonly team: string; readonly user: string }, person: PrincipalId): Promise<void>
  /** Waits until no request to Slack is under way. */
  quiet(): Promise<void>
  /** Moves the clocks of the servers and of Slack together. */
  advance(ms: number): Promise<void>
}

export interface NodeOptions extends Partial<SlackOptions> {
  /** Another storage on the same database, as another process has it. */
  readonly storage?: Storage
  /** Events come by socket mode. */
  readonly isSocket?: boolean
  /** Whether Slack's events go to this server from now on; they do by default. */
  readonly isAimedAt?: boolean
}

export async function openSlackWorld(
  options: StandInOptions = {},
  worldStorage: Storage = createMemoryStorage(),
): Promise<SlackWorld> {
  const time = createManualClock(Date.UTC(2026, 0, 1))
  const slack = await startSlackStandIn({ clock: time, ...options })
  for (const { botToken } of slack.world.teams.values()) noteCanary("slack_token", botToken)
  noteCanary("slack_signing_secret", slack.signingSecret)
  noteCanary("slack_token", slack.appToken)
  const clock = createPromptClock(time.now())
  const problems: string[] = []
  const people: DescribedPerson[] = [
    { principal: alice, name: "Alice" },
    { principal: bob, name: "Bob" },
  ]
  const keys = withNewKey()
  const nodes: SlackNode[] = []
  onTestFinished(async () => {
    for (const node of nodes) await node.close()
    await slack.close()
    await worldStorage.close()
  })

  const toSlack = createSlackFetch(slack.apiUrl)
  let underWay = 0
  /** A request is under way until its whole answer is here. */
  const counted: Fetch = async (input, init) => {
    underWay += 1
    try {
      const response = await toSlack(input, init)
      return new Response(await response.arrayBuffer(), response)
    } finally {
      underWay -= 1
    }
  }

  async function addNode({ isSocket = false, isAimedAt = true, ...more }: NodeOptions = {}): Promise<SlackNode> {
    const report = (doing: string, error: unknown): void => {
      problems.push(`${doing}: ${error}`)
      hear("report", "a server with Slack", `${doing}: ${error}`)
    }
    const { storage = worldStorage, ...options } = more
    const part = slackPart({
      botTokens: [...slack.world.teams.values()].map(({ botToken }) => botToken),
      ...(isSocket ? { appToken: slack.appToken } : { signingSecret: slack.signingSecret }),
      ...{ apiUrl: slack.apiUrl, appId: slack.appId, fetch: counted },
      ...options,
    })
    const server: Server = createServer(getRequestListener((request) => mount.fetch(request)))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const findPerson: PartServer["findPerson"] = async (person) =>
      people.find(({ principal }) => isSamePerson(principal, person))
    const partServer = { storage, keys, runtime: clock, report, findPerson, addresses: createAddresses(url) }
    const roles: DirectorySource = {
      addresses: async () => [],
      people: async (_tenant, role) =>
        people.map(({ principal }) => principal).filter((person) => person.roles?.includes(role)),
    }
    let opened: ReturnType<typeof part.open> | undefined
    const accounts: DirectorySource = {
      addresses: async (kind, person) => (await opened?.directory.addresses(kind, person)) ?? [],
      people: async () => [],
    }
    const outlets = (made: Hub) => {
      opened = part.open({ ...partServer, hub: made })
      return [inbox(), opened.outlet]
    }
    const directory = createDirectory([accounts, roles])
    const hub = createHub({ storage, outlets, directory, runtime: clock, report })
    if (opened === undefined) throw new Error("The hub did not ask for its outlets.")
    const mount = opened.mount()
    const { close } = opened
    await opened.start()
    if (isAimedAt && !isSocket)
      slack.aim({ events: `${url}/slack/events`, interactivity: `${url}/slack/interactivity` })
    let closing: Promise<void> | undefined
    const node: SlackNode = {
      ...{ slack: part.app, hub, url },
      close() {
        closing ??= (async () => {
          await close()
          await hub.close()
          server.closeAllConnections()
          await new Promise((resolve) => server.close(resolve))
        })()
        return closing
      },
    }
    nodes.push(node)
    return node
  }

  return {
    ...{ slack, clock, storage: worldStorage, problems, people, addNode },
    async quiet() {
      for (let idle = 0; idle < 20; idle = underWay === 0 ? idle + 1 : 0) await new Promise(setImmediate)
    },
    link: (node, account, person) => node.slack.links.link({ ...account, userName: "a", teamName: "Team 1" }, person),
    async advance(ms) {
      time.advance(ms)
      await clock.advance(ms)
    },
  }
}

/** A clock that does not advance on its own. Work that is due now runs immediately. */
function createPromptClock(start: number): TestClock {
  const clock = createTestClock(start)
  return {
    ...clock,
    after(delayMs, callback) {
      if (delayMs > 0) return clock.after(delayMs, callback)
      const immediate = setImmediate(callback)
      return () => clearImmediate(immediate)
    },
  }
}
